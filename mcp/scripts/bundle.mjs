// Packs stdio.ts with everything that it needs into one file, with the licenses of what is inside: the package has no
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

const folder = fileURLToPath(new URL('..', import.meta.url));
const root = join(folder, '..');
const bundle = join(folder, 'bundle');
const outfile = join(bundle, 'shelfwise-mcp.js');
rmSync(bundle, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [join(folder, 'src/stdio.ts')],
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
writeFileSync(join(bundle, 'THIRD-PARTY-LICENSES.txt'), listLicenses(Object.keys(metafile.inputs)));

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
