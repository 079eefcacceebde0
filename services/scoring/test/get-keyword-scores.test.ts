import type { GetKeywordScoresRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { callWithin } from '../../../testing/call-within.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { getKeywordScores } from '../src/handlers/get-keyword-scores.ts';
import { createScoreDayStore } from '../src/stores/score-day-store.ts';
import { fakeFoundApp } from './fake-store-fetch.ts';
import { createMeasuringHarness, today, us } from './start-measuring.ts';

const start = createMeasuringHarness();
const march = { from: '2026-03-01', to: '2026-03-31' };
const request = { storefront: us, keyword: 'Photo  Editor', ...march };

/** The scores of each day are saved as the service does it. */
async function startWithDays() {
  const measuring = await start();
  const scoreDays = createScoreDayStore(measuring.connection);
  measuring.dependent.onMeasured = (term) => scoreDays.save(term);
  const measure = () => measuring.measurer.measure(us, 'photo editor', today, callWithin());
  const explain = (changes: Partial<GetKeywordScoresRequest> = {}) =>
    getKeywordScores({ terms: measuring.terms, scoreDays }, { ...request, ...changes });
  return { ...measuring, scoreDays, measure, explain };
}

test('the parts of the scores come with one row per day on which the keyword was measured', async () => {
  const { store, clock, measure, explain } = await startWithDays();
  store.suggestions.terms = ['photo editor'];
  const { term: first } = await measure();
  clock.moveTo('2026-03-12T09:00:00Z');
  const { term } = await measure();

  const { breakdown, history } = await explain();
  expect(breakdown).toMatchObject({
    keyword: 'photo editor',
    scoring_version: scoringVersion,
    traffic: term.score?.traffic,
    is_partial: false,
    is_searched: true,
    rank_date: '2026-03-12',
  });
  expect(breakdown?.traffic_components.map(({ name }) => name)).toEqual(['suggest', 'L', 'X', 'D', 'M', 'C']);
  const dayOf = (date: string, score: typeof term.score) => ({
    date,
    difficulty: score?.difficulty,
    traffic: score?.traffic,
    kei: expect.any(Number),
    is_partial: false,
    scoring_version: scoringVersion,
  });
  expect(history).toEqual([dayOf('2026-03-10', first.score), dayOf('2026-03-12', term.score)]);
  expect((await explain({ from: '2026-03-11' })).history.map(({ date }) => date)).toEqual(['2026-03-12']);
});

test('related keywords are those of the titles of the kept page, with scores that are known, and read no store', async () => {
  const { store, terms, measurer, measure, explain } = await startWithDays();
  store.suggestions.terms = ['photo editor', 'photo collage'];
  const titles = ['Photo Editor: Collage', 'Photo Collage Maker', 'Photo Collage', 'Solitaire'];
  store.setPage(
    'photo editor',
    titles.map((title, index) => fakeFoundApp(String(index), { title })),
  );
  await measure();
  await measurer.measure(us, 'photo collage', today, callWithin());
  const asked = JSON.stringify(store.requests);
  const known = await terms.findScores(us, ['photo collage']);
  const { related } = await explain({ with_related: true });
  expect(related?.terms).toContainEqual({
    keyword: 'photo collage',
    traffic_score: known.get('photo collage')?.traffic,
    difficulty_score: known.get('photo collage')?.difficulty,
    scored_at: known.get('photo collage')?.scored_at,
  });
  expect(related?.terms.map(({ keyword }) => keyword)).not.toContain('solitaire');
  expect(JSON.stringify(store.requests)).toBe(asked);
  expect((await explain()).related).toBeNull();
});

test('without a kept page the related keywords are not known, instead of none', async () => {
  const { terms, measure, explain } = await startWithDays();
  await measure();
  await terms.model.updateOne({ keyword: 'photo editor' }, { $set: { 'reading.page': null } });
  expect((await explain({ with_related: true })).related).toBeNull();
});

test('a keyword about which nothing is known is not found', async () => {
  const { explain } = await startWithDays();
  await expect(explain()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('of several scores of a day the last one stays, in any order of arrival', async () => {
  const { terms, scoreDays, clock, measure, explain } = await startWithDays();
  await measure();
  const term = await terms.find(us, 'photo editor');
  if (!term?.score) throw new Error('not measured');
  const { score } = term;
  const at = (time: string, traffic: number) => ({
    ...term,
    score: { ...score, traffic, scored_at: new Date(time) },
  });
  const later = at('2026-03-11T20:00:00Z', 20);
  const earlier = at('2026-03-11T08:00:00Z', 10);
  await scoreDays.save(later);
  await scoreDays.save(earlier);
  await Promise.all([scoreDays.save(later), scoreDays.save(earlier)]);
  clock.moveTo('2026-03-12T09:00:00Z');
  expect((await explain({ from: '2026-03-11' })).history).toMatchObject([
    { date: '2026-03-11', traffic: 20 },
  ]);
});

test('a term without a known score has no row, and old rows are deleted', async () => {
  const { terms, scoreDays, measure, explain } = await startWithDays();
  await measure();
  const term = await terms.find(us, 'photo editor');
  if (!term?.score) throw new Error('not measured');
  const unknown = {
    ...term.score,
    difficulty: null,
    traffic: null,
    scored_at: new Date('2026-03-11T08:00:00Z'),
  };
  await scoreDays.save({ ...term, score: unknown });
  await scoreDays.save({ ...term, score: null });
  expect((await explain()).history.map(({ date }) => date)).toEqual(['2026-03-10']);
  await scoreDays.deleteBefore('2026-03-11');
  expect((await explain()).history).toEqual([]);
});

test.each([
  ['no storefront', { storefront: null as never }],
  ['an unknown country', { storefront: { ...us, country: 'XX' as 'US' } }],
  ['a keyword of one character', { keyword: 'x' }],
  ['a window that ends before it begins', { from: '2026-03-31', to: '2026-03-01' }],
])('%s is refused', async (_, wrong) => {
  const { explain } = await startWithDays();
  await expect(explain(wrong)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
