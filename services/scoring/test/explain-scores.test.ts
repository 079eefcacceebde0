import { createLogger } from '@shelfwise/runtime/log/logger';
import { callWithin } from '../../../testing/call-within.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { explainScores } from '../src/handlers/explain-scores.ts';
import { createMeasuringHarness, today, us } from './start-measuring.ts';

const start = createMeasuringHarness();
const log = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
const call = () => ({ ...callWithin(), signal: new AbortController().signal, log });
const request = { storefront: us, keyword: 'Photo  Editor' };

test('the scores of a keyword come with their parts, inputs, ages and sources', async () => {
  const { measurer, store, terms } = await start();
  store.suggestions.terms = ['photo editor'];
  const { term } = await measurer.measure(us, 'photo editor', today, callWithin());
  store.forgetCalls();
  const { breakdown } = await explainScores({ terms, measurer }, request, call());
  expect(breakdown).toMatchObject({
    storefront: us,
    keyword: 'photo editor',
    scoring_version: scoringVersion,
    search_status: term.score?.search_status,
    difficulty: term.score?.difficulty,
    traffic: term.score?.traffic,
    scored_at: term.score?.scored_at,
  });
  expect(breakdown?.difficulty_components.map(({ name }) => name)).toEqual(['A', 'T', 'S', 'Q', 'F']);
  expect(breakdown?.traffic_components.map(({ name }) => name)).toEqual(['suggest', 'L', 'X', 'D', 'M', 'C']);
  expect(breakdown?.inputs).toMatchObject([
    { source: 'sample', read_at: term.reading.page?.read_at },
    {},
    {},
    {},
  ]);
  expect([breakdown?.apps.length, store.count()]).toEqual([10, 0]);
});

test('a keyword without scores is measured first', async () => {
  const { measurer, terms, store, termOf } = await start();
  const { breakdown } = await explainScores({ terms, measurer }, request, call());
  expect(store.count('searchApps')).toBe(1);
  expect(breakdown?.difficulty).toBe((await termOf('photo editor')).score?.difficulty);
});

test('a keyword whose page cannot be read is explained as far as it is known, and refused when nothing is known', async () => {
  const { measurer, terms, store } = await start();
  store.fail('searchApps');
  store.fail('suggestTerms');
  await expect(explainScores({ terms, measurer }, request, call())).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
  });
  store.recover('suggestTerms');
  store.suggestions.terms = ['photo editor'];
  await expect(measurer.measure(us, 'photo editor', today, callWithin())).rejects.toThrow();
  const { breakdown } = await explainScores({ terms, measurer }, request, call());
  expect(breakdown).toMatchObject({ search_status: 'ungraded', difficulty: null, apps: [] });
});

test.each([
  ['no storefront', { ...request, storefront: null }],
  ['an unknown country', { ...request, storefront: { ...us, country: 'XX' } }],
  ['no keyword', { ...request, keyword: '' }],
  ['a keyword of one character', { ...request, keyword: 'x' }],
])('%s is refused', async (_, wrong) => {
  const { measurer, terms, store } = await start();
  await expect(explainScores({ terms, measurer }, wrong, call())).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  });
  expect(store.count()).toBe(0);
});
