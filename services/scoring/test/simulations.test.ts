import { createDraftHarness, type Drafts, trackedApp, us } from './start-drafts.ts';

const startDrafts = createDraftHarness();

let drafts: Drafts;
beforeEach(async () => {
  drafts = await startDrafts();
});

/** Runs drafts with these titles, one second apart. Returns their ids. */
async function runAll(titles: readonly string[], accountId = 'ann'): Promise<number[]> {
  const ids = [];
  for (const title of titles) {
    drafts.clock.advance(1000);
    ids.push((await drafts.simulate({ account_id: accountId, storefront: us, draft: { title } })).run_id);
  }
  return ids;
}

const titlesOf = ({ runs }: Awaited<ReturnType<Drafts['list']>>) => runs.map(({ title }) => title);

describe('the list', () => {
  test('is empty for an account without runs', async () => {
    expect(await drafts.list()).toEqual({ runs: [], total: 0 });
  });

  test('has the newest run first, and no runs of another account', async () => {
    await runAll(['One', 'Two', 'Three']);
    await runAll(['Four'], 'bob');
    expect(titlesOf(await drafts.list())).toEqual(['Three', 'Two', 'One']);
    expect(await drafts.list()).toMatchObject({ total: 3 });
    expect(titlesOf(await drafts.list({ account_id: 'bob' }))).toEqual(['Four']);
  });

  test('has pages that neither overlap nor skip runs, even for runs of the same moment', async () => {
    for (let index = 0; index < 7; index++)
      await drafts.simulate({ storefront: us, draft: { title: `Draft ${index}` } });
    const whole = await drafts.list();
    const paged = [];
    for (let page = 1; page <= 3; page++) paged.push(...(await drafts.list({ page, per_page: 3 })).runs);
    expect(paged).toEqual(whole.runs);
    expect(titlesOf(whole)).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `Draft ${index}`));
    expect(await drafts.list({ page: 4, per_page: 3 })).toEqual({ runs: [], total: 7 });
  });

  const allTitles = [
    'Новогодняя ёлка',
    'Back\\slash',
    'Video [beta',
    'v2.0 camera',
    'Photo Editor (50% off)',
  ];

  test.each([
    ['part of a title', 'HOTO ed', ['Photo Editor (50% off)']],
    ['literal regex characters', '(50% OFF)', ['Photo Editor (50% off)']],
    ['a literal dot', '.', ['v2.0 camera']],
    ['a literal pattern that would match everything', '.*', []],
    ['a literal line start', '^photo', []],
    ['an unclosed bracket', '[', ['Video [beta']],
    ['a backslash', '\\', ['Back\\slash']],
    ['letters of another script', 'ЁЛКА', ['Новогодняя ёлка']],
    ['line breaks', 'photo\u2028ed', ['Photo Editor (50% off)']],
    ['a text with invisible characters', '\u200eph\u200boto\u0000', ['Photo Editor (50% off)']],
    ['an empty text', '', allTitles],
    ['a text of invisible characters only', '\u200b\u0000', allTitles],
  ])('can be searched for %s', async (_what, search, found) => {
    await runAll(['Photo Editor (50% off)', 'v2.0 camera', 'Video [beta', 'Back\\slash', 'Новогодняя ёлка']);
    const reply = await drafts.list({ search });
    expect(titlesOf(reply)).toEqual(found);
    expect(reply.total).toBe(found.length);
  });

  test('has pages of search results too', async () => {
    await runAll(['Photo 1', 'Video', 'Photo 2', 'Photo 3']);
    expect(titlesOf(await drafts.list({ search: 'photo', page: 2, per_page: 2 }))).toEqual(['Photo 1']);
    expect(await drafts.list({ search: 'photo', page: 2, per_page: 2 })).toMatchObject({ total: 3 });
  });

  test.each([
    ['page', { page: 0 }],
    ['page', { page: 1_000_001 }],
    ['per_page', { per_page: 0 }],
    ['per_page', { per_page: 201 }],
    ['search', { search: 'x'.repeat(401) }],
    ['account_id', { account_id: '' }],
  ])('refuses a %s out of bounds', async (field, request) => {
    await expect(drafts.list(request)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
    });
  });
});

test('the list cuts a title to 160 characters, never inside one; the run has the whole title', async () => {
  const title = '📷'.repeat(200);
  const [id = 0] = await runAll([title]);
  expect(titlesOf(await drafts.list())).toEqual(['📷'.repeat(160)]);
  expect(titlesOf(await drafts.list({ search: '📷'.repeat(90) }))).toHaveLength(1);
  expect((await drafts.get(id)).run?.title).toBe(title);
});

describe('one run', () => {
  test('of another account is not found, like one that does not exist', async () => {
    const [id = 0] = await runAll(['One']);
    expect((await drafts.get(id)).run?.title).toBe('One');
    await expect(drafts.get(id, 'bob')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(drafts.get(id + 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(drafts.get(0)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('has everything that was scored: the report with its flags and their figures', async () => {
    const reply = await drafts.simulate({ storefront: us, draft: { title: 'Photo editor' } });
    const run = await drafts.get(reply.run_id);
    expect(run.words_probed).toBe(reply.words_probed);
    expect(run.report?.flags).toEqual(reply.flags);
    expect(reply.flags.flatMap(({ evidence }) => evidence).length).toBeGreaterThan(0);
    expect(run.report?.axes.map(({ key, score }) => [key, score])).toEqual([
      ['coverage', reply.aso_health?.coverage],
      ['targeting', reply.aso_health?.targeting],
      ['appeal', reply.aso_health?.appeal],
    ]);
  });
});

describe('the run of given texts', () => {
  const texts = {
    title: 'Harbour Video',
    subtitle: 'Photo editor',
    description: 'Takes pictures.',
    until: '2026-03-10',
    before: { title: 'Harbour Camera', subtitle: 'Photo editor', description: 'Takes pictures.' },
  };
  const find = async (change: object = {}, request: object = {}) =>
    (await drafts.find({ app_id: 7, texts: [{ ...texts, ...change }], ...request })).found[0];
  const run = async (draft: object, app = trackedApp()) => {
    drafts.clock.advance(1000);
    return (await drafts.simulate({ app, draft })).run_id;
  };

  test('is the latest one that has all of them, whatever its keywords field', async () => {
    await run({ title: texts.title });
    const id = await run({ title: texts.title, kw_field: 'boat' });
    await run({ title: texts.title, subtitle: 'Other' });
    const { runs } = await drafts.list();
    const deltas = new Map(runs.map((row) => [row.id, row.delta_global ?? null]));
    expect(await find()).toEqual({ id, delta_global: deltas.get(id) });
    expect(await find({ subtitle: 'Another' })).toEqual({ id: null, delta_global: null });
  });

  test('is of that day or before, although the same texts ran later with another keywords field', async () => {
    const id = await run({ title: texts.title });
    drafts.clock.advance(24 * 3_600_000);
    const later = await run({ title: texts.title, kw_field: 'boat' });
    expect(await find()).toMatchObject({ id });
    expect(await find({ until: '2026-03-11' })).toMatchObject({ id: later });
    expect(await find({ until: '2026-03-09' })).toMatchObject({ id: null });
  });

  test('is kept when the same texts run again after they were shipped', async () => {
    // So that the words of the listing are measured.
    await run({});
    const id = await run({ title: texts.title });
    const predicted = await find();
    expect(predicted).toEqual({ id, delta_global: expect.any(Number) });
    drafts.clock.advance(24 * 3_600_000);
    expect(await run({ title: texts.title }, trackedApp({ title: texts.title }))).toBe(id);
    expect((await drafts.list()).runs[0]).toMatchObject({ id, edited: false, runs_count: 2 });
    expect(await find()).toEqual(predicted);
    expect(await find({ until: '2026-03-20' })).toEqual(predicted);
  });

  test('was run against the listing before, not an older one', async () => {
    const id = await run({ title: texts.title });
    const other = { ...texts.before, subtitle: 'Video editor' };
    expect(await find({ before: other })).toEqual({ id: null, delta_global: null });
    expect(await find({ before: { ...texts.before, subtitle: null } })).toMatchObject({ id: null });
    expect(await find({ before: null })).toMatchObject({ id: null });
    // Against both, it predicts the change from each.
    await run({ title: texts.title, subtitle: texts.subtitle }, trackedApp({ subtitle: other.subtitle }));
    expect(await find({ before: other })).toMatchObject({ id });
    expect(await find()).toMatchObject({ id });
  });

  test('is not known of runs that an older version stored', async () => {
    await run({ title: texts.title });
    await drafts.connection.collection('simulation_runs').updateMany({}, { $unset: { predictions: 1 } });
    expect(await find()).toMatchObject({ id: null });
  });

  test('is found in another spelling of letters, line breaks and white space', async () => {
    const id = await run({ title: 'Caf\u00e9', description: 'One.\nTwo.' });
    const spelled = { title: 'Cafe\u0301', description: 'One.\r\nTwo.\n' };
    expect(await find(spelled)).toMatchObject({ id });
  });

  test('is not one of the live listing, of another app or account, nor of texts that are not known', async () => {
    await run({});
    expect(await find({ title: 'Harbour Camera' })).toMatchObject({ id: null });
    const id = await run({ title: texts.title });
    expect(await find()).toMatchObject({ id });
    expect(await find({ subtitle: null })).toMatchObject({ id: null });
    expect(await find({}, { app_id: 8 })).toMatchObject({ id: null });
    expect(await find({}, { account_id: 'bob' })).toMatchObject({ id: null });
  });

  test('is asked for 1 to 50 texts, each until a day', async () => {
    for (const until of ['', '2026-02-30'])
      await expect(find({ until })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    for (const count of [0, 51])
      await expect(drafts.find({ texts: Array.from({ length: count }, () => texts) })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      });
    expect((await drafts.find({ texts: Array.from({ length: 50 }, () => texts) })).found).toHaveLength(50);
  });
});
