import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string) => readFileSync(join(__dirname, '..', file), 'utf8');
const exact = /^\d+\.\d+\.\d+$/;

// Other versions would write other types, and CI would find a difference that no change has made.
test('the generator of TypeScript has one version, and so has all that it needs', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  for (const version of Object.values(dependencies)) expect(version).toMatch(exact);
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version?: string; integrity?: string; dependencies?: Record<string, string> }>;
  };
  expect(packages['']?.dependencies).toEqual(dependencies);
  for (const [name, version] of Object.entries(dependencies))
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.filter(([, { integrity }]) => !integrity)).toEqual([]);
});

test('the generator of Python has one version, and so has all that it needs', () => {
  const lines = read('requirements.txt').trim().split('\n');
  for (const line of lines) expect(line).toMatch(/^[\w.-]+==\d[\w.]*$/);
  const names = lines.map((line) => line.replace(/==.*/, ''));
  // pip installs them without looking for what they need: that is in the list, too.
  expect(names).toEqual(expect.arrayContaining(['datamodel-code-generator', 'mypy', 'pydantic']));
});
