// Packs the pages into scripts (`scriptNames` in src/pages.ts), one script with what most of these have, and one style. Their
// names hold a hash of their content: src/main.tsx and others -> dist/assets. In the pseudo-language: dist/assets-pseudo.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));
const scriptNames = ['main', 'work', 'app', 'keyword', 'more', 'account', 'rivals'];
const entryPoints = Object.fromEntries(scriptNames.map((name) => [name, join(folder, `src/${name}.tsx`)]));
/** A module that at least this number of them have is shared: the others load it for nothing, but it is cached with the rest. */
const leastScripts = 4;

/** Bundles the pages, if a source is newer. Returns whether it did. `isPseudo`: in the pseudo-language, for tests. */
export async function bundlePages({ isPseudo = false } = {}) {
  const assets = join(folder, isPseudo ? 'dist/assets-pseudo' : 'dist/assets');
  if (!isDue(assets)) return false;
  rmSync(assets, { recursive: true, force: true });
  const options = {
    absWorkingDir: folder,
    entryPoints,
    outdir: assets,
    entryNames: '[name]-[hash]',
    bundle: true,
    // Other workspaces' sources: they are compiled at the same time.
    conditions: ['shelfwise-source', ...(isPseudo ? ['shelfwise-pseudo'] : [])],
    minify: true,
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  };
  const shared = await findShared(options);
  const { metafile } = await build({
    ...options,
    splitting: true,
    chunkNames: 'shared-[hash]',
    plugins: [copyTheRest(shared)],
  });
  const made = Object.keys(metafile.outputs).filter((path) => path.endsWith('.js'));
  if (made.length !== scriptNames.length + 1) {
    // A folder that is there looks complete.
    rmSync(assets, { recursive: true, force: true });
    throw new Error(`a page has its script and the one that all share, but there are ${made.join(', ')}`);
  }
  return true;
}

/** The paths of the modules that most scripts have, and of what these import: no module may run twice on a page. */
async function findShared(options) {
  const { metafile } = await build({ ...options, write: false });
  const scripts = Object.entries(metafile.outputs)
    .filter(([path]) => path.endsWith('.js'))
    .map(([, { inputs }]) => inputs);
  const countScripts = (path) => scripts.filter((inputs) => inputs[path]?.bytesInOutput > 0).length;
  const shared = new Set(
    Object.keys(metafile.inputs).filter((path) => isShareable(path) && countScripts(path) >= leastScripts),
  );
  // What is added here is visited, too.
  for (const path of shared)
    for (const used of metafile.inputs[path].imports) if (isShareable(used.path)) shared.add(used.path);
  return new Set([...shared].map((path) => join(folder, path)));
}

/** Not the style; and not the table of texts: a script has only those that it names. What most pages say is in `en-shared.ts`. */
function isShareable(path) {
  return /\.(m?js|tsx?)$/.test(path) && !/\/text\/(en|pseudo-texts)\.ts$/.test(path);
}

/**
 * Gives each script a copy of its own of what is not shared, and has each import all that is. The splitting of esbuild makes one file
 * for each set of scripts that have a module in common, some ten requests for a page; so there is one such set, that of all.
 */
function copyTheRest(shared) {
  const nameOfEntry = new Map(Object.entries(entryPoints).map(([name, path]) => [path, name]));
  return {
    name: 'copy-the-rest',
    setup(bundle) {
      const isAsked = {};
      bundle.onResolve(
        { filter: /./ },
        async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
          if (pluginData === isAsked || kind === 'entry-point') return null;
          // A copy is in the namespace of its script; what a shared module imports is shared.
          const script = namespace === 'file' ? nameOfEntry.get(importer) : namespace;
          if (!scriptNames.includes(script)) return null;
          const asked = { kind, importer, resolveDir, namespace: 'file', pluginData: isAsked };
          const found = await bundle.resolve(path, asked);
          if (found.errors.length > 0) return { errors: found.errors };
          const isStyle = found.path.endsWith('.css');
          const { sideEffects } = found;
          return {
            path: found.path,
            namespace: isStyle || shared.has(found.path) ? 'file' : script,
            sideEffects,
          };
        },
      );
      bundle.onLoad({ filter: /\.tsx$/, namespace: 'file' }, ({ path }) => {
        if (!nameOfEntry.has(path)) return null;
        const imports = [...shared].map((one) => `import ${JSON.stringify(one)};`);
        const contents = [readFileSync(path, 'utf8'), ...imports].join('\n');
        return { contents, loader: 'tsx', resolveDir: dirname(path) };
      });
      for (const namespace of scriptNames)
        bundle.onLoad({ filter: /./, namespace }, ({ path }) => ({
          contents: readFileSync(path, 'utf8'),
          loader: extname(path).replace(/^\.m?/, ''),
          resolveDir: dirname(path),
        }));
    },
  };
}

function isDue(assets) {
  if (!existsSync(assets) || readdirSync(assets).length === 0) return true;
  const made = Math.min(...readdirSync(assets).map((name) => statSync(join(assets, name)).mtimeMs));
  // And those of the workspaces that pages import from.
  const sources = ['src', '../facts/src', '../runtime/src'].flatMap((from) =>
    readdirSync(join(folder, from), { recursive: true })
      .filter((name) => /\.(tsx?|css)$/.test(name))
      .map((name) => statSync(join(folder, from, name)).mtimeMs),
  );
  return Math.max(...sources, statSync(fileURLToPath(import.meta.url)).mtimeMs) > made;
}
