// Packs the pages into scripts (`scriptNames` in src/pages.ts), one script with what all of these have, and one style sheet. Their
// names hold a hash of their content: src/main.tsx and others -> dist/assets. In the pseudo-language: dist/assets-pseudo.
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));
const scriptNames = ['main', 'work', 'app', 'keyword', 'more', 'account', 'rivals'];

/** Bundles the pages, if a source is newer. Returns whether it did. `isPseudo`: in the pseudo-language, for tests. */
export async function bundlePages({ isPseudo = false } = {}) {
  const assets = join(folder, isPseudo ? 'dist/assets-pseudo' : 'dist/assets');
  if (!isDue(assets)) return false;
  rmSync(assets, { recursive: true, force: true });
  const options = {
    absWorkingDir: folder,
    outdir: assets,
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
  const pages = {
    ...options,
    entryPoints: Object.fromEntries(scriptNames.map((name) => [name, join(folder, `src/${name}.tsx`)])),
    entryNames: '[name]-[hash]',
  };
  const shared = await packShared(options, await findShared(pages));
  await build({ ...pages, plugins: [takeFrom(shared)] });
  // Last, so that a build that fails leaves nothing that looks complete.
  writeFileSync(shared.path, shared.contents);
  return true;
}

/**
 * The modules that all scripts have. The splitting of esbuild makes one script for each set of pages that share a module: some ten
 * requests for a page. Here what only some share is in each of them, and a page has two scripts.
 */
async function findShared(pages) {
  const { metafile } = await build({ ...pages, write: false });
  const [first, ...others] = Object.entries(metafile.outputs)
    .filter(([path]) => path.endsWith('.js'))
    .map(([, output]) => modulesOf(output));
  return new Set([...first].filter((path) => others.every((paths) => paths.has(path))));
}

/** One script with all that these modules export. What they use belongs to them: a module must not run twice. */
async function packShared(options, modules) {
  const contents = [...modules].map((path) => `export * from ${JSON.stringify(path)};`).join('\n');
  const stdin = { contents, resolveDir: folder, loader: 'js' };
  const packed = await build({ ...options, stdin, entryNames: 'shared-[hash]', write: false });
  const [output] = Object.values(packed.metafile.outputs);
  const used = new Set([...modules, ...modulesOf(output)]);
  if (used.size > modules.size) return packShared(options, used);
  const [{ path, contents: script }] = packed.outputFiles;
  return { modules, path, contents: script, exports: output.exports };
}

/** The paths of what a script is made of, but for the texts: each script has those of its own pages. */
function modulesOf({ inputs }) {
  const paths = Object.entries(inputs)
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('<'))
    .map(([path]) => join(folder, path));
  return new Set(paths.filter((path) => !/\/src\/text\/(en|pseudo-texts)\.ts$/.test(path)));
}

/** Imports what is shared from its script. A name that it does not export fails the build. */
function takeFrom({ modules, path: file, exports }) {
  const from = `./${basename(file)}`;
  return {
    name: 'shared',
    setup(bundle) {
      const isAsked = {};
      bundle.onResolve({ filter: /./ }, async ({ path, pluginData, ...place }) => {
        if (pluginData === isAsked || place.kind === 'entry-point') return null;
        if (place.namespace === 'shared') return { path, external: true };
        const { kind, importer, namespace, resolveDir } = place;
        const asked = { kind, importer, namespace, resolveDir, pluginData: isAsked };
        const found = await bundle.resolve(path, asked);
        return modules.has(found.path) ? { path: from, namespace: 'shared' } : null;
      });
      bundle.onLoad({ filter: /./, namespace: 'shared' }, () => ({
        contents: `export { ${exports.join(', ')} } from ${JSON.stringify(from)};`,
        loader: 'js',
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
