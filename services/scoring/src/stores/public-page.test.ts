import { scoringVersion } from '../domain/scoring-version.ts';
import { publicPageAfter } from './public-page.ts';
import { toRanking } from './term.ts';

const score = {
  scoring_version: scoringVersion,
  scored_at: new Date('2026-03-10T09:00:00Z'),
  traffic: 40,
  difficulty: 30,
  search_status: 'searched' as const,
  difficulty_parts: null,
  traffic_parts: null,
  is_partial: false,
  brand: null,
  suspected_brand: null,
  results: 40,
  genres: null,
};
const ids = Array.from({ length: 40 }, (_, at) => `app ${at}`);
const pageAt = (time: string, appIds = ids) => {
  const readAt = new Date(time);
  return toRanking({ day: time.slice(0, 10), read_at: readAt, source: 'sample' }, appIds);
};
const until = new Date('2026-04-30T00:00:00Z');

/** The public page of a term that is public, after one was read at a time. */
function shownAfter(time: string, appIds = ids, changes = {}) {
  const shown = publicPageAfter(
    { public_until: until },
    { ranking: pageAt(time, appIds), score: { ...score, ...changes } },
    new Date(time),
  );
  if (!shown) throw new Error('no page is shown');
  return { public_until: until, public_page: shown };
}

const after = (
  term: Parameters<typeof publicPageAfter>[0],
  time: string,
  { appIds = ids, readAt = time, changes = {} } = {},
) =>
  publicPageAfter(term, { ranking: pageAt(readAt, appIds), score: { ...score, ...changes } }, new Date(time));

const noon = '2026-03-10T12:00:00Z';

test('it is the first 30 of the first page that is read while the term is public', () => {
  const { public_page: shown } = shownAfter(noon);
  expect(shown).toMatchObject({ day: '2026-03-10', first_ids: ids.slice(0, 30), shown_at: new Date(noon) });
  expect(shown.packed_ids.startsWith('30\napp 0\n')).toBe(true);
  expect(Object.keys(shown.score)).not.toContain('traffic_parts');
  expect(after({}, noon)).toBeNull();
  expect(after({ public_until: new Date(noon) }, noon)).toBeNull();
  // Read on the day before, when it was not public.
  expect(after({ public_until: until }, noon, { readAt: '2026-03-09T12:00:00Z' })).toBeNull();
});

test('it is replaced after a week, by a page of that day, and the time of day stays', () => {
  const term = shownAfter(noon);
  for (const time of ['2026-03-10T13:00:00Z', '2026-03-13T12:00:00Z', '2026-03-17T11:59:59Z'])
    expect([time, after(term, time, { appIds: ['new'] })]).toEqual([time, null]);
  expect(after(term, '2026-03-17T12:00:05Z', { readAt: '2026-03-16T23:00:00Z' })).toBeNull();
  expect(after(term, '2026-03-17T15:00:00Z', { readAt: '2026-03-17T03:00:00Z' })).toMatchObject({
    day: '2026-03-17',
    read_at: new Date('2026-03-17T03:00:00Z'),
    shown_at: new Date('2026-03-17T12:00:00Z'),
  });
  // The store could not be read for two days.
  expect(after(term, '2026-03-19T15:00:00Z')?.shown_at).toEqual(new Date('2026-03-19T15:00:00Z'));
});

test('scores that are not complete are completed by the same page alone', () => {
  const term = shownAfter(noon, ids, { is_partial: true });
  const later = '2026-03-11T08:00:00Z';
  const completed = after(term, later, { readAt: noon, changes: { traffic: 50 } });
  expect(completed).toMatchObject({ shown_at: new Date(noon), score: { traffic: 50, is_partial: false } });
  expect(completed?.due_at).toBeUndefined();
  expect(after(term, later)).toBeNull();
  expect(after(term, '2026-03-10T13:00:00Z')).toBeNull();
  expect(after(shownAfter(noon), later, { readAt: noon, changes: { traffic: 50 } })).toBeNull();
});

test('while scores are not complete the next page comes after a day, then after two, four and always seven', () => {
  const changes = { is_partial: true };
  let term = shownAfter(noon, ids, changes);
  const days: number[] = [];
  for (let day = 11; day <= 31; day += 1) {
    const page = after(term, `2026-03-${day}T12:00:00Z`, { changes });
    if (!page) continue;
    days.push(day);
    term = { public_until: until, public_page: page };
  }
  expect(days).toEqual([11, 13, 17, 24, 31]);
  const complete = after(term, '2026-04-07T12:00:00Z');
  expect([complete?.day, complete?.due_at]).toEqual(['2026-04-07', undefined]);
  // It was read late: the time of day stays.
  const late = after(shownAfter(noon, ids, changes), '2026-03-12T11:00:00Z', { changes });
  expect([late?.shown_at, late?.due_at]).toEqual([
    new Date('2026-03-11T12:00:00Z'),
    new Date('2026-03-14T12:00:00Z'),
  ]);
});

test('an empty page is disproved on its day', () => {
  const term = shownAfter(noon, []);
  expect(after(term, '2026-03-10T13:00:00Z', { appIds: [] })).toBeNull();
  expect(after(term, '2026-03-10T13:00:00Z')?.first_ids).toHaveLength(30);
  expect(after(term, '2026-03-11T13:00:00Z')).toBeNull();
});
