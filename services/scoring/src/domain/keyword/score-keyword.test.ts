import type { Storefront } from '@shelfwise/facts/stores/storefront';
import fc from 'fast-check';
import {
  apps,
  buildApp,
  buildPage,
  buildReading,
  pages,
  readAt,
  suggested,
} from '../../../test/build-reading.ts';
import { scoringVersion } from '../scoring-version.ts';
import { difficultyOf } from './difficulty.ts';
import type { KeywordReading } from './keyword-reading.ts';
import { isDetailed, placesOf } from './place.ts';
import { scoreKeyword } from './score-keyword.ts';

const storefront: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const score = (reading: Partial<KeywordReading>, keyword = 'photo editor') =>
  scoreKeyword({ storefront, keyword, reading: buildReading(reading) }, readAt);

const early = suggested({ kind: 'suggested', prefix: 'pho', index: 0, size: 10 });
const absent = suggested({ kind: 'absent', size: 10 });
const ten = Array.from({ length: 10 }, () => buildApp({ title: 'Photo Editor', ratings: 999_999 }));
const chart = { read_at: readAt, source: 'sample', charted: 5 };

test('a completely read term has both scores with their parts, its version and its time', () => {
  // traffic: the worked example of traffic.test.ts; difficulty: A 1, T 1, S 1, Q .5, F 1: 55 + 20 + 15 + 2.5 + 5 = 97.5
  expect(score({ page: buildPage(ten), suggestion: early, chart })).toMatchObject({
    scoring_version: scoringVersion,
    scored_at: readAt,
    difficulty: 98,
    traffic: 79,
    difficulty_parts: { A: 1, T: 1, S: 1, F: 1 },
    traffic_parts: { C: 0.5, words: 2 },
    search_status: 'searched',
  });
});

test('a term for which nothing was read is pending, with neither score', () => {
  expect(score({})).toMatchObject({
    difficulty: null,
    traffic: null,
    difficulty_parts: null,
    traffic_parts: null,
    brand: null,
    search_status: 'pending',
  });
  expect(score({ chart })).toMatchObject({ traffic: null, search_status: 'pending' });
});

test('a page whose app details were not read gives neither score, whatever is suggested', () => {
  const page = buildPage(ten, { details_read_at: null });
  expect(score({ page, suggestion: early, chart })).toMatchObject({
    difficulty: null,
    traffic: null,
    difficulty_parts: null,
    traffic_parts: null,
    search_status: 'pending',
  });
});

test('a page of apps with unknown details has no difficulty, and traffic from the other inputs', () => {
  const unknown = { rating: null, ratings: null, installs: null, updated_at: null };
  const page = buildPage(Array.from({ length: 10 }, () => buildApp({ ...unknown, title: 'Photo Editor' })));
  expect(score({ page, suggestion: early })).toMatchObject({
    difficulty: null,
    difficulty_parts: null,
    search_status: 'searched',
    traffic: expect.any(Number),
    traffic_parts: { L: null, X: null, D: null, M: 1 },
  });
  const known = { ...page, apps: page.apps.fill(buildApp({ ...unknown, ratings: 9 }), 0, 5) };
  expect(score({ page: known, suggestion: early }).difficulty).not.toBeNull();
});

test('a suggested term without a page has traffic from the suggestion and is ungraded', () => {
  expect(score({ suggestion: early })).toMatchObject({
    difficulty: null,
    traffic: 80,
    search_status: 'ungraded',
  });
});

test('an absent suggestion without a page is pending, not 0', () => {
  expect(score({ suggestion: absent })).toMatchObject({ traffic: null, search_status: 'pending' });
});

test('an empty page is a result: difficulty 0, and traffic 0 if nothing is suggested', () => {
  const page = buildPage([], { details_read_at: null });
  expect(score({ page, suggestion: absent, chart: null })).toMatchObject({
    difficulty: 0,
    traffic: 0,
    search_status: 'unsearched',
  });
});

test('the score names the brand', () => {
  const page = buildPage([buildApp({ app_id: '7', title: 'Duolingo: Lessons', developer_name: 'Duolingo' })]);
  expect(score({ page }, 'duolingo').brand).toEqual({ app_id: '7', developer_name: 'Duolingo' });
  expect(score({ page }, 'lessons').brand).toBeNull();
});

const readings: fc.Arbitrary<KeywordReading> = fc.record({
  page: fc.option(
    fc
      .tuple(pages(), fc.boolean())
      .map(([page, isRead]) => (isRead ? page : { ...page, details_read_at: null })),
  ),
  suggestion: fc.constantFrom(null, early, absent, suggested({ kind: 'begins', count: 2, size: 9 })),
  chart: fc.constantFrom(null, { ...chart, charted: 0 }),
});

test('traffic is unknown exactly when the term is pending; only an empty page has a difficulty without traffic', () => {
  fc.assert(
    fc.property(readings, (reading) => {
      const {
        traffic,
        difficulty,
        search_status: searchStatus,
        traffic_parts: trafficParts,
      } = score(reading);
      expect(traffic === null).toBe(searchStatus === 'pending');
      expect(trafficParts === null).toBe(traffic === null);
      const places = reading.page && placesOf('photo editor', reading.page, 'en');
      const isEmpty = places?.length === 0;
      const isDifficultyKnown =
        places !== null &&
        (isEmpty || (reading.page && isDetailed(reading.page) && difficultyOf(places, readAt) !== null));
      expect(difficulty !== null).toBe(isDifficultyKnown);
      expect(searchStatus === 'ungraded').toBe(traffic !== null && reading.page === null);
    }),
  );
});

test('the same reading and time give the same score; letter case, spaces and apps after the tenth change nothing', () => {
  fc.assert(
    fc.property(readings, fc.array(apps, { maxLength: 3 }), (reading, others) => {
      const expected = score(reading);
      const page = reading.page && { ...reading.page, apps: reading.page.apps.slice(0, 10) };
      const longer = page?.apps.length === 10 ? { ...page, apps: [...page.apps, ...others] } : page;
      expect(score({ ...reading, page: longer }, ' PHOTO  Editor')).toEqual(expected);
    }),
  );
});
