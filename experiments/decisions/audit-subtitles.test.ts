import { auditSubtitles } from './audit-subtitles.ts';
import type { Listing } from './choose-listings.ts';
import { ownDeveloperOf } from './developers.ts';
import { currentScoring } from './scoring-under-test.ts';
import { createSearch } from './search.ts';
import { createSuggest } from './suggest.ts';

const app = (id: number, title: string, ratings: number) => ({
  id,
  title,
  ratings,
  genre: 'Productivity',
  score: 4.5,
  description: 'Build good habits with the habit tracker.',
});
const streaks = app(2, 'Streaks: Habit Tracker', 9000);
const apps = [streaks, app(3, 'Habitly - Habit Tracker', 5000), app(4, 'Todoer - Task Planner', 90_000)];
const store = { search: createSearch(apps), suggest: createSuggest(apps), developerOf: ownDeveloperOf };
const listing: Listing = { app: streaks, brand: 'Streaks', tail: 'Habit Tracker' };
const none = { own: null, sameGenre: null, otherGenre: null, names: null };

test('a subtitle that is missing has no delta, an empty one changes nothing, and the same input gives the same', async () => {
  const audit = (subtitles: Parameters<typeof auditSubtitles>[2]['subtitles']) =>
    auditSubtitles(currentScoring, store, { listing, subtitles });
  expect(await audit(none)).toEqual(none);
  expect(await audit({ ...none, own: '' })).toEqual({ ...none, own: 0 });
  const subtitles = { ...none, own: 'Habit Tracker', names: 'Todoer' };
  const deltas = await audit(subtitles);
  expect(deltas).toEqual({ ...none, own: expect.any(Number), names: expect.any(Number) });
  expect(await audit(subtitles)).toEqual(deltas);
});

test('only a subtitle is changed: the texts that are audited', async () => {
  const auditListing = jest.fn(currentScoring.auditListing);
  const scoring = { ...currentScoring, auditListing };
  await auditSubtitles(scoring, store, { listing, subtitles: { ...none, own: 'Habit Tracker' } });
  const texts = auditListing.mock.calls.map(([input]) => input.texts);
  const { description } = streaks;
  expect(texts).toEqual([
    { title: 'Streaks', subtitle: '', description, kw_field: null },
    { title: 'Streaks', subtitle: 'Habit Tracker', description, kw_field: null },
  ]);
  const [[bare], [draft]] = auditListing.mock.calls as [
    Parameters<typeof auditListing>,
    Parameters<typeof auditListing>,
  ];
  expect([...bare.terms.keys()]).toEqual(['streaks']);
  expect([...draft.terms.keys()]).toEqual(['streaks', 'habit', 'tracker', 'habit tracker']);
  // The page of its own words has forgotten it.
  expect(draft.terms.get('habit tracker')?.page?.app_ids).toEqual(['3', '4']);
  expect(draft.neighbors).toBe(bare.neighbors);
});
