#!/usr/bin/env node
// Generates the code of the contracts (proto/ -> proto/gen) and compiles every workspace (src/ -> dist/). A
// production install has neither buf nor TypeScript; there the script only checks that the build exists.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const unknown = args.filter((arg) => !['--generate-only', '--quiet', '--help'].includes(arg));
if (unknown.length > 0 || args.includes('--help')) {
  console.log('usage: node scripts/build.mjs [--generate-only] [--quiet]');
  process.exit(unknown.length > 0 ? 2 : 0);
}

const hasTool = (name) => existsSync(join(root, 'node_modules', name, 'package.json'));
const print = (text) => args.includes('--quiet') || console.log(text);

if (!hasTool('@bufbuild/buf') || !hasTool('typescript')) {
  if (existsSync(join(root, 'app/dist/main.js'))) process.exit(0);
  // An image build copies the manifests and the compiled folders in separate steps, and npm must not fail between
  // them.
  print(
    'nothing was compiled: the development tools are not installed (copy the dist folders, or run npm ci without --omit=dev)',
  );
  process.exit(process.env.npm_lifecycle_event === 'prestart' ? 1 : 0);
}

const started = Date.now();
if (isGenerationDue()) {
  rmSync(join(root, 'proto/gen'), { recursive: true, force: true });
  mkdirSync(join(root, 'proto/gen'));
  run('@bufbuild/buf/bin/buf', ['generate'], join(root, 'proto'));
}
if (!args.includes('--generate-only')) run('typescript/bin/tsc', ['-b'], root);
print(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);

/** Whether a contract is newer than its generated code. */
function isGenerationDue() {
  const newest = (dir, ending) =>
    existsSync(dir)
      ? readdirSync(dir, { recursive: true })
          .filter((file) => file.endsWith(ending))
          .map((file) => statSync(join(dir, file)).mtimeMs)
      : [];
  const generated = newest(join(root, 'proto/gen'), '.ts');
  const contracts = [
    ...newest(join(root, 'proto/shelfwise'), '.proto'),
    statSync(join(root, 'proto/buf.gen.yaml')).mtimeMs,
  ];
  return generated.length === 0 || Math.max(...contracts) > Math.min(...generated);
}

function run(script, scriptArgs, cwd) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...scriptArgs], {
    cwd,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
