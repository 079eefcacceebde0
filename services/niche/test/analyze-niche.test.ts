import { runInThisContext } from 'node:vm';
import { until } from '../../../testing/until.ts';
import { analysisVersion, scoringVersion } from '../src/domain/scoring-version.ts';
import { createHarness, habitTerms, keywordsOf, within } from './start-niche.ts';

const { startNiche } = createHarness();

const dayMs = 24 * 60 * 60_000;
const allButDates = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];
const never = () => new Promise<void>(() => {});

test('an analysis returns the clusters of the terms that people search for around a topic', async () => {
  const { analyze, clock, store, scoring } = await startNiche();
  scoring.setScore('habit kind0 term1', { traffic: 70, difficulty: 20 });
  const { analysis, ...rest } = await analyze();
  expect(rest).toEqual({ origin: 'FRESH', is_saved: true });
  expect(analysis).toMatchObject({
    topic: 'habit tracker',
    storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
    analyzed_at: clock.at,
    oldest_read_at: clock.at,
    left_out: 0,
    source: 'sample',
    scoring_version: scoringVersion,
  });
  const names = analysis?.clusters.map(({ name }) => name) ?? [];
  expect(names).toContain('habit kind0 term1');
  const keywords = analysis?.clusters.flatMap((cluster) => cluster.keywords) ?? [];
  expect(analysis?.total_keywords).toBe(keywords.length);
  expect(keywords).toContainEqual({
    name: 'habit kind0 term1',
    traffic_score: 70,
    difficulty_score: 20,
    scored_at: clock.at,
  });
  expect(keywords.map(({ name }) => name)).toEqual(expect.arrayContaining(habitTerms(12)));
  const completed = store.calls.filter(({ rpc }) => rpc === 'suggestTerms').map(({ text }) => text);
  expect(completed).toEqual(expect.arrayContaining(['habit tracker', 'habit tracker a', 'habit tracker z']));
  expect(store.calls.filter(({ rpc }) => rpc === 'searchApps')).toHaveLength(1);
});

test('phrases of the titles that rank for the topic are scored, too', async () => {
  const { analyze, scoring } = await startNiche();
  await analyze();
  expect(scoring.requestedTerms()).toEqual(expect.arrayContaining(['habit tracker', 'routine planner']));
});

test('a keyword without searches is in no cluster', async () => {
  const { analyze, scoring } = await startNiche();
  scoring.setScore('habit kind0 term3', { search_status: 'unsearched', traffic: 2 });
  const { analysis } = await analyze();
  expect(keywordsOf(analysis)).toContain('habit kind0 term2');
  expect(keywordsOf(analysis)).not.toContain('habit kind0 term3');
});

test('for seven days the analysis is served from the cache, to every account and for every spelling', async () => {
  const { analyze, list, clock, store } = await startNiche();
  const first = await analyze();
  const calls = store.count();
  clock.advance(7 * dayMs - 1);
  const again = await analyze({ account_id: 'ben', topic: '  HABIT   Tracker ' });
  expect(again).toEqual({ ...first, origin: 'CACHED' });
  expect(store.count()).toBe(calls);
  expect((await list('ben')).niches).toMatchObject([{ topic: 'habit tracker', created_at: clock.at }]);
});

test('after seven days a topic is analyzed again and gets another row in the history', async () => {
  const { analyze, list, clock, store, rows } = await startNiche();
  await analyze();
  store.forget();
  clock.advance(7 * dayMs);
  expect(await analyze()).toMatchObject({ origin: 'FRESH', analysis: { analyzed_at: clock.at } });
  expect((await list()).total).toBe(2);
  expect(await rows('analyses')).toHaveLength(1);
});

test('each storefront has its own analysis', async () => {
  const { analyze, rows } = await startNiche();
  await analyze();
  const german = await analyze({ storefront: { store: 'ITUNES', country: 'DE', lang: 'de' } });
  expect(german.origin).toBe('FRESH');
  expect(await rows('analyses')).toHaveLength(2);
});

test('many callers can wait for one analysis without a leak warning from Node', async () => {
  const { analyze, holdScoring, untilReading } = await startNiche();
  const warnings: string[] = [];
  const record = ({ message }: Error) => warnings.push(message);
  // In a test `process` is a copy that receives no warnings.
  const node: NodeJS.Process = runInThisContext('process');
  node.on('warning', record);
  const open = holdScoring();
  const calls = Array.from({ length: 30 }, (_, index) => analyze({ account_id: `account ${index}` }));
  await untilReading();
  open();
  expect((await Promise.all(calls)).filter(({ origin }) => origin === 'JOINED')).toHaveLength(29);
  node.off('warning', record);
  expect(warnings).toEqual([]);
});

test('simultaneous callers share one analysis', async () => {
  const { analyze, list, store } = await startNiche();
  const replies = await Promise.all(
    ['ann', 'ben', 'cat'].map((accountId) => analyze({ account_id: accountId })),
  );
  expect(replies.map(({ origin }) => origin).sort()).toEqual(['FRESH', 'JOINED', 'JOINED']);
  expect(new Set(replies.map(({ analysis }) => JSON.stringify(analysis))).size).toBe(1);
  expect(store.count('searchApps')).toBe(1);
  expect((await list('cat')).total).toBe(1);
});

test('an analysis is finished and cached when its caller has left', async () => {
  const { analyze, find, holdScoring, untilReading } = await startNiche();
  const open = holdScoring();
  const caller = new AbortController();
  const call = analyze({}, within(300_000, caller.signal));
  await untilReading();
  caller.abort();
  await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  open();
  expect((await find({ account_id: 'ben' })).analysis).not.toBeNull();
});

test('a caller with a short deadline learns that the analysis continues, and the next call gets it', async () => {
  const { analyze, clock, holdScoring, untilReading } = await startNiche();
  const open = holdScoring();
  const call = analyze({}, within(20_000));
  await untilReading();
  clock.advance(19_000);
  await expect(call).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('It continues in the background'),
  });
  open();
  await until(async () => (await analyze()).origin !== 'FRESH');
});

test('terms that scoring already knows are not read again', async () => {
  const { analyze, scoring, clock } = await startNiche();
  await analyze();
  const known = scoring.requestedTerms().length;
  clock.advance(7 * dayMs);
  await analyze();
  expect(scoring.requestedTerms()).toHaveLength(known);
});

test('terms are read for three minutes, the best first; the others are counted', async () => {
  const { analyze, clock, store, scoring } = await startNiche();
  store.shown.terms = habitTerms(40);
  let reads = 0;
  scoring.hooks.beforeAnswer = async () => {
    reads += 1;
    if (reads > 6) await never();
  };
  const call = analyze();
  await until(() => reads > 6);
  expect(scoring.requestedTerms()[0]).toBe('habit tracker');
  clock.advance(180_000);
  const { analysis } = await call;
  const read = scoring.known.size;
  expect(read).toBeGreaterThanOrEqual(6);
  expect(analysis?.left_out).toBe((analysis?.candidates ?? 0) - read);
  expect(analysis?.candidates).toBeGreaterThan(40);
  expect(keywordsOf(analysis).every((name) => scoring.known.has(name))).toBe(true);
});

test('the third of three simultaneous topics is answered within its caller’s deadline', async () => {
  const { analyze, server, untilStatus, clock, scoring } = await startNiche();
  const topics = ['camera', 'recipes', 'running'];
  const [ann, ben, cat] = ['ann', 'ben', 'cat'].map((name) => ({ account_id: name }));
  scoring.hooks.beforeAnswer = async (keywords) => {
    if (!keywords.some((keyword) => topics.includes(keyword))) await never();
  };
  const [first, second] = [analyze({ ...ann, topic: 'camera' }), analyze({ ...ben, topic: 'recipes' })];
  const isAnswered = (reply: typeof first) => expect(reply).resolves.toMatchObject({ origin: 'FRESH' });
  await until(() => scoring.known.size === 2);
  const third = analyze({ ...cat, topic: 'running' });
  await untilStatus('2 running, 1 waiting');
  clock.advance(180_000);
  await Promise.all([isAnswered(first), isAnswered(second)]);
  await until(() => scoring.known.size === 3);
  clock.advance(104_000);
  expect((await server.checks.analyses?.())?.detail).toBe('1 running, 0 waiting');
  clock.advance(1_000);
  await isAnswered(third);
});

test('every call to the store and to scoring has a deadline, and is for the account of the analysis', async () => {
  const { analyze, clock, store, scoring } = await startNiche();
  jest.useFakeTimers({ now: clock.at, doNotFake: allButDates });
  try {
    await analyze();
  } finally {
    jest.useRealTimers();
  }
  const calls = [...store.calls.map(({ call }) => call), ...scoring.calls];
  expect(calls.every(({ deadline }) => deadline.getTime() - clock.at.getTime() <= 45_000)).toBe(true);
  expect(calls.every(({ requestId }) => requestId === 'request-1')).toBe(true);
  expect(calls.every(({ callerId }) => callerId === 'ann')).toBe(true);
});

test('when the store blocks, the analysis fails early, says why and stores nothing', async () => {
  const { analyze, list, store, scoring, rows } = await startNiche();
  store.shown.terms = habitTerms(200);
  scoring.refusal.of = () => 'The App Store blocks us.';
  await expect(analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringMatching(/App Store.*The App Store blocks us\..*a retry takes less time/),
  });
  expect(scoring.requestedTerms().length).toBeLessThan(10);
  expect(await rows('analyses')).toEqual([]);
  expect((await list()).total).toBe(0);
});

test('after a failure the next call tries again and reuses what was read', async () => {
  const { analyze, store, scoring } = await startNiche();
  scoring.refusal.of = (keyword) =>
    scoring.known.size > 3 && !scoring.known.has(keyword) ? 'Blocked.' : null;
  store.shown.terms = habitTerms(60);
  await expect(analyze()).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  const read = [...scoring.known.keys()];
  scoring.refusal.of = () => null;
  scoring.requests.length = 0;
  store.forget();
  expect((await analyze()).origin).toBe('FRESH');
  expect(scoring.requestedTerms().filter((keyword) => read.includes(keyword))).toEqual([]);
});

test('without suggestions and result page the analysis fails, and a store that is down is not queried for every letter', async () => {
  const { analyze, store, rows } = await startNiche();
  store.fail('suggestTerms');
  store.fail('searchApps');
  await expect(analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('The App Store blocks us.'),
  });
  expect(store.count()).toBeLessThan(10);
  expect(await rows('analyses')).toEqual([]);
});

test('without scoring the analysis fails', async () => {
  const { analyze, scoring } = await startNiche();
  scoring.goDown();
  await expect(analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('scoring service cannot be reached'),
  });
});

test('an analysis fails when no term can be read in three minutes', async () => {
  const { analyze, clock, scoring, rows } = await startNiche();
  scoring.hooks.beforeAnswer = never;
  const call = analyze();
  await until(() => scoring.requestedTerms().length > 0);
  clock.advance(180_000);
  await expect(call).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('in time'),
  });
  expect(await rows('analyses')).toEqual([]);
});

test('a topic without searches has no clusters and says why; this result is cached, too', async () => {
  const { analyze, list, store, scoring } = await startNiche();
  store.shown.terms = [];
  store.shown.titles = [];
  scoring.setScore('xqzt', { search_status: 'unsearched', traffic: 0, difficulty: null, top: [] });
  const { analysis } = await analyze({ topic: 'xqzt' });
  const nothing = { clusters: [], total_keywords: 0, oldest_read_at: null };
  expect(analysis).toMatchObject({ ...nothing, candidates: 1, no_clusters_reason: 'topic_page_short' });
  expect(await analyze({ topic: 'xqzt' })).toEqual({ analysis, origin: 'CACHED', is_saved: true });
  const row = { clusters_count: 0, keywords_count: 0, top_opportunity_score: null };
  expect((await list()).niches).toMatchObject([row]);
});

test.each([
  ['when no other term leads to its apps', 'no_related_terms', { top: [] }],
  ['when people do not search for the terms about it', 'no_searched_terms', { search_status: 'unsearched' }],
  ['when no other term could be read', 'no_terms_read', { difficulty: null }],
])('a topic has no clusters %s', async (_when, reason, score) => {
  const { analyze, store, scoring } = await startNiche();
  store.shown.terms = ['habit log'];
  store.shown.titles = ['Habit Tracker', 'Habit Tracker'];
  scoring.setScore('habit tracker', { search_status: 'unsearched', traffic: 4 });
  scoring.setScore('habit log', score);
  scoring.setScore('habit', score);
  const { analysis } = await analyze();
  expect(analysis).toMatchObject({ clusters: [], no_clusters_reason: reason });
});

test('an analysis of an older version of the formulas is not served: the topic is analyzed again', async () => {
  const { analyze, find, connection, rows } = await startNiche();
  await analyze();
  for (const older of [{ scoring_version: scoringVersion - 1 }, { analysis_version: analysisVersion - 1 }]) {
    await connection.collection('analyses').updateOne({ topic: 'habit tracker' }, { $set: older });
    expect((await find()).origin).toBe('NOT_BEGUN');
    expect((await analyze()).origin).toBe('FRESH');
    expect(await rows('analyses')).toMatchObject([
      { scoring_version: scoringVersion, analysis_version: analysisVersion },
    ]);
  }
});

test('sample and live stores are never mixed, neither in an analysis nor in a database', async () => {
  const { analyze, store, scoring } = await startNiche();
  scoring.origin.source = 'app-store';
  await expect(analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('the sample catalog'),
  });
  store.shown.source = 'app-store';
  store.forget();
  await expect(analyze({ topic: 'camera' })).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
});

test('per store two analyses run, a hundred wait, and more are refused', async () => {
  const { analyze, store, holdStore, untilStatus, connection } = await startNiche();
  const open = holdStore();
  const calls = ['one', 'two', 'three'].map((name) => analyze({ topic: `topic ${name}`, account_id: name }));
  await untilStatus('2 running, 1 waiting');
  const queue = connection.collection<{ _id: string; entries: { holder: string }[] }>('analysis_queues');
  const readEntries = async () => (await queue.findOne({ _id: 'ITUNES' }))?.entries ?? [];
  const setEntries = (entries: { holder: string }[]) =>
    queue.updateOne({ _id: 'ITUNES' }, { $set: { entries }, $inc: { version: 1 } });
  // They wait in another copy.
  const waiting = Array.from({ length: 99 }, (_, index) => ({
    id: `waiting ${index}`,
    key: `waiting ${index}`,
    holder: 'another copy',
    callers: [{ id: `account ${index}`, since: 10 + index }],
    runs_for: null,
    renewals: 1,
  }));
  await setEntries([...(await readEntries()), ...waiting]);
  await expect(analyze({ topic: 'one more' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('100 niche analyses'),
  });
  expect(store.count('searchApps')).toBe(2);
  const play = analyze({ topic: 'other store', storefront: { store: 'GPLAY', country: 'US', lang: 'en' } });
  await until(() => store.count('searchApps') === 3);
  await setEntries((await readEntries()).filter(({ holder }) => holder !== 'another copy'));
  calls.push(analyze({ topic: 'one more' }));
  open();
  expect((await play).origin).toBe('FRESH');
  for (const { origin } of await Promise.all(calls)) expect(origin).toBe('FRESH');
});

test('an analysis is returned even when the history cannot be written', async () => {
  const { analyze, connection, lines } = await startNiche();
  jest.spyOn(connection.model('HistoryRow'), 'exists').mockImplementation(() => {
    throw new Error('the disk is full');
  });
  expect(await analyze()).toMatchObject({ origin: 'FRESH', is_saved: false });
  expect(lines.find(({ level }) => level === 50)).toMatchObject({ request_id: 'request-1' });
});

test.each([
  ['topic', { topic: 'x' }],
  ['topic', { topic: ` ${'é'.repeat(101)} ` }],
  ['topic', { topic: 'a\u0000\u200b' }],
  ['store', { storefront: null }],
  ['country', { storefront: { store: 'ITUNES' as const, country: 'XX', lang: 'en' } }],
  ['lang', { storefront: { store: 'ITUNES' as const, country: 'US', lang: '!' } }],
  ['account_id', { account_id: '' }],
])('a call with an invalid %s is refused without a store call', async (field, request) => {
  const { analyze, store } = await startNiche();
  await expect(analyze(request)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
  });
  expect(store.count()).toBe(0);
});

test('a topic of a hundred characters with two UTF-16 units each is analyzed', async () => {
  const { analyze, store } = await startNiche();
  const topic = '😀'.repeat(100);
  expect((await analyze({ topic })).origin).toBe('FRESH');
  expect(store.calls.every(({ text }) => text.length <= 200)).toBe(true);
});

test('the log shows the progress of an analysis with its request id', async () => {
  const { analyze, clock, store, scoring, lines } = await startNiche();
  store.shown.terms = habitTerms(60);
  scoring.hooks.beforeAnswer = async () => clock.advance(1500);
  await analyze();
  const progress = lines.filter(({ msg }) => msg === 'niche analysis');
  expect(progress.map(({ phase }) => phase)).toEqual(
    expect.arrayContaining(['candidates', 'reading', 'clusters']),
  );
  const about = {
    request_id: 'request-1',
    topic: 'habit tracker',
    store: 'ITUNES',
    candidates: expect.any(Number),
  };
  for (const line of progress) expect(line).toMatchObject({ ...about, seconds: expect.any(Number) });
});

test('progress and failures of analyses can be logged at a level of their own', async () => {
  const { analyze, find, scoring, lines } = await startNiche({ isQuiet: true });
  await analyze();
  await find();
  expect(lines.map(({ phase, msg }) => phase ?? msg)).toEqual([
    ...['candidates', 'clusters', 'niche analysis stored'],
  ]);
  scoring.goDown();
  await expect(analyze({ topic: 'camera' })).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  expect(lines.slice(3).map(({ phase, msg }) => phase ?? msg)).toEqual([
    'candidates',
    'niche analysis failed',
  ]);
});
