// Packs a program with everything that it needs into one file, with the licenses of what is inside: its package has no
// dependencies.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes `bundle/NAME.js` of a workspace.
 * @param {{ workspace: string, entry: string, name: string }} program the entry is a source of the workspace
 */
export async function bundleProgram({ workspace, entry, name }) {
  const bundle = join(root, workspace, 'bundle');
  const outfile = join(bundle, `${name}.js`);
  rmSync(bundle, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(root, workspace, entry)],
    absWorkingDir: root,
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minifyWhitespace: true,
    legalComments: 'none',
    // The sources of the workspaces: they need no build.
    conditions: ['shelfwise-source'],
    // Some packages call require, which ES modules do not have.
    banner: {
      js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
    },
  });
  chmodSync(outfile, 0o755);
  copyFileSync(join(root, 'LICENSE'), join(bundle, 'LICENSE'));
  const licenses = listLicenses(Object.keys(metafile.inputs));
  if (licenses !== '') writeFileSync(join(bundle, 'THIRD-PARTY-LICENSES.txt'), licenses);
}

/** The license of each package that a file in the bundle comes from. */
function listLicenses(files) {
  const packages = files.flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []);
  return [...new Set(packages)].sort().map(describeLicense).join('\n\n');
}

function describeLicense(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, path)).find((one) => /^licen[cs]e/i.test(one));
  const text = file && existsSync(join(root, path, file)) ? readFileSync(join(root, path, file), 'utf8') : '';
  return `${name} ${version} (${license})\n\n${text.trim()}`;
}
