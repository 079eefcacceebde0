import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exampleFile } from '../src/openapi/recorded-examples.ts';
import { routes } from '../src/routes/index.ts';

const names = routes.map(({ operationId }) => basename(exampleFile(operationId), '.json'));

test('every route file is an endpoint of routes/index.ts, named by its operationId', () => {
  const files = readdirSync(join(import.meta.dirname, '../src/routes')).filter((file) =>
    file.endsWith('.ts'),
  );
  const expected = [...names.map((name) => `${name}.ts`), 'index.ts'];
  expect(files.sort()).toEqual(expected.sort());
});

test.each(names)('%s has a test of its own in gateway/test/', (name) => {
  expect([name, existsSync(join(import.meta.dirname, `${name}.test.ts`))]).toEqual([name, true]);
});

test.each(routes)('$operationId takes places of all services that its handler can call', (route) => {
  const name = basename(exampleFile(route.operationId), '.json');
  const text = readFileSync(join(import.meta.dirname, `../src/routes/${name}.ts`), 'utf8');
  const callable = [...text.matchAll(/Clients\['(\w+)'\]/g)].map(([, client]) => toServiceName(client ?? ''));
  expect([...new Set(callable)].sort()).toEqual([...route.services].sort());
});

/** The names of clients are written in camelCase, those of services with hyphens. */
function toServiceName(client: string): string {
  return client.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
