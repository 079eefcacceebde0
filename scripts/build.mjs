#!/usr/bin/env node
// Generates code from the .proto files, the contracts of the services (proto/shelfwise -> proto/gen), with their
// descriptors, which gRPC reflection serves, and the endpoints as the assistant server knows them, compiles every
// workspace (src/ -> dist/) and bundles the dashboard's pages. A production install has neither buf nor a compiler: there the script builds nothing, and
// npm start fails if there is no build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

if (!hasTool('@bufbuild/buf') || !hasTool('@swc/core')) {
  if (existsSync(join(root, 'app/dist/main.js'))) process.exit(0);
  const missing =
    'nothing was compiled: the development tools are not installed (copy the dist folders, or run npm ci without --omit=dev)';
  // Only npm start fails here. A container image may run npm ci before the dist folders are copied.
  if (process.env.npm_lifecycle_event === 'prestart') {
    console.error(missing);
    process.exit(1);
  }
  print(missing);
  process.exit(0);
}

const buf = '@bufbuild/buf/bin/buf';
const descriptorModule = join(root, 'proto/gen/descriptor-set.ts');
const started = Date.now();
if (isGenerationDue()) {
  rmSync(join(root, 'proto/gen'), { recursive: true, force: true });
  mkdirSync(join(root, 'proto/gen'));
  run(buf, ['generate'], join(root, 'proto'));
  const descriptors = buildDescriptorSet();
  await writeRepeatableMethods(descriptors);
  // Last: its module says that the generation is complete.
  writeDescriptorSet(descriptors);
}
if (areOperationsDue())
  run('tsx/dist/cli.mjs', ['--conditions=shelfwise-source', 'mcp/scripts/write-operations.ts'], root);
if (!args.includes('--generate-only')) {
  const { compile } = await import('./compile.mjs');
  const { bundlePages } = await import('../dashboard/scripts/bundle.mjs');
  await Promise.all([compile(root), bundlePages()]);
}
print(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);

/** Whether a .proto file or the generator's configuration is newer than the oldest generated file. */
function isGenerationDue() {
  const modifiedTimes = (dir, ending) =>
    existsSync(dir)
      ? readdirSync(dir, { recursive: true })
          .filter((file) => file.endsWith(ending))
          .map((file) => statSync(join(dir, file)).mtimeMs)
      : [];
  const generated = modifiedTimes(join(root, 'proto/gen'), '.ts');
  const contracts = [
    ...modifiedTimes(join(root, 'proto/shelfwise'), '.proto'),
    ...modifiedTimes(join(root, 'proto/grpc'), '.proto'),
    statSync(join(root, 'proto/buf.gen.yaml')).mtimeMs,
  ];
  return !existsSync(descriptorModule) || Math.max(...contracts) > Math.min(...generated);
}

/** Whether the endpoints as the assistant server knows them (mcp/src/gen) are older than those of the gateway. */
function areOperationsDue() {
  const operations = join(root, 'mcp/src/gen/operations.ts');
  const newest = ['gateway/src', 'facts/src', 'mcp/scripts']
    .flatMap((dir) => readdirSync(join(root, dir), { recursive: true }).map((file) => join(root, dir, file)))
    .map((file) => statSync(file).mtimeMs);
  return !existsSync(operations) || Math.max(...newest) > statSync(operations).mtimeMs;
}

function buildDescriptorSet() {
  const bufArgs = ['build', '--as-file-descriptor-set', '--exclude-source-info', '-o', '-'];
  return run(buf, bufArgs, join(root, 'proto'), 'pipe');
}

/** Writes all contracts as a module, because a module needs no path at run time and ships with the compiled code. */
function writeDescriptorSet(bytes) {
  const doc = '/** A google.protobuf.FileDescriptorSet of all contracts and what they import, in base64. */';
  writeFileSync(descriptorModule, `${doc}\nexport const descriptorSet = '${bytes.toString('base64')}';\n`);
}

/** Writes the paths of the RPCs that a client may send again, as their option `idempotency_level` says. */
async function writeRepeatableMethods(bytes) {
  const { fromBinary } = await import('@bufbuild/protobuf');
  const { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel: level } = await import(
    '@bufbuild/protobuf/wkt'
  );
  const paths = fromBinary(FileDescriptorSetSchema, bytes).file.flatMap((file) =>
    file.service.flatMap(({ name, method }) =>
      method
        .filter(({ options }) => (options?.idempotencyLevel ?? 0) !== level.IDEMPOTENCY_UNKNOWN)
        .map((rpc) => `/${file.package}.${name}/${rpc.name}`),
    ),
  );
  const doc = '/** The paths of the RPCs with an idempotency_level: sending them again is harmless. */';
  const list = paths.map((path) => `  '${path}',\n`).join('');
  const code = `${doc}\nexport const repeatableMethods: ReadonlySet<string> = new Set([\n${list}]);\n`;
  writeFileSync(join(root, 'proto/gen/repeatable-methods.ts'), code);
}

/** Runs a tool and returns what it printed if `stdout` is `pipe`. Exits with the status of a tool that fails. */
function run(script, scriptArgs, cwd, stdout = 'inherit') {
  const scriptPath = join(root, 'node_modules', script);
  const options = { cwd, stdio: ['inherit', stdout, 'inherit'] };
  const result = spawnSync(process.execPath, [scriptPath, ...scriptArgs], options);
  if (result.status !== 0) process.exit(result.status ?? 1);
  return result.stdout;
}
