import { existsSync, readdirSync } from 'node:fs';
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
