import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocumentCheck } from '../../gateway/test/harness/check-documented.ts';
import { type Api, createApi } from '../../testing/system/api.ts';
import { type SystemProcess, startSystemProcess } from '../../testing/system/system-process.ts';
import { storefront } from './use-systems.ts';

// The start takes seconds on a busy machine, and one call analyzes a niche.
jest.setTimeout(120_000);

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever comes
type Json = any;

const query = new URLSearchParams(storefront);

/** One call per endpoint, in an order in which each call finds its data. Bodies are the documented examples. */
const calls: readonly (readonly [operationId: string, path: string])[] = [
  ['trackApplication', '/applications'],
  ['trackKeywords', '/keywords'],
  ['setKeywordFavorite', '/keywords/1/apps/1/favorite'],
  ['listKeywords', '/keywords?page=1'],
  ['getRankHistory', '/keywords/1/ranks/history'],
  ['getAsoHealth', '/applications/1/aso-health'],
  ['checkMetadata', '/metadata/check'],
  ['simulateMetadata', '/metadata/simulate'],
  ['listSimulations', '/metadata/simulate/history'],
  ['getSimulation', '/metadata/simulate/history/1'],
  ['inspectKeyword', `/keywords/inspect?keyword=habit+tracker&${query}`],
  ['listInspections', '/keywords/inspect/history'],
  ['trackCompetitor', '/competitors'],
  ['listCompetitors', '/competitors'],
  ['untrackCompetitor', '/competitors/1'],
  ['runAutocomplete', `/autocomplete?prefix=habit&${query}`],
  ['listAutocompletes', '/autocomplete/history'],
  ['analyzeNiche', `/niches?topic=habit+tracker&${query}`],
  ['listNiches', '/niches/history'],
  ['getTopChart', '/top-charts?store=ITUNES&country=US'],
  ['listChartCategories', '/top-charts/categories'],
  ['getScoreHistory', '/applications/1/scores/history'],
  ['listApplications', '/applications'],
  ['getAccountUsage', '/account/usage'],
  ['untrackKeyword', '/keywords/2/apps/1'],
  ['untrackApplication', '/applications/1'],
];

let dataDir: string;
let system: SystemProcess;
let api: Api;
let document: Json;
let check: ReturnType<typeof createDocumentCheck>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sw-'));
  system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir });
  api = createApi(system.url, system.key ?? '');
  document = await (await fetch(`${system.url}/api/v1/openapi.json`)).json();
  check = createDocumentCheck(document);
});
afterAll(async () => {
  await system?.end('SIGINT');
  rmSync(dataDir, { recursive: true, force: true });
});

function operations(): { operationId: string; method: string; operation: Json }[] {
  return Object.values<Json>(document.paths).flatMap((methods) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase(),
      operation,
    })),
  );
}

function documented(operationId: string) {
  const found = operations().find((entry) => entry.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not documented`);
  return found;
}

/**
 * Waits until the first scores and the audit are there, seconds after the keywords are tracked. Later calls show
 * them.
 */
async function waitForScores(): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt++) {
    const { body } = await api('GET', '/keywords');
    const isScored = body.data.every(
      (row: Json) => row.traffic_score !== null && row.difficulty_score !== null,
    );
    const [app] = (await api('GET', '/applications')).body.data;
    if (isScored && app.aso_health !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error('the keywords have no scores after 30 seconds');
}

test('this list calls every documented endpoint', () => {
  const documented = operations().map(({ operationId }) => operationId);
  expect(calls.map(([operationId]) => operationId).sort()).toEqual(documented.sort());
});

test.each(calls)('%s answers in the shape of its documented example', async (operationId, path) => {
  const { method, operation } = documented(operationId);
  const body = operation.requestBody?.content['application/json'].example;
  const { value: example } = operation.responses[200].content['application/json'].examples.sample;

  const answer = await api(method, path, body);
  expect([operationId, answer.status, answer.body.error]).toEqual([operationId, 200, undefined]);
  check(method, `/api/v1${path}`, 200, answer.body);
  expect(differences(example, answer.body, '')).toEqual([]);
  if (operationId === 'trackKeywords') await waitForScores();
});

test('the terminal shows the progress of a niche analysis in at most five lines, and no other call', () => {
  const lines = system.output().match(/^\{.*"level":30.*$/gm) ?? [];
  const progress = lines.map((line) => JSON.parse(line));
  expect(progress.map(({ phase, msg }) => phase ?? msg)).toEqual(
    expect.arrayContaining(['candidates', 'clusters', 'niche analysis stored']),
  );
  expect(progress.every(({ topic }) => topic === 'habit tracker')).toBe(true);
  expect(progress.length).toBeLessThanOrEqual(5);
});

/** Rejected calls. `changes` replaces fields of the documented body. */
const refused: [operationId: string, path: string, code: string, changes?: object][] = [
  ['trackApplication', '/applications', 'DUPLICATE'],
  ['trackCompetitor', '/competitors', 'DUPLICATE'],
  ['trackCompetitor', '/competitors', 'SELF_COMPETITOR', { competitor_app_id: '9005997251' }],
  ['trackCompetitor', '/competitors', 'COMPETITOR_NOT_FOUND', { competitor_app_id: '1' }],
  ['trackCompetitor', '/competitors', 'APP_NOT_FOUND', { app_id: 999 }],
  ['untrackCompetitor', '/competitors/999', 'NOT_FOUND'],
  ['listCompetitors', '/competitors?app_id=999', 'APP_NOT_FOUND'],
  ['trackKeywords', '/keywords', 'APP_NOT_FOUND', { app_id: 999 }],
  ['listKeywords', '/keywords?app_id=999', 'APP_NOT_FOUND'],
  ['untrackKeyword', '/keywords/999/apps/1', 'NOT_FOUND'],
  ['setKeywordFavorite', '/keywords/999/apps/1/favorite', 'NOT_FOUND'],
  ['setKeywordFavorite', '/keywords/1/apps/999/favorite', 'NOT_FOUND'],
  ['getRankHistory', '/keywords/999/ranks/history', 'NOT_FOUND'],
  ['getRankHistory', '/keywords/1/ranks/history?app_id=999', 'APP_NOT_FOUND'],
  ['listApplications', '/applications?app_id=999', 'APP_NOT_FOUND'],
  ['untrackApplication', '/applications/999', 'APP_NOT_FOUND'],
  ['getAsoHealth', '/applications/999/aso-health', 'APP_NOT_FOUND'],
  ['getScoreHistory', '/applications/999/scores/history', 'APP_NOT_FOUND'],
  ['simulateMetadata', '/metadata/simulate', 'APP_NOT_FOUND', { app_id: 999 }],
  ['getSimulation', '/metadata/simulate/history/999', 'NOT_FOUND'],
];

describe('rejected calls', () => {
  beforeAll(async () => {
    for (const operationId of ['trackApplication', 'trackCompetitor'] as const) {
      const { operation } = documented(operationId);
      const path = operationId === 'trackApplication' ? '/applications' : '/competitors';
      const { status } = await api('POST', path, operation.requestBody.content['application/json'].example);
      expect([operationId, status]).toEqual([operationId, 200]);
    }
  });

  test.each(refused)('%s %s: %s equals its documented example', async (...call) => {
    const [id, path, code, changes] = call;
    const { method, operation } = documented(id);
    const body = operation.requestBody && {
      ...operation.requestBody.content['application/json'].example,
      ...changes,
    };
    const answer = await api(method, path, body);
    const shown = operation.responses[answer.status]?.content['application/json'].examples[code];
    expect(answer.body).toEqual(shown?.value);
  });
});

test('finds differences in shape from an example', () => {
  const example = { a: [{ b: 1, c: null }], d: 'x', evidence: { length: 1 } };
  expect(differences(example, { a: [{ b: 2, c: 'y' }], d: 'z', evidence: { limit: 2 } }, '')).toEqual([]);
  expect(differences(example, { a: [{ b: 2, c: 1, e: 1 }], d: 'z', evidence: null }, '')).toEqual([
    '.a[].e is in no example',
  ]);
  expect(differences(example, { a: [{ b: '2', c: 1 }], d: 4, evidence: {} }, '')).toEqual([
    '.a[].b is a string, in the example a number',
    '.d is a number, in the example a string',
  ]);
  expect(differences(example, { a: [], d: [] }, '')).toEqual([
    '.d is a list, in the example a string',
    '.evidence is only in the example',
  ]);
});

/**
 * The paths at which keys or types of the answer differ from the example. Nulls are skipped: the schema covers them.
 */
function differences(example: Json, answer: Json, path: string): string[] {
  if (example === null || answer === null) return [];
  const [shown, found] = [typeOf(example), typeOf(answer)];
  if (shown !== found) return [`${path} is a ${found}, in the example a ${shown}`];
  if (shown === 'list') return listDifferences(example, answer, `${path}[]`);
  if (shown !== 'object' || hasVariableKeys.test(path)) return [];
  return keysOf([example, answer]).flatMap((key) => {
    if (!(key in example)) return [`${path}.${key} is in no example`];
    if (!(key in answer)) return [`${path}.${key} is only in the example`];
    return differences(example[key], answer[key], `${path}.${key}`);
  });
}

/** The keys of evidence depend on the flag. */
const hasVariableKeys = /\.evidence$/;

/** The items of a list may be of different kinds, so the lists are compared by the union of the keys of their items. */
function listDifferences(example: Json[], answer: Json[], path: string): string[] {
  if (example.length === 0 || answer.length === 0) return [];
  return differences(merged(example), merged(answer), path);
}

function merged(items: Json[]): Json {
  const known = items.filter((item) => item !== null);
  if (known.length === 0 || known.some((item) => typeOf(item) !== 'object')) return known[0] ?? null;
  return Object.fromEntries(
    keysOf(known).map((key) => [key, known.map((item) => item[key]).find((value) => value != null) ?? null]),
  );
}

function keysOf(objects: Json[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))];
}

function typeOf(value: Json): string {
  return Array.isArray(value) ? 'list' : typeof value;
}
