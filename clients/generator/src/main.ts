import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadDocument } from './load-document.ts';
import type { Schema } from './openapi-types.ts';
import { toPythonSchemas, writePython } from './write-python.ts';
import { writeTypeScript } from './write-typescript.ts';

const usage = `Usage: npm run clients:generate -- [--check] [--only typescript|python]

Writes the generated part of the clients from the OpenAPI document of this version: the endpoints, and their types with
openapi-typescript and datamodel-code-generator, which are installed into a temporary folder at the versions that clients/generator
names. Then checks the types of the client in Python. That needs Python 3.10 or later with venv, and a package index.

  --check  writes nothing; shows the difference and exits with 1 when there is one
  --only   this client alone
  --help   print this help

Exit code 3: everything else is right, and the client in Python was skipped, because this machine lacks what it needs.`;

const clients = fileURLToPath(new URL('../..', import.meta.url));
const generator = join(clients, 'generator');
const work = mkdtempSync(join(tmpdir(), 'shelfwise-clients-'));
const environment = join(work, 'venv');
const pythonOfVenv = join(environment, 'bin', 'python');
process.once('exit', () => rmSync(work, { recursive: true, force: true }));

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help || (values.only !== undefined && !['typescript', 'python'].includes(values.only))) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
process.exitCode = generate();

/** Returns the exit code. */
function generate(): number {
  const { operations, fingerprint, ...prepared } = loadDocument();
  const written = new Map<string, string>();
  let missing: string | null = null;
  if (values.only !== 'python') {
    written.set('typescript/src/generated/operations.ts', writeTypeScript(operations, fingerprint));
    written.set('typescript/src/generated/schemas.ts', runOpenApiTypeScript(prepared.schemas));
  }
  if (values.only !== 'typescript') {
    missing = installPython();
    if (missing === null) {
      const types = runDatamodelCodeGenerator(toPythonSchemas({ operations, ...prepared }));
      written.set('python/src/shelfwise/generated/operations.py', writePython(operations, fingerprint));
      written.set('python/src/shelfwise/generated/schemas.py', types);
    }
  }
  const changed = [...written].filter(([file, text]) => readFile(file) !== text);
  for (const [file, text] of changed) {
    if (values.check) showDifference(file, text);
    else writeFile(join(clients, file), text);
  }
  for (const [file, text] of written)
    console.log(`clients/${file}: ${Math.round(Buffer.byteLength(text) / 1024)} KB`);
  if (missing !== null) console.log(`skipped: the client in Python, because ${missing}`);
  if (values.check && changed.length > 0) {
    console.error(
      'The generated part of the clients is not that of the OpenAPI document: npm run clients:generate',
    );
    return 1;
  }
  if (written.has('python/src/shelfwise/generated/schemas.py') && !checkPythonTypes()) return 1;
  return missing === null ? 0 : 3;
}

/** The types alone: the generators need no endpoints. */
function writeInput(name: string, schemas: Record<string, Schema>): string {
  const file = join(work, name);
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shelfwise API', version: '1.0.0' },
    paths: {},
    components: { schemas },
  };
  writeFileSync(file, JSON.stringify(document, null, 2));
  return file;
}

function runOpenApiTypeScript(schemas: Record<string, Schema>): string {
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(generator, file), join(work, file));
  run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--silent']);
  const output = join(work, 'schemas.ts');
  run(process.execPath, [
    join(work, 'node_modules/openapi-typescript/bin/cli.js'),
    writeInput('typescript.json', schemas),
    '--output',
    output,
    '--root-types',
    '--root-types-no-schema-prefix',
    // Names stay those of the document's parts, which operations.ts uses: no Itunes becomes ITunes.
    '--root-types-keep-casing',
  ]);
  return readFileSync(output, 'utf8');
}

/**
 * Installs the generator into an environment of its own. Returns what this machine lacks for it; null: nothing.
 * @throws Error when there is a package index, and it does not have what is asked
 */
function installPython(): string | null {
  if (!attempt('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']))
    return 'python3 is missing or older than 3.10';
  if (!attempt('python3', ['-m', 'venv', environment])) return 'python3 has no venv';
  const pip = (...args: string[]) =>
    attempt(pythonOfVenv, ['-m', 'pip', '--quiet', '--disable-pip-version-check', ...args]);
  // Every package at its exact version, and no other.
  if (pip('install', '--no-deps', '-r', join(generator, 'requirements.txt'))) return null;
  if (!pip('download', '--no-deps', '--dest', work, 'pip')) return 'there is no package index';
  throw new Error('the packages of clients/generator/requirements.txt cannot be installed');
}

function runDatamodelCodeGenerator(schemas: Record<string, Schema>): string {
  const output = join(work, 'schemas.py');
  run(pythonOfVenv, [
    '-m',
    'datamodel_code_generator',
    ...['--input', writeInput('python.json', schemas), '--input-file-type', 'openapi'],
    ...['--output', output, '--output-model-type', 'typing.TypedDict'],
    ...['--target-python-version', '3.11', '--enum-field-as-literal', 'all'],
    '--use-standard-collections',
    '--use-union-operator',
    '--use-schema-description',
    '--disable-timestamp',
    ...[
      '--custom-file-header',
      '# Written by `npm run clients:generate` from the OpenAPI document. Do not change it here.',
    ],
  ]);
  return readFileSync(output, 'utf8');
}

/** Of the whole client, in the environment of its generator. */
function checkPythonTypes(): boolean {
  const args = ['-m', 'mypy', '--cache-dir', join(work, 'mypy')];
  return spawnSync(pythonOfVenv, args, { cwd: join(clients, 'python'), stdio: 'inherit' }).status === 0;
}

/** @throws Error when the command fails */
function run(command: string, args: readonly string[]): void {
  if (!attempt(command, args)) throw new Error(`${command} ${args.slice(0, 3).join(' ')} failed`);
}

function attempt(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

function readFile(file: string): string | null {
  const path = join(clients, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** From what is committed to what the document gives. */
function showDifference(file: string, text: string): void {
  const made = join(work, 'made', file);
  writeFile(made, text);
  spawnSync('git', ['--no-pager', 'diff', '--no-index', '--', join(clients, file), made], {
    stdio: 'inherit',
  });
}
