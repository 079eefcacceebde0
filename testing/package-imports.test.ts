import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
const packageImport = /^import \{([^}]*)\} from '((?!node:|\.|@shelfwise\/)[^']+)';/gm;

/** What the sources of a workspace import by name from installed packages, except types. */
function namedImports(workspace: string): { name: string; from: string }[] {
  const files = readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(root, workspace, 'src', path), 'utf8'));
  return files.flatMap((text) =>
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
