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
import { keiOfScore } from './kei.ts';
import type { KeywordReading, SuggestionMatch } from './keyword-reading.ts';
import { scoreKeyword } from './score-keyword.ts';
import { isDetailed, topResultsOf } from './top-result.ts';

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

const readings: fc.Arbitrary<KeywordReading> = fc.record({
  page: fc.option(
    fc
      .tuple(pages(), fc.boolean())
      .map(([page, isRead]) => (isRead ? page : { ...page, details_read_at: null })),
  ),
  suggestion: fc.constantFrom(null, early, absent, suggested({ kind: 'begins', count: 2, size: 9 })),
  chart: fc.constantFrom(null, { ...chart, charted: 0 }),
  empty_looks: fc.constantFrom([], [{ prefix: 'photo editor', read_at: readAt }]),
});

describe('brands', () => {
  const first = buildApp({ app_id: '7', title: 'Duolingo: Lessons', developer_name: 'Duolingo' });
  const duolingo = { app_id: '7', developer_name: 'Duolingo' };
  const pageOf = (size: number) => buildPage([first, ...ten.slice(1, size)]);

  test('the score names the brand of a page of five results or more', () => {
    expect(score({ page: pageOf(5) }, 'duolingo')).toMatchObject({
      brand: duolingo,
      suspected_brand: null,
      results: 5,
    });
    expect(score({ page: pageOf(5) }, 'lessons')).toMatchObject({ brand: null, suspected_brand: null });
  });

  test('on a page of fewer results the brand is only suspected, and caps nothing', () => {
    const few = score({ page: pageOf(4), suggestion: early }, 'duolingo');
    expect(few).toMatchObject({ brand: null, suspected_brand: duolingo, results: 4 });
    expect(keiOfScore(few)?.reason).toBe('few_results');
    expect(keiOfScore(score({ page: pageOf(5), suggestion: early }, 'duolingo'))?.reason).toBe('brand');
  });

  test('a page of fewer than five results only suspects, a wider one only names', () => {
    fc.assert(
      fc.property(readings, (reading) => {
        const { brand, suspected_brand: suspected, results } = score(reading);
        expect((results ?? 0) < 5 ? brand : suspected).toBeNull();
      }),
    );
  });

  test('without a page there is neither', () => {
    expect(score({ suggestion: early })).toMatchObject({ brand: null, suspected_brand: null, results: null });
  });
});

/** Pages as the App Store showed them: few results, each much smaller than what the term suggests. */
describe('thin pages', () => {
  const organizer = ['Organizer: Notes & Lists', 'Home Organizer', 'My Organizer'];
  const memo = ['Memo: Sticky Notes', 'Memo Pad'];
  const todo = ['Todo: Plan Your Day', 'Todo List', 'Daily Tasks'];
  const pageOf = (titles: readonly string[]) =>
    buildPage(
      titles.map((title, index) =>
        buildApp({ app_id: `${index}`, title, developer_name: `Maker ${index}`, ratings: 40 / (index + 1) }),
      ),
    );
  const suggest = (prefix: string) => suggested({ kind: 'suggested', prefix, index: 0, size: 10 });

  test.each([
    ['organizer', pageOf(organizer), 'orga', 'few_results'],
    ['memo', pageOf(memo), 'me', 'few_results'],
    ['todo', pageOf(todo), 'tod', 'few_results'],
    ['habit diary log', pageOf([]), 'hab', 'no_results'],
  ])('%s is not excellent, and says why', (keyword, page, prefix, reason) => {
    const kei = keiOfScore(score({ page, suggestion: suggest(prefix) }, keyword));
    expect(kei?.reason).toBe(reason);
    expect(kei?.level).not.toBe('excellent');
    const wide = { ...page, size: 5 };
    const unthinned = keiOfScore(score({ page: wide, suggestion: suggest(prefix) }, keyword));
    expect(kei?.score).toBeCloseTo(((unthinned?.score ?? 0) * page.size) / 5, 0);
  });

  test('todo, with three results, is no brand', () => {
    const found = score({ page: pageOf(['Todo', 'Planner', 'Daily']), suggestion: suggest('tod') }, 'todo');
    expect(found).toMatchObject({ brand: null, suspected_brand: { app_id: '0' }, results: 3 });
  });

  test('an empty page has a KEI of 0, whatever is suggested', () => {
    fc.assert(
      fc.property(readings, (reading) => {
        const kei = keiOfScore(score({ ...reading, page: buildPage([]) }));
        if (kei !== null) expect(kei).toEqual({ score: 0, level: 'poor', reason: 'no_results' });
      }),
    );
  });
});

test('traffic is unknown only when the term is pending, and a pending term has a traffic only of a page and while it is partial', () => {
  fc.assert(
    fc.property(readings, (reading) => {
      const found = score(reading);
      const { traffic, difficulty, search_status: searchStatus } = found;
      if (traffic === null) expect(searchStatus).toBe('pending');
      else if (searchStatus === 'pending')
        expect([found.is_partial, reading.page === null]).toEqual([true, false]);
      expect(found.is_partial).toBe(traffic !== null && reading.suggestion === null);
      expect(found.traffic_parts === null).toBe(traffic === null);
      const results = reading.page && topResultsOf('photo editor', reading.page, 'en');
      const isEmpty = results?.length === 0;
      const isDifficultyKnown =
        results !== null &&
        (isEmpty || (reading.page && isDetailed(reading.page) && difficultyOf(results, readAt) !== null));
      expect(difficulty !== null).toBe(isDifficultyKnown);
      expect(searchStatus === 'ungraded').toBe(traffic !== null && reading.page === null);
    }),
  );
});

describe('while the suggestions are not known', () => {
  const looks = [{ prefix: 'photo editor', read_at: readAt }];
  const named = buildPage([buildApp({ title: 'PhotoEditor', ratings: 50_000 }), buildApp()]);
  const unnamed = buildPage(Array.from({ length: 10 }, () => buildApp({ ratings: 999_999 })));

  test('a first look that shows nothing counts as no suggestion: the traffic is a partial lower bound', () => {
    const complete = score({ page: unnamed, suggestion: absent });
    const first = score({ page: unnamed, empty_looks: looks });
    expect(first).toMatchObject({ is_partial: true, traffic: complete.traffic, search_status: 'pending' });
    expect(first.traffic_parts?.suggest).toBe(0);
    expect(complete).toMatchObject({ is_partial: false, search_status: 'unsearched' });
  });

  test('without an answer the part is dropped, and the traffic is partial', () => {
    const found = score({ page: unnamed });
    expect(found).toMatchObject({
      is_partial: true,
      search_status: 'pending',
      traffic_parts: { suggest: null },
    });
    expect(found.traffic).toBeGreaterThan(score({ page: unnamed, suggestion: absent }).traffic ?? 100);
  });

  test('a title of the top 5 proves that a term is searched, if its traffic does not depend on the suggestions', () => {
    expect(score({ page: named, empty_looks: looks }).search_status).toBe('searched');
    expect(score({ page: named }).search_status).toBe('searched');
    // .26 L (log10 10 - 1 = 0) + .22 / 7 X + .1 M .095 = .041, of .7 without the part and 1.3 with it, * .935: 5.5 and 2.9
    const small = buildPage([buildApp({ title: 'PhotoEditor', ratings: 9 })]);
    expect(score({ page: small })).toMatchObject({ traffic: 5, search_status: 'pending' });
    expect(score({ page: small, empty_looks: looks })).toMatchObject({
      traffic: 3,
      search_status: 'pending',
    });
  });

  test('a first look without a page says nothing; on an empty page it gives a traffic of 0', () => {
    expect(score({ empty_looks: looks })).toMatchObject({ traffic: null, is_partial: false });
    const empty = buildPage([]);
    expect(score({ page: empty })).toMatchObject({ traffic: null, is_partial: false });
    expect(score({ page: empty, empty_looks: looks })).toMatchObject({ traffic: 0, is_partial: true });
  });

  test('where the App Store has no autocomplete, the traffic is complete and decides alone', () => {
    const greenland: Storefront = { store: 'ITUNES', country: 'GL', lang: 'en-US' };
    const reading = buildReading({ page: unnamed });
    expect(scoreKeyword({ storefront: greenland, keyword: 'photo editor', reading }, readAt)).toMatchObject({
      is_partial: false,
      search_status: 'searched',
      traffic_parts: { suggest: null },
    });
  });

  const answers: fc.Arbitrary<SuggestionMatch> = fc.oneof(
    fc.record({
      kind: fc.constant('suggested' as const),
      prefix: fc.integer({ min: 1, max: 12 }).map((length) => 'photo editor'.slice(0, length)),
      index: fc.nat(4),
      size: fc.integer({ min: 5, max: 10 }),
    }),
    fc.record({ kind: fc.constant('begins' as const), count: fc.nat(8), size: fc.nat(8) }),
    fc.record({ kind: fc.constant('absent' as const), size: fc.nat(10) }),
  );

  test('a score after one empty look is never above the complete one of the same page, nor proves what that one denies', () => {
    fc.assert(
      fc.property(pages(), fc.boolean(), answers, (page, isCharted, match) => {
        const read = { page, chart: isCharted ? { ...chart, charted: Math.min(5, page.apps.length) } : null };
        const [first, complete] = [
          score({ ...read, empty_looks: looks }),
          score({ ...read, suggestion: suggested(match) }),
        ];
        if (complete.traffic !== null) expect(first.traffic ?? -1).toBeLessThanOrEqual(complete.traffic);
        expect(first.difficulty).toBe(complete.difficulty);
        const [firstKei, completeKei] = [keiOfScore(first), keiOfScore(complete)];
        if (completeKei !== null) expect(firstKei?.score ?? 0).toBeLessThanOrEqual(completeKei.score);
        if (first.search_status !== 'pending') expect(complete.search_status).toBe(first.search_status);
      }),
    );
  });

  test('a term that is searched while the store does not answer is so whatever it answers', () => {
    fc.assert(
      fc.property(pages(), answers, (page, match) => {
        if (score({ page }).search_status === 'pending') return;
        expect(score({ page, suggestion: suggested(match) }).search_status).toBe('searched');
      }),
    );
  });
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
