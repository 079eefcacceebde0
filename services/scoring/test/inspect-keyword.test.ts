import { AppError } from '@shelfwise/runtime/errors';
import { fakeFoundApp, fakePage, fakePlayApp, unprovenPage } from './fake-store-fetch.ts';
import { play, us } from './start-drafts.ts';
import { createInspectionHarness, type Inspections } from './start-inspections.ts';

const startInspections = createInspectionHarness();

let inspections: Inspections;
beforeEach(async () => {
  inspections = await startInspections();
});

const titled = (...titles: string[]) => titles.map((title, index) => fakeFoundApp(`${index + 1}`, { title }));

test('a keyword is returned in its normal form, with its scores and the first 20 apps of its page', async () => {
  inspections.store.setPage('photo editor', fakePage('photo editor', 30));
  inspections.store.suggestions.terms = ['photo editor', 'photo editor free'];
  const reply = await inspections.inspect({ keyword: '  PHOTO   Editor ' });
  expect(reply).toMatchObject({ keyword: 'photo editor', is_saved: true });
  const { difficulty_score: difficultyScore, traffic_score: trafficScore } = reply;
  for (const score of [difficultyScore, trafficScore]) expect(score).toBeGreaterThan(0);
  expect(reply.kei).toEqual({
    score: expect.any(Number),
    level: expect.stringMatching(/^(excellent|good|fair|poor)$/),
    reason: null,
  });
  expect(reply.ranking).toHaveLength(20);
  expect(reply.ranking.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(reply.ranking[1]).toEqual({
    rank: 2,
    app_id: 'app.photo editor.2',
    title: 'Title of app.photo editor.2',
    icon: 'https://icons.test/app.photo editor.2.png',
    genre: 'Productivity',
    rating: 4.5,
    ratings: expect.any(Number),
  });
  expect(reply).toMatchObject({
    rank_date: '2026-03-10',
    scored_at: new Date('2026-03-10T09:00:00Z'),
    result_count: 30,
  });
});

test('a field that the store does not show of a ranking app is null', async () => {
  inspections.store.setPage('photo editor', [fakeFoundApp('1', { genre: null, score: null })]);
  const { ranking } = await inspections.inspect();
  expect(ranking[0]).toMatchObject({ genre: null, rating: null });
});

test('a keyword without results has difficulty 0', async () => {
  inspections.store.setPage('photo editor', []);
  inspections.store.suggestions.terms = ['photo editor'];
  expect(await inspections.inspect()).toMatchObject({
    difficulty_score: 0,
    ranking: [],
    kei: { score: 0, level: 'poor', reason: 'no_results' },
  });
});

test('the KEI of a brand is at most fair, and says so', async () => {
  const others = titled('Acorn', 'Oak', 'Birch', 'Pine', 'Elm').slice(1);
  const rated = [fakeFoundApp('1', { title: 'Zorblatt' }), ...others].map((app) => ({ ...app, ratings: 3 }));
  inspections.store.setPage('zorblatt', rated);
  inspections.store.suggestions.terms = ['zorblatt'];
  expect(await inspections.inspect({ keyword: 'zorblatt' })).toMatchObject({
    kei: { score: 39.9, level: 'fair', reason: 'brand' },
    is_navigational: true,
  });
});

test('a brand is only suspected on a page of fewer than five results, so it is not answered as one', async () => {
  inspections.store.setPage('todo', titled('Todo', 'Planner', 'Daily'));
  inspections.store.suggestions.terms = ['todo'];
  expect(await inspections.inspect({ keyword: 'todo' })).toMatchObject({
    kei: { reason: 'few_results' },
    is_navigational: false,
    result_count: 3,
  });
});

test('before the second look at an empty list the traffic is a lower bound, and it is not known whether people search', async () => {
  inspections.store.suggestions.mayThrottle = true;
  inspections.store.setPage('photo editor', titled('Acorn', 'Oak', 'Birch', 'Pine', 'Elm', 'Ash'));
  expect(await inspections.inspect()).toMatchObject({
    traffic_score: expect.any(Number),
    is_partial: true,
    is_searched: null,
    kei: { level: 'poor', reason: 'unsearched' },
  });
});

describe('the store', () => {
  test('is read once a day per keyword, however many accounts inspect it', async () => {
    await Promise.all([inspections.inspect(), inspections.inspect({ account_id: 'bob' })]);
    expect(inspections.store.count('searchApps')).toBe(1);
    await inspections.inspect();
    expect(inspections.store.count('searchApps')).toBe(1);
    inspections.clock.moveTo('2026-03-11T00:00:00Z');
    await inspections.inspect();
    expect(inspections.store.count('searchApps')).toBe(2);
  });

  test('is called with priority over the daily run', async () => {
    await inspections.inspect({ storefront: play });
    const { requests } = inspections.store;
    const sent = [...requests.searchApps, ...requests.suggestTerms, ...requests.getListings];
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.filter((request) => request.for_daily_run)).toEqual([]);
  });

  test('without a readable page fails the inspection: no ranks of yesterday, no row in the history', async () => {
    await inspections.inspect();
    inspections.clock.moveTo('2026-03-11T00:00:00Z');
    inspections.store.fail('searchApps');
    await expect(inspections.inspect({ account_id: 'bob' })).rejects.toMatchObject({
      code: 'STORE_FETCH_FAILED',
    });
    expect(await inspections.list({ account_id: 'bob' })).toEqual({ inspections: [], total: 0 });
  });

  test('whose empty page is not believed yet fails with that mark, and is not in the history', async () => {
    inspections.store.fail('searchApps', unprovenPage());
    await expect(inspections.inspect()).rejects.toMatchObject({
      code: 'STORE_FETCH_FAILED',
      isUnproven: true,
    });
    expect(await inspections.list()).toEqual({ inspections: [], total: 0 });
  });

  test('without app details leaves scores and KEI null, and the ranking is still returned', async () => {
    inspections.store.setPage('photo editor', [fakePlayApp('a.b'), fakePlayApp('c.d')]);
    inspections.store.fail('getListings');
    const reply = await inspections.inspect({ storefront: play });
    expect(reply).toMatchObject({ difficulty_score: null, traffic_score: null, kei: null, is_saved: true });
    expect(reply.ranking.map((app) => app.app_id)).toEqual(['a.b', 'c.d']);
    expect((await inspections.list()).inspections[0]).toMatchObject({
      difficulty_score: null,
      traffic_score: null,
    });
  });

  test('without readable suggestions still gives scores, and related keywords from titles alone', async () => {
    inspections.store.setPage('photo editor', titled('Photo Collage', 'Photo Collage Maker'));
    inspections.store.fail('suggestTerms');
    const reply = await inspections.inspect();
    expect(reply.difficulty_score).not.toBeNull();
    expect(reply.traffic_score).not.toBeNull();
    expect(reply.related_keywords).toContain('photo collage');
    expect(reply.related.map(({ keyword }) => keyword)).toEqual(reply.related_keywords);
  });

  test('whose suggestions are not believed counts as one without suggestions', async () => {
    inspections.store.setPage('photo editor', titled('Photo Collage'));
    inspections.store.suggestions.isBelieved = false;
    inspections.store.suggestions.terms = ['photo editor pro'];
    expect((await inspections.inspect()).related_keywords).not.toContain('photo editor pro');
  });
});

describe('related keywords', () => {
  test('are completions of the search field and phrases of ranking titles, each once, without the keyword itself', async () => {
    inspections.store.suggestions.terms = ['photo editor', 'photo editor PRO', 'photo editor pro'];
    inspections.store.setPage('photo editor', titled('Photo Collage', 'Collage Maker', 'Collage Photo'));
    const { related_keywords: relatedKeywords } = await inspections.inspect();
    expect(relatedKeywords[0]).toBe('photo editor pro');
    expect(relatedKeywords).toEqual(expect.arrayContaining(['collage', 'photo']));
    expect(new Set(relatedKeywords).size).toBe(relatedKeywords.length);
    expect(relatedKeywords).not.toContain('photo editor');
  });

  test('are sorted by known traffic, highest first, without keywords that are not searched', async () => {
    const { store } = inspections;
    store.suggestions.terms = ['photo editor', 'photo editor pro', 'photo editor free', 'photo editor zzz'];
    store.setPage('photo editor zzz', []);
    await inspections.inspect({ keyword: 'photo editor free' });
    store.suggestions.terms = ['photo editor'];
    await inspections.inspect({ keyword: 'photo editor zzz' });
    store.suggestions.terms = ['photo editor', 'photo editor pro', 'photo editor free', 'photo editor zzz'];
    store.setPage('photo editor', []);
    const { related_keywords: relatedKeywords } = await inspections.inspect();
    expect(relatedKeywords).toEqual(['photo editor free', 'photo editor pro']);
  });

  test('contain no fragments of a known brand', async () => {
    const titles = titled('Tintcove Photo', 'Tintcove Photo Pro', 'Photo Collage', 'Collage Maker');
    inspections.store.setPage('photo editor', titles);
    expect((await inspections.inspect()).related_keywords).toContain('tintcove photo');
    inspections.store.setPage('tintcove', titled('Tintcove Photo', 'Collage Maker', 'Acorn', 'Oak', 'Birch'));
    await inspections.inspect({ keyword: 'tintcove' });
    const { related_keywords: relatedKeywords } = await inspections.inspect();
    expect(relatedKeywords).toEqual(['photo']);
  });

  test('are 20 at most', async () => {
    const words = 'amber birch cedar daisy elder fern grape hazel iris jasmine'.split(' ');
    const title = words.map((word) => `Photo ${word}`).join(' ');
    inspections.store.setPage('photo editor', titled(title, title));
    expect((await inspections.inspect()).related_keywords).toHaveLength(20);
  });
});

describe('the history', () => {
  test('has one row per account and query, newest first, with the newest scores', async () => {
    const first = await inspections.inspect();
    inspections.clock.advance(1000);
    await inspections.inspect({ keyword: 'camera' });
    inspections.clock.moveTo('2026-03-11T09:00:00Z');
    inspections.store.setPage('photo editor', []);
    const again = await inspections.inspect({ keyword: 'PHOTO EDITOR' });
    expect(again.difficulty_score).not.toBe(first.difficulty_score);
    const { inspections: rows, total } = await inspections.list();
    expect(total).toBe(2);
    expect(rows[0]).toEqual({
      id: 1,
      keyword_name: 'photo editor',
      storefront: us,
      difficulty_score: again.difficulty_score,
      traffic_score: again.traffic_score,
      is_partial: false,
      last_inspected_at: inspections.clock.at,
      scored_at: inspections.clock.at,
    });
    expect(rows[1]).toMatchObject({ id: 2, keyword_name: 'camera' });
  });

  test('says whether a traffic score is partial, as the inspection did', async () => {
    inspections.store.suggestions.isBelieved = false;
    expect(await inspections.inspect()).toMatchObject({
      traffic_score: expect.any(Number),
      is_partial: true,
    });
    inspections.store.setPage('zzqx', []);
    const empty = await inspections.inspect({ keyword: 'zzqx' });
    expect(empty).toMatchObject({ traffic_score: null, kei: null, is_partial: false });
    const { inspections: rows } = await inspections.list();
    expect(rows.map(({ is_partial: isPartial }) => isPartial)).toEqual([false, true]);
  });

  test('has a row per storefront, and separate rows per account', async () => {
    await inspections.inspect();
    await inspections.inspect({ storefront: { ...us, lang: 'en-GB' } });
    await inspections.inspect({ account_id: 'bob' });
    expect((await inspections.list()).total).toBe(2);
    expect((await inspections.list({ account_id: 'bob' })).total).toBe(1);
  });

  test('has one row for 20 identical concurrent inspections', async () => {
    await inspections.inspect();
    await inspections.connection.collection('inspections').deleteMany({});
    const replies = await Promise.all(Array.from({ length: 20 }, () => inspections.inspect()));
    expect(replies.every((reply) => reply.is_saved)).toBe(true);
    expect((await inspections.list()).total).toBe(1);
  });

  test('that cannot be written leaves the answer unchanged, apart from is_saved', async () => {
    const whole = await inspections.inspect();
    const { save } = inspections.inspections;
    inspections.inspections.save = async () => {
      throw new Error('the disk is full');
    };
    expect(await inspections.inspect()).toEqual({ ...whole, is_saved: false });
    inspections.inspections.save = save;
    expect((await inspections.list()).total).toBe(1);
  });
});

test.each<[string, Parameters<Inspections['inspect']>[0]]>([
  ['keyword', { keyword: 'a' }],
  ['keyword', { keyword: '' }],
  ['keyword', { keyword: '   ' }],
  ['keyword', { keyword: 'x'.repeat(101) }],
  ['keyword', { keyword: 'x'.repeat(100_000) }],

  ['keyword', { keyword: '\u200ba\u0000' }],
  ['store', { storefront: null }],
  ['country', { storefront: { ...us, country: 'XX' } }],
  ['lang', { storefront: { ...us, lang: '!' } }],
  ['account_id', { account_id: '' }],
])('an invalid %s is refused without a store call', async (field, request) => {
  await expect(inspections.inspect(request)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
  });
  expect(inspections.store.count()).toBe(0);
});

test('an internal error does not count as missing suggestions', async () => {
  inspections.store.fail('suggestTerms', new AppError('INTERNAL_ERROR', 'a mistake'));
  await expect(inspections.inspect()).rejects.toThrow('a mistake');
});
