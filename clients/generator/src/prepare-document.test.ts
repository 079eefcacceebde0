import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations as committed, fingerprint } from '../../typescript/src/generated/operations.ts';
import { loadDocument } from './load-document.ts';
import type { OpenApiDocument, Schema } from './openapi-types.ts';
import { prepareDocument } from './prepare-document.ts';
import { toPythonSchemas, writePython } from './write-python.ts';
import { writeTypeScript } from './write-typescript.ts';

const { operations, schemas, fingerprint: current } = loadDocument();
const find = (id: string) => operations.find((one) => one.id === id);
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

// The types need tools that are not installed here: .ci compares them. This finds a change of the document at once, for the client in
// Python also where there is no Python.
test('the committed clients are those of the document: otherwise npm run clients:generate', () => {
  expect(Object.keys(committed)).toEqual(operations.map(({ id }) => id));
  expect(fingerprint).toBe(current);
  const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');
  expect(read('typescript/src/generated/operations.ts')).toBe(writeTypeScript(operations, current));
  expect(read('python/src/shelfwise/generated/operations.py')).toBe(writePython(operations, current));
});

test('a list with pages has a type of its rows, wherever they are', () => {
  expect(find('listKeywords')?.rows).toEqual({ field: null, cursor: null });
  expect(schemas.ListKeywordsData).toMatchObject({ type: 'array', items: ref('ListKeywordsRow') });
  expect(find('listRankMatrix')?.rows).toEqual({ field: 'rows', cursor: null });
  expect(schemas.ListRankMatrixData?.properties?.rows?.items).toEqual(ref('ListRankMatrixRow'));
  expect(find('listRankHistories')?.rows).toEqual({ field: 'keywords', cursor: null });
  expect(find('listAlerts')?.rows).toEqual({ field: null, cursor: 'since' });
  expect(find('listApplications')?.rows).toBeNull();
  expect(schemas.ListApplicationsData).toMatchObject({ type: 'array', items: ref('ListApplicationsRow') });
});

test('every endpoint has types of what it takes and answers, and every type that is named is there', () => {
  for (const { id, parameters } of operations) {
    const name = id.replace(/^./, (letter) => letter.toUpperCase());
    expect([id, Boolean(schemas[`${name}Data`]), Boolean(schemas[`${name}Meta`])]).toEqual([id, true, true]);
    const fields = Object.keys(schemas[`${name}Input`]?.properties ?? {});
    expect([id, fields.toSorted()]).toEqual([id, Object.values(parameters).flat().toSorted()]);
  }
  const named = JSON.stringify(schemas).matchAll(/#\/components\/schemas\/(\w+)/g);
  expect([...named].map(([, name = '']) => name).filter((name) => !schemas[name])).toEqual([]);
});

test('what may be null or absent stays so', () => {
  const { properties = {}, required } = schemas.ListKeywordsRow ?? {};
  expect(JSON.stringify(properties.current_rank)).toContain('"null"');
  expect(properties.ahead?.anyOf).toEqual([ref('ListKeywordsRowAhead'), { type: 'null' }]);
  expect(required).toEqual(expect.arrayContaining(['current_rank', 'ahead', 'traffic_score']));
  const meta = schemas.ListKeywordsMeta;
  expect(meta?.required).toEqual(expect.arrayContaining(['total', 'has_more']));
  for (const name of ['page', 'snapshot_depths', 'warnings']) expect(meta?.required).not.toContain(name);
  expect(meta?.properties).toMatchObject({ page: {}, warnings: {} });
});

test('a write may be sent again only where the document says that this is safe', () => {
  const writes = operations.filter(({ method, isRepeatable }) => method !== 'GET' && isRepeatable);
  expect(writes.map(({ id }) => id).toSorted()).toEqual([
    'cancelJob',
    'deleteAlertChannel',
    'deleteAlertDigest',
    'deleteAlertRule',
    'deleteKeywordsField',
    'endShareLink',
    'removeNote',
    'setKeywordsField',
    'untrackApplication',
    'untrackCompetitor',
    'untrackKeyword',
    'updateAlertDigest',
    'updateAlertRule',
  ]);
  expect(operations.filter(({ method, isRepeatable }) => method === 'GET' && !isRepeatable)).toEqual([]);
});

test('CSV is left out', () => {
  for (const { parameters } of operations) expect(parameters.query).not.toContain('bom');
});

test('Python calls from from_, and in answers it stays from', () => {
  const python = toPythonSchemas({ operations, schemas });
  expect(python.GetRankHistoryInput?.properties).toMatchObject({ from_: {}, to: {} });
  expect(python.GetRankHistoryMeta?.properties).toMatchObject({ from: {}, to: {} });
  expect(writePython(operations, 'x')).toContain(
    'def get_rank_history(self, **sent: Unpack[schemas.GetRankHistoryInput]) -> Answer[schemas.GetRankHistoryData, schemas.GetRankHistoryMeta]:',
  );
});

test('what is written has each endpoint with its text, and never ends a comment early', () => {
  const [one] = operations;
  if (!one) throw new Error('there are no endpoints');
  const odd = { ...one, text: 'Ends a comment */ and """ a text\\n.' };
  expect(writeTypeScript([odd], 'x')).toContain('/** Ends a comment * / and """ a text\\n. */');
  expect(writePython([odd], 'x')).toContain(`"""Ends a comment */ and ''' a text\\\\n."""`);
});

test('two parameters of one name are refused', () => {
  const parameter = (location: 'path' | 'query') => ({
    name: 'id',
    in: location,
    required: true,
    schema: { type: 'integer' },
  });
  const document: OpenApiDocument = {
    info: { title: '', version: '' },
    paths: {
      '/x/{id}': {
        get: {
          operationId: 'getX',
          summary: '',
          description: '',
          'x-deadline-seconds': 5,
          parameters: [parameter('path'), parameter('query')],
          responses: { 200: { content: { 'application/json': { schema: {} } } } },
        },
      },
    },
    components: { schemas: { Error: { type: 'object', properties: { code: { type: 'string' } } } } },
  };
  expect(() => prepareDocument(document)).toThrow('getX has two parameters of one name');
});
