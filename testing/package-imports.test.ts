import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** What the sources of a workspace import by name from installed packages, except types. */
function namedImports(workspace: string): { name: string; from: string }[] {
  return readSources(workspace).flatMap(({ text }) =>
    [...text.matchAll(packageImport)].flatMap(([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/ as .*/, ''))
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ name, from })),
    ),
  );
}

// jest and tsx find every name of a CommonJS package, Node.js only some: the built program would not start.
test.each(['runtime', 'embedded', 'gateway', 'app', ...services])(
  'Node.js finds every name that %s imports',
  (workspace) => {
    const imports = namedImports(workspace);
    expect(imports).not.toEqual([]);
    const program = imports.map(
      ({ name, from }, index) => `import { ${name} as name${index} } from '${from}';`,
    );
    execFileSync(process.execPath, ['--input-type=module', '--eval', program.join('\n')], {
      cwd: join(root, workspace),
      stdio: 'pipe',
    });
  },
);

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
