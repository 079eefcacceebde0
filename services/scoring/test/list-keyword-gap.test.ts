import type { GapTerm } from '@shelfwise/proto/scoring/v1/scoring';
import fc from 'fast-check';
import { gapOf, pageWith } from './list-rivals.ts';
import { type Auditing, appIdOf, createAuditingHarness, trackedListing, us } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

const own = appIdOf(1);
const app = trackedListing(1, { title: 'Photo', subtitle: 'Editor' });

/** Ann tracks the app, with no rank for any of its words. */
async function startTracked() {
  await auditing.track(app);
  await auditing.measure(['photo', 'editor'], { traffic: 50 }, pageWith({}));
  await auditing.runDue();
}

/** Bob tracks another app that has these words in its name, so that they are public. */
async function publish(...words: string[]) {
  await auditing.track(trackedListing(12, { title: words.join(' ') }), 'bob');
  await auditing.runDue();
}

/** Ann tracks these terms for the app. */
async function trackTerms(terms: Readonly<Record<string, string[]>>, score = {}) {
  for (const [keyword, ids] of Object.entries(terms)) await auditing.measure(keyword, score, ids);
  await auditing.trackKeyword(1, Object.keys(terms));
}

const keywordsOf = (terms: readonly GapTerm[]) => terms.map(({ term }) => term?.keyword);

test('a tracked term has its ranks, its scores and its value, from the whole page', async () => {
  await startTracked();
  // With the KEI of the formula: 100 * log10(1 + 40 - 5) / log10(96) * (1 - .3)
  await trackTerms({ collage: pageWith({ rival: 3, [own]: 50 }) });
  const reply = await gapOf(auditing, app);
  expect(reply).toEqual({
    terms: [
      {
        term: {
          keyword: 'collage',
          keyword_id: expect.any(Number),
          is_tracked: true,
          traffic_score: 40,
          is_partial: false,
          difficulty_score: 30,
          kei: 55,
          rank_date: '2026-03-10',
          depth: 100,
        },
        own_rank: 50,
        rivals: [{ app_id: 'rival', rank: 3 }],
        // Of the rank alone: 1 - log10(50) / 2, and (.1505 - .1) / .4
        relevance: 0.15,
        gain: 0.13,
        value: 7.2,
      },
    ],
    total: 1,
    kept: { pages: 1, oldest_page: '2026-03-10', unread: 0, truncated: false },
    reason: null,
  });
});

test('the page of a term that it does not track is 20 deep and to the week', async () => {
  await startTracked();
  await publish('collage');
  await auditing.measure('collage', {}, pageWith({ rival: 3, [own]: 50 }));
  const tooShallow = await gapOf(auditing, app);
  expect(tooShallow).toMatchObject({ terms: [], total: 0, reason: 'too_shallow' });
  expect(tooShallow.kept).toEqual({ pages: 1, oldest_page: '2026-03-09', unread: 1, truncated: false });
  const { terms, kept } = await gapOf(auditing, app, { own_min_rank: 21 });
  expect(terms).toMatchObject([
    {
      term: { keyword: 'collage', keyword_id: null, is_tracked: false, rank_date: '2026-03-09', depth: 20 },
      own_rank: null,
    },
  ]);
  expect(kept?.unread).toBe(0);
});

test('a page that the store shows whole is read deep enough', async () => {
  await startTracked();
  await publish('collage');
  await auditing.measure('collage', { results: 12 }, pageWith({ rival: 3 }, 12));
  expect(await gapOf(auditing, app)).toMatchObject({
    terms: [{ own_rank: null, term: { depth: 12 } }],
    kept: { unread: 0 },
  });
});

describe('terms that only another account knows', () => {
  const seen = async () =>
    JSON.stringify([await gapOf(auditing, app), await gapOf(auditing, app, { own_min_rank: 2 })]);

  async function startWithPublicTerm() {
    await startTracked();
    await publish('collage', 'grid');
    await trackTerms({ filter: pageWith({ rival: 2 }) });
    await auditing.measure(['collage', 'grid'], {}, pageWith({ rival: 3 }));
  }

  test('change nothing: tracked, inspected, drafted, or of a kept keywords field', async () => {
    await startWithPublicTerm();
    const before = await seen();
    expect(before).toContain('collage');
    const words = ['mosaic', 'zebra', 'violin', 'kitchen'];
    await auditing.trackKeyword(1, 'mosaic', { account_id: 'bob' });
    await auditing.keepField(app, 'zebra', 'bob');
    const until = new Date(auditing.clock.at.getTime() + 1000);
    const draft = { keyword: 'violin', importance: 1, isDaily: false } as const;
    await auditing.terms.requestMeasuring(
      { store: 'ITUNES', country: 'US', lang: 'en-US' },
      [draft],
      until,
      auditing.clock.at,
    );
    // `kitchen` was inspected: nothing requests it. All have the most traffic, so that an order would show them.
    await auditing.measure(words, { traffic: 90 }, pageWith({ rival: 1 }));
    await auditing.runDue();
    expect(await seen()).toBe(before);
    expect((await gapOf(auditing, app, { account_id: 'bob' })).terms).toMatchObject([
      { term: { keyword: 'mosaic' } },
    ]);
  });

  test('a form of a public term proves nothing by a rank on a private page', async () => {
    await startWithPublicTerm();
    const before = await gapOf(auditing, app, { own_min_rank: 21 });
    await auditing.trackKeyword(1, ['collages', 'grids'], { account_id: 'bob' });
    await auditing.measure(['collages', 'grids'], {}, pageWith({ [own]: 1, rival: 2 }));
    await auditing.runDue();
    expect(await gapOf(auditing, app, { own_min_rank: 21 })).toEqual(before);
  });

  test('a public term that it tracks is seen as before: 20 deep, to the week', async () => {
    await startWithPublicTerm();
    const before = await gapOf(auditing, app, { own_min_rank: 2 });
    await auditing.trackKeyword(1, 'collage', { account_id: 'bob' });
    auditing.clock.moveTo('2026-03-11T12:00:00Z');
    await auditing.measure('collage', {}, pageWith({ rival: 3, [own]: 24 }));
    expect(await gapOf(auditing, app, { own_min_rank: 2 })).toEqual(before);
  });

  test('a term is public only as long as a text has it, whoever reads it afterwards', async () => {
    await startTracked();
    await publish('collage');
    await auditing.measure('collage', {}, pageWith({ rival: 3 }));
    await auditing.untrack(12, 'bob', new Date(auditing.clock.at.getTime() + 1000));
    await auditing.trackKeyword(1, 'collage', { account_id: 'bob' });
    expect((await gapOf(auditing, app, { own_min_rank: 21 })).total).toBe(1);
    auditing.clock.moveTo('2026-03-14T12:00:00Z');
    await auditing.runDue();
    await auditing.measure('collage', {}, pageWith({ rival: 3 }));
    const reply = await gapOf(auditing, app, { own_min_rank: 21 });
    expect(reply).toMatchObject({ terms: [], reason: 'no_pages', kept: { pages: 0, oldest_page: null } });
  });

  test('a term that the account itself tracked is not seen once it does not track it any more', async () => {
    await startTracked();
    await trackTerms({ mosaic: pageWith({ rival: 3 }) });
    await auditing.trackKeyword(1, 'mosaic', { account_id: 'bob' });
    expect(keywordsOf((await gapOf(auditing, app)).terms)).toEqual(['mosaic']);
    await auditing.untrackKeyword(1, 'mosaic', { at: new Date(auditing.clock.at.getTime() + 1000) });
    expect((await gapOf(auditing, app)).total).toBe(0);
  });
});

test('brands of others are left out unless they are wanted, those of the app stay', async () => {
  await startTracked();
  const ofRival = { brand: { app_id: 'rival', developer_name: 'Rivals Inc.' } };
  const ofApp = { brand: { app_id: own, developer_name: null } };
  await trackTerms({ rivalo: pageWith({ rival: 1 }) }, ofRival);
  await trackTerms({ photograph: pageWith({ rival: 2 }) }, ofApp);
  await trackTerms({ collage: pageWith({ rival: 2 }) });
  expect(keywordsOf((await gapOf(auditing, app)).terms).toSorted()).toEqual(['collage', 'photograph']);
  const { terms, total } = await gapOf(auditing, app, { include_brands: true });
  expect(total).toBe(3);
  expect(terms.find(({ term }) => term?.keyword === 'rivalo')).toMatchObject({ gain: 0, value: 0 });
});

test('a brand of others is left out also while it is not known whether people search for it', async () => {
  await startTracked();
  const ofRival = { brand: { app_id: 'rival', developer_name: 'Rivals Inc.' } };
  await trackTerms({ rivalo: pageWith({ rival: 1 }) }, { ...ofRival, is_partial: true });
  await trackTerms({ rivala: pageWith({ rival: 1 }) }, { ...ofRival, search_status: 'pending' });
  expect(await gapOf(auditing, app)).toMatchObject({ total: 0, reason: 'filtered' });
  expect((await gapOf(auditing, app, { include_brands: true })).terms).toMatchObject([
    { term: { keyword: 'rivala' }, gain: null },
    { term: { keyword: 'rivalo' }, gain: null },
  ]);
});

test('a term of which too little is read has no relevance, gain and value, and comes last', async () => {
  await startTracked();
  await trackTerms({ mosaic: pageWith({ rival: 1 }) }, { search_status: 'pending', traffic: 90 });
  await trackTerms({ collage: pageWith({ rival: 1, [own]: 40 }) });
  // A title proves that people search for it, but its traffic is a lower bound.
  await trackTerms({ violin: pageWith({ rival: 1 }) }, { is_partial: true, traffic: 80 });
  const { terms } = await gapOf(auditing, app);
  expect(keywordsOf(terms)).toEqual(['collage', 'mosaic', 'violin']);
  for (const term of terms.slice(1)) expect(term).toMatchObject({ relevance: null, gain: null, value: null });
  expect(terms.map(({ term }) => term?.is_partial)).toEqual([false, false, true]);
});

test('a term without a page is counted as unread', async () => {
  await startTracked();
  await auditing.measure('mosaic', {});
  await auditing.trackKeyword(1, ['mosaic', 'violin']);
  await trackTerms({ collage: pageWith({ rival: 3 }), empty: [] });
  expect((await gapOf(auditing, app)).kept).toMatchObject({ pages: 1, unread: 2 });
});

test.each([
  ['no_competitors', { competitor_app_ids: [] }],
  ['no_pages', { competitor_app_ids: ['nobody'] }],
  ['no_pages', { rival_max_rank: 4 }],
  ['no_gap', { own_min_rank: 61 }],
  ['filtered', { query: { min_traffic: 41 } }],
  ['filtered', { query: { is_tracked: false } }],
  ['filtered', { query: { search: 'photo' } }],
])('nothing is found because of %s', async (reason, changes) => {
  await startTracked();
  await trackTerms({ collage: pageWith({ rival: 5, [own]: 60 }) });
  expect(await gapOf(auditing, app)).toMatchObject({ total: 1, reason: null });
  expect(await gapOf(auditing, app, changes)).toMatchObject({ terms: [], total: 0, reason });
});

test('it is what a simple search over the pages finds', async () => {
  await startTracked();
  const words = Array.from({ length: 12 }, (_, at) => `word${at}`);
  await publish(...words.slice(0, 3));
  await auditing.trackKeyword(1, words.slice(2, 8));
  await auditing.trackKeyword(1, words.slice(6), { account_id: 'bob' });
  const rank = fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3 });
  const worlds = fc.sample(
    fc.record({
      pages: fc.array(fc.record({ rival: rank, second: rank, own: rank }), { minLength: 12, maxLength: 12 }),
      rivalMax: fc.integer({ min: 1, max: 30 }),
      ownMin: fc.integer({ min: 1, max: 100 }),
    }),
    { numRuns: 8, seed: 7 },
  );
  for (const { pages, rivalMax, ownMin } of worlds) {
    // Public pages are replaced once a week.
    auditing.clock.advance(7 * 86_400_000);
    const until = new Date(auditing.clock.at.getTime() + 1000);
    const requests = words
      .slice(0, 3)
      .map((keyword) => ({ keyword, importance: 1, isDaily: false, isPublic: true }) as const);
    await auditing.terms.requestMeasuring(us, requests, until, auditing.clock.at);
    const kept = pages.map((ranks) => {
      const at = { [own]: ranks.own, second: ranks.second, rival: ranks.rival };
      return pageWith(Object.fromEntries(Object.entries(at).filter(([, place]) => place !== null)) as never);
    });
    for (const [at, word] of words.entries()) await auditing.measure(word, {}, kept[at] ?? []);
    const expected = words.slice(0, 8).flatMap((word, at) => {
      const isTracked = at >= 2;
      const ids = (kept[at] ?? []).slice(0, isTracked ? 100 : 20);
      const rankOf = (id: string) => ids.indexOf(id) + 1;
      const rivals = ['rival', 'second'].filter((id) => rankOf(id) > 0 && rankOf(id) <= rivalMax);
      const isBetter = rankOf(own) > 0 && rankOf(own) < ownMin;
      const isUnknown = rankOf(own) === 0 && !isTracked && ownMin > 21;
      return rivals.length > 0 && !isBetter && !isUnknown ? [[word, rankOf(own) || null, rivals.length]] : [];
    });
    const { terms } = await gapOf(auditing, app, {
      competitor_app_ids: ['rival', 'second'],
      rival_max_rank: rivalMax,
      own_min_rank: ownMin,
    });
    const found = terms.map(({ term, own_rank: ownRank, rivals }) => [term?.keyword, ownRank, rivals.length]);
    expect(found.toSorted()).toEqual(expected.toSorted());
  }
});

test.each([
  { account_id: '' },
  { competitor_app_ids: ['a', 'b', 'c', 'd', 'e', 'f'] },
  { competitor_app_ids: ['a', 'a'] },
  { competitor_app_ids: [own] },
  { competitor_app_ids: [''] },
  { rival_max_rank: 0 },
  { rival_max_rank: 31 },
  { own_min_rank: 0 },
  { own_min_rank: 101 },
  { query: { per_page: 0 } },
])('%j is refused', async (changes) => {
  await expect(gapOf(auditing, app, changes)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
