import { TermListQuery_Field as Field } from '@shelfwise/proto/scoring/v1/scoring';
import { callWithin } from '../../../testing/call-within.ts';
import type { Term } from '../src/stores/term.ts';
import { termId } from '../src/stores/term-filters.ts';
import { pageWith, rankedBy } from './list-rivals.ts';
import { type Auditing, createAuditingHarness, trackedListing, us } from './start-auditing.ts';
import { createHarness } from './start-scoring.ts';

const { startAuditing } = createAuditingHarness();
const { startScoring } = createHarness();

let auditing: Auditing;

/** Ann tracks two terms for two apps; bob's app has two public ones. */
async function startKept() {
  auditing = await startAuditing();
  await auditing.track(trackedListing(1, { title: 'Photo' }));
  await auditing.track(trackedListing(2, { title: 'Editor' }));
  await auditing.track(trackedListing(12, { title: 'Collage Grid' }), 'bob');
  await auditing.runDue();
  await auditing.trackKeyword(1, 'mosaic');
  await auditing.trackKeyword(2, 'violin');
  await auditing.measure('collage', { traffic: 60 }, pageWith({ rival: 20 }));
  await auditing.measure('grid', { traffic: 60 }, pageWith({ rival: 21 }));
  await auditing.measure('mosaic', { traffic: 40 }, pageWith({ rival: 2 }));
  await auditing.measure('violin', { traffic: 40 }, pageWith({ rival: 100 }));
}

beforeEach(startKept);

const keywords = async (query: Parameters<typeof rankedBy>[2] = {}) =>
  (await rankedBy(auditing, 'rival', query)).terms.map(({ term, rank }) => [term?.keyword, rank]);

test('an app has the tracked terms to rank 100 and public ones to rank 20, the most visited first', async () => {
  const reply = await rankedBy(auditing, 'rival');
  expect(reply).toMatchObject({
    terms: [
      { rank: 2, term: { keyword: 'mosaic', is_tracked: true, rank_date: '2026-03-10', depth: 100 } },
      {
        rank: 20,
        term: { keyword: 'collage', is_tracked: false, keyword_id: null, rank_date: '2026-03-09', depth: 20 },
      },
      { rank: 100, term: { keyword: 'violin', is_tracked: true } },
    ],
    total: 3,
    kept: { pages: 3, oldest_page: '2026-03-09', unread: 0, truncated: false },
  });
});

test('it is the same for any account, apart from what it tracks', async () => {
  expect(await keywords({ accountId: 'bob' })).toEqual([['collage', 20]]);
  const before = await rankedBy(auditing, 'rival', { accountId: 'cem' });
  await auditing.trackKeyword(1, ['collage', 'grid', 'zebra'], { account_id: 'bob' });
  auditing.clock.moveTo('2026-03-12T12:00:00Z');
  await auditing.measure('zebra', { traffic: 99 }, pageWith({ rival: 1 }));
  await auditing.measure(['collage', 'grid'], { traffic: 70 }, pageWith({ rival: 19 }));
  expect(await rankedBy(auditing, 'rival', { accountId: 'cem' })).toEqual(before);
});

test('a public term has its public page, and its newest one for the accounts that track it', async () => {
  await auditing.trackKeyword(1, 'collage', { account_id: 'bob' });
  const first = { rank: 20, term: { traffic_score: 60, rank_date: '2026-03-09', depth: 20 } };
  for (const day of ['2026-03-11', '2026-03-14', '2026-03-16']) {
    auditing.clock.moveTo(`${day}T12:00:00Z`);
    await auditing.runDue();
    await auditing.measure('collage', { traffic: 70 }, pageWith({ rival: 5 }));
    expect((await rankedBy(auditing, 'rival', { accountId: 'cem' })).terms).toMatchObject([first]);
    expect((await rankedBy(auditing, 'rival', { accountId: 'bob' })).terms).toMatchObject([
      { rank: 5, term: { keyword: 'collage', traffic_score: 70, rank_date: day, depth: 100 } },
    ]);
  }
  // On the seventh day the page is read for the public text, too.
  auditing.clock.moveTo('2026-03-17T12:00:00Z');
  await auditing.measure('collage', { traffic: 80 }, pageWith({ rival: 3 }));
  expect((await rankedBy(auditing, 'rival', { accountId: 'cem' })).terms).toMatchObject([
    { rank: 3, term: { traffic_score: 80, rank_date: '2026-03-16', depth: 20 } },
  ]);
});

test('a term of another storefront is not listed', async () => {
  const { terms } = await rankedBy(auditing, 'rival');
  expect(terms).toHaveLength(3);
  await auditing.connection.collection('terms').updateMany({}, { $set: { country: 'DE' } });
  expect((await rankedBy(auditing, 'rival')).terms.every(({ term }) => term?.is_tracked)).toBe(true);
});

/** Copies a kept term, and who tracks it, to many with these traffics; `from`: the number of the first. */
async function copyTerm(keyword: string, traffics: readonly number[], from = 0) {
  type Row = { _id: string; [field: string]: unknown };
  const collection = (name: string) => auditing.connection.collection<Row>(name);
  const term = await collection('terms').findOne({ keyword });
  if (!term) throw new Error('the term is not kept');
  const nameAt = (at: number) => `${keyword} ${from + at}`;
  await collection('terms').insertMany(
    traffics.map((traffic, at) => {
      const { score, public_page: shown } = term as unknown as Pick<Term, 'score' | 'public_page'>;
      const copy: Row = {
        ...term,
        _id: termId(us, nameAt(at)),
        keyword: nameAt(at),
        score: { ...score, traffic },
      };
      if (shown) copy.public_page = { ...shown, score: { ...shown.score, traffic } };
      return copy;
    }),
  );
  for (const row of await collection('tracked_terms').find({ keyword }).toArray())
    await collection('tracked_terms').insertMany(
      traffics.map((_, at) => ({ ...row, _id: `ann:1:${1_000_000 + from + at}`, keyword: nameAt(at) })),
    );
}

/** The traffic of each term on two pages of the most searched ones, and what is said of the kept pages. */
async function mostSearched() {
  const query = { order: Field.TRAFFIC, descending: true, per_page: 1000 };
  const pages = await Promise.all(
    [1, 2, 3].map((page) => rankedBy(auditing, 'rival', { query: { ...query, page } })),
  );
  const traffics = pages.flatMap(({ terms }) => terms.map(({ term }) => term?.traffic_score));
  return { traffics, total: pages[0]?.total, kept: pages[0]?.kept };
}

test.each([
  ['public', 'collage'],
  ['tracked', 'mosaic'],
])(
  'of more than 2,000 pages of %s terms, those with the most traffic are listed, and it is said',
  async (_, keyword) => {
    // With the three that are kept, 2,000.
    const few = Array.from({ length: 1997 }, (_, at) => (at * 7) % 100);
    await copyTerm(keyword, few);
    const whole = await mostSearched();
    expect(whole).toMatchObject({ total: 2000, kept: { pages: 2000, truncated: false } });

    const more = [0, 1, 99, 50, 0, 98, 2, 1, 0, 97];
    await copyTerm(keyword, more, few.length);
    const cut = await mostSearched();
    expect(cut).toMatchObject({ total: 2000, kept: { pages: 2000, truncated: true } });
    const expected = [...more, ...few, 60, 40, 40].toSorted((one, other) => other - one).slice(0, 2000);
    expect(cut.traffics).toEqual(expected);
  },
);

test('more than 10,000 tracked keywords are said, also when they are of one term', async () => {
  const rows = auditing.connection.collection<{ _id: string }>('tracked_terms');
  const row = await rows.findOne({ keyword: 'mosaic' });
  const copy = (count: number, listing: number) =>
    rows.insertMany(Array.from({ length: count }, (_, at) => ({ ...row, _id: `ann:${listing}:${at}` })));
  // With the two that are tracked, 10,000.
  await copy(9998, 3);
  const { total, kept } = await rankedBy(auditing, 'rival');
  expect([total, kept?.truncated]).toEqual([3, false]);
  await copy(1, 4);
  expect((await rankedBy(auditing, 'rival')).kept?.truncated).toBe(true);
});

test('a page that an older version has written meanwhile is read with its array', async () => {
  const before = await rankedBy(auditing, 'rival');
  await auditing.connection
    .collection('terms')
    .updateMany({ keyword: { $in: ['collage', 'mosaic'] } }, { $unset: { 'ranking.packed_ids': '' } });
  expect(await rankedBy(auditing, 'rival')).toEqual(before);
});

test('it is ordered, narrowed and paged', async () => {
  expect(await keywords({ query: { order: Field.RANK, descending: true } })).toEqual([
    ['violin', 100],
    ['collage', 20],
    ['mosaic', 2],
  ]);
  expect(await keywords({ query: { is_tracked: true, per_page: 1, page: 2 } })).toEqual([['violin', 100]]);
  expect(await keywords({ query: { min_traffic: 50 } })).toEqual([['collage', 20]]);
});

test('a term says whether its traffic was computed without the suggestions of the store', async () => {
  auditing.clock.moveTo('2026-03-17T12:00:00Z');
  await auditing.runDue();
  await auditing.measure('collage', { traffic: 60, is_partial: true }, pageWith({ rival: 20 }));
  const { terms } = await rankedBy(auditing, 'rival');
  expect(terms.map(({ term }) => [term?.keyword, term?.is_partial])).toEqual([
    ['mosaic', false],
    ['collage', true],
    ['violin', false],
  ]);
});

test('an app of no page has none', async () => {
  expect(await rankedBy(auditing, 'nobody')).toMatchObject({
    terms: [],
    total: 0,
    kept: { pages: 0, oldest_page: null, unread: 0 },
  });
});

test('both lists are served, and refuse what is out of bounds', async () => {
  const { client } = await startScoring();
  const query = { order: Field.UNSPECIFIED, descending: false, page: 1, per_page: 10 };
  const ranked = { account_id: 'ann', storefront: us, app_id: 'rival', query };
  expect(await client.listRankedKeywords(ranked, callWithin())).toMatchObject({ terms: [], total: 0 });
  const gap = {
    account_id: 'ann',
    app: trackedListing(1),
    competitor_app_ids: ['rival'],
    rival_max_rank: 10,
    own_min_rank: 31,
    include_brands: false,
    query,
  };
  expect(await client.listKeywordGap(gap, callWithin())).toMatchObject({ terms: [], reason: 'no_pages' });
  const refused = { code: 'INVALID_PARAMS' };
  for (const wrong of [{ app_id: '' }, { account_id: '' }, { storefront: null }, { query: null }])
    await expect(client.listRankedKeywords({ ...ranked, ...wrong }, callWithin())).rejects.toMatchObject(
      refused,
    );
  await expect(client.listKeywordGap({ ...gap, app: null }, callWithin())).rejects.toMatchObject(refused);
});
