import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exampleFile } from '../src/openapi/recorded-examples.ts';
import { routes } from '../src/routes/index.ts';

const nameOf = (operationId: string) => basename(exampleFile(operationId), '.json');

const folder = join(import.meta.dirname, '../src/routes');
/** The text of the route files, and the endpoints in them. */
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
  .map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const endpoints = [...text.matchAll(/operationId: '(\w+)'/g)].map(([, operationId = '']) => operationId);
    return { name: basename(file, '.ts'), text, endpoints };
  });

test('every endpoint of a route file is in routes/index.ts', () => {
  const listed = routes.map(({ operationId }) => operationId);
  expect(files.flatMap(({ endpoints }) => endpoints).sort()).toEqual(listed.sort());
});

test.each(files)('$name.ts is named by its endpoint, or all of its endpoints end with that name', (file) => {
  const { name, endpoints } = file;
  expect(endpoints).not.toEqual([]);
  const expected = endpoints.length === 1 ? name : expect.stringMatching(`-${name}$`);
  expect(endpoints.map(nameOf)).toEqual(endpoints.map(() => expected));
});

test.each(files)('$name.ts has a test of its own in gateway/test/', ({ name }) => {
  expect([name, existsSync(join(import.meta.dirname, `${name}.test.ts`))]).toEqual([name, true]);
});

test.each(routes)('$operationId takes slots of all services that its handler can call', (route) => {
  const { text = '' } = files.find(({ endpoints }) => endpoints.includes(route.operationId)) ?? {};
  const callable = [...text.matchAll(/Clients\['(\w+)'\]/g)].map(([, client]) => toServiceName(client ?? ''));
  expect([...new Set(callable)].sort()).toEqual([...route.services].sort());
});

/** The names of clients are written in camelCase, those of services with hyphens. */
function toServiceName(client: string): string {
  return client.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
