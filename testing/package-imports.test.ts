import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..');
const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
const packageImport = /^import \{([^}]*)\} from '((?!node:|\.|@shelfwise\/)[^']+)';/gm;

/** A module that is there at run time: no type. */
const importedName =
  /^(?:import|export) (?!type\b)(?:(?:\w+, )?(?:\w+|\* as \w+|\{[^}]*\}|\*) from )?'([^']+)'|\bimport\('([^']+)'/gm;

/** The files that are compiled: no tests. */
function readSources(workspace: string): { path: string; text: string }[] {
  return readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, workspace, 'src', path), 'utf8') }));
}

type NamedImport = { workspace: string; name: string; from: string };

/** What the sources of a workspace import by name from installed packages, except types. */
function namedImports(workspace: string): NamedImport[] {
  return readSources(workspace).flatMap(({ text }) =>
    [...text.matchAll(packageImport)].flatMap(([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/ as .*/, ''))
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ workspace, name, from })),
    ),
  );
}

const built = ['runtime', 'embedded', 'gateway', 'app', ...services];
const imports = built.flatMap(namedImports);
let notFound: NamedImport[];

/** Resolves names of packages as a module of the workspace does that is named before them. */
const hooks = `
  export const resolve = (specifier, context, next) => {
    const [workspace, from] = specifier.split(' ');
    return from === undefined
      ? next(specifier, context)
      : next(from, { ...context, parentURL: new URL(workspace + '/src/main.js', '${pathToFileURL(root)}/').href });
  };`;

/** One process for all workspaces: each takes half a second. */
beforeAll(() => {
  const program = `
    import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
    const notFound = [];
    for (const one of ${JSON.stringify(imports)}) {
      const found = await import(one.workspace + ' ' + one.from).catch(() => ({}));
      if (!(one.name in found)) notFound.push(one);
    }
    process.stdout.write(JSON.stringify(notFound), () => process.exit());`;
  const flags = ['--no-warnings', '--input-type=module', '--eval'];
  notFound = JSON.parse(execFileSync(process.execPath, [...flags, program], { cwd: root, encoding: 'utf8' }));
});

// jest and tsx find every name of a CommonJS package, Node.js only some: the built program would not start.
test.each(built)('Node.js finds every name that %s imports', (workspace) => {
  const isOfIt = (one: NamedImport) => one.workspace === workspace;
  expect(imports.filter(isOfIt)).not.toEqual([]);
  expect(notFound.filter(isOfIt)).toEqual([]);
});

// The compiler takes each file by itself, and every package of the repository is found from everywhere.
test.each([
  'facts',
  'runtime',
  'embedded',
  'gateway',
  'mcp',
  'cli',
  'app',
  'clients/typescript',
  ...services,
])('%s imports only its own sources and the packages that it names', (workspace) => {
  const description = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'));
  // These are shipped as one file with all that they import.
  const isBundled = ['mcp', 'cli'].includes(workspace);
  const named = isBundled ? description.devDependencies : description.dependencies;
  const sources = readSources(workspace);
  const own = new Set(sources.map(({ path }) => path));
  const others = sources.flatMap(({ path, text }) =>
    [...text.matchAll(importedName)]
      .map(([, name = '', later = '']) => name || later)
      .filter((name) => (name.startsWith('.') ? !own.has(join(dirname(path), name)) : !isNamed(name, named)))
      .map((name) => `${path}: ${name}`),
  );
  expect(others).toEqual([]);
});

function isNamed(name: string, dependencies: Readonly<Record<string, string>>): boolean {
  const [scopeOrName = '', ...rest] = name.split('/');
  const packageName = scopeOrName.startsWith('@') ? `${scopeOrName}/${rest[0]}` : scopeOrName;
  return name.startsWith('node:') || packageName in (dependencies ?? {});
}
