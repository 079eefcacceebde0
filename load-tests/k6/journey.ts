/**
 * What one user of the API does in one visit. It knows neither k6 nor Node.js: both give it the answers of its calls, so that the
 * load, the warm-up and the comparison with a bare Express answer make the same calls.
 */

/** An account that is ready for visits: it tracks an app with keywords. Made by `warm-up.ts`. */
export type Account = {
  key: string;
  /** of its app: the number in Shelfwise, and the identifier in the store */
  appId: number;
  storeAppId: string;
  keywordIds: readonly number[];
  /** identifiers in the store of apps that it does not track */
  otherApps: readonly string[];
};

export type Call = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; body?: object };

/** 202: a job begins. */
export const isSuccess = ({ status }: { status: number }): boolean => status === 200 || status === 202;

/** The `data` of an answer that is a success; null for any other. */
// biome-ignore lint/suspicious/noExplicitAny: a caller reads whatever comes
export type Data = any;

type Calls = Generator<Call, void, Data>;

const market = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const inMarket = 'store=ITUNES&country=US&lang=en-US';

/** What people look for, in the sample and in the App Store. */
const topics = [
  ...['habit tracker', 'budget planner', 'photo editor', 'recipes', 'language learning', 'workout'],
  ...['sleep sounds', 'weather', 'notes', 'meditation', 'invoices', 'to do list'],
];
const additions = ['free', 'daily', 'simple', 'for kids', 'pro', 'offline', 'app', 'weekly'];

/** Keywords that accounts have from the start. */
export const firstKeywords = topics.slice(0, 5);

function topicOf(visit: number): string {
  return topics[visit % topics.length] as string;
}

/** One of 96 search terms: on a new system the first visits have them scored for the first time. */
function termOf(visit: number): string {
  return `${topicOf(visit)} ${additions[Math.floor(visit / topics.length) % additions.length]}`;
}

/**
 * The parts of a visit, and in which share of the visits they occur: 1 in `every`. Lists are read more often than the store is
 * searched, and niches, which take most, are rare.
 */
const parts: readonly { every: number; calls(account: Account, visit: number): Calls }[] = [
  { every: 1, calls: readApp },
  { every: 1, calls: readRanks },
  { every: 2, calls: trackKeyword },
  { every: 2, calls: research },
  { every: 2, calls: readListing },
  { every: 3, calls: readChart },
  { every: 4, calls: simulate },
  { every: 10, calls: analyzeNiche },
  { every: 10, calls: followCompetitor },
  { every: 20, calls: trackAnotherApp },
  { every: 10, calls: explainScores },
  { every: 20, calls: keepKeywordsField },
  { every: 5, calls: readManyRanks },
  { every: 20, calls: searchApps },
  { every: 20, calls: shareApp },
  { every: 20, calls: takeNote },
  { every: 20, calls: watchRanks },
  // Each visit with it sends two of the ten messages that an account may send in an hour.
  { every: 60, calls: sendAlerts },
  { every: 60, calls: runJob },
];

/** How many routes a whole visit calls: all that the API has. */
export const routeCount = 66;

/** Every part has occurred in its share of the visits after this many. */
export const visitsOfCycle = 60;

/** A user waits this long after each answer, which keeps a key below its five calls a second. */
export const pauseSeconds = 0.3;

/** After each answer of a whole visit, which has nearly as many calls as a key may make in a minute. */
export const pauseSecondsOfWhole = 1.3;

/** An account begins its next visit after this time at the earliest, which keeps its key below its 59 calls a minute. */
export const secondsPerVisit = 20;

/**
 * The calls of a visit, one after another.
 * @param visit counts the visits of all accounts: it decides which parts occur and which words are used
 * @param isWhole whether every part occurs
 */
export function* makeVisit(account: Account, visit: number, isWhole = false): Calls {
  // Shifted, so that not all parts meet in the same visit.
  for (const [index, { every, calls }] of parts.entries())
    if (isWhole || (visit + index) % every === 0) yield* calls(account, visit);
}

/** `GET /api/v1/keywords/{id}/ranks/history`: the method and the path without numbers and parameters. */
export function routeOf({ method, path }: Call): string {
  const [route = ''] = path.split('?');
  return `${method} ${route.replace(/\/\d+(?=\/|$)/g, '/{id}')}`;
}

function* readApp({ appId }: Account): Calls {
  yield get('/account/usage');
  yield get('/applications');
  yield get(`/applications/${appId}/aso-health`);
  yield get(`/applications/${appId}/scores/history`);
  yield get(`/competitors?app_id=${appId}`);
}

function* readRanks({ appId, keywordIds }: Account, visit: number): Calls {
  yield get(`/keywords?app_id=${appId}`);
  yield get(`/keywords/${keywordIds[visit % keywordIds.length]}/ranks/history`);
  yield get(`/applications/${appId}/movers`);
}

/** It is tracked no more at the end, so that lists stay as long as they were. */
function* trackKeyword({ appId }: Account, visit: number): Calls {
  const keyword = termOf(visit);
  yield post('/keywords', { keywords: [keyword], app_id: appId, ...market });
  const rows = yield get(`/keywords?app_id=${appId}&per_page=20`);
  const id = (rows ?? []).find((row: Data) => row.keyword === keyword)?.keyword_id;
  if (id === undefined) return;
  const path = `/keywords/${id}/apps/${appId}`;
  yield { method: 'PATCH', path: `${path}/favorite`, body: { is_favorite: true } };
  yield { method: 'DELETE', path };
}

function* research(_account: Account, visit: number): Calls {
  yield get(`/autocomplete?prefix=${encodeURIComponent(topicOf(visit).slice(0, 5))}&${inMarket}`);
  yield get(`/keywords/inspect?keyword=${encodeURIComponent(termOf(visit))}&${inMarket}`);
  yield get('/keywords/inspect/history?per_page=10');
  yield get('/autocomplete/history?per_page=10');
}

function* readListing({ appId }: Account): Calls {
  yield get(`/applications/${appId}/aso-health?include_words=true`);
  yield post('/metadata/check', { store: 'ITUNES', title: 'Habit tracker', subtitle: 'Daily goals' });
}

function* readChart(): Calls {
  yield get('/top-charts/categories?store=ITUNES');
  yield get('/top-charts?store=ITUNES&country=US&collection=free');
}

function* simulate({ appId }: Account, visit: number): Calls {
  yield post('/metadata/simulate', { app_id: appId, subtitle: `Simple ${topicOf(visit)}` });
  const runs = yield get('/metadata/simulate/history?per_page=10');
  const id = runs?.[0]?.id;
  if (id !== undefined) yield get(`/metadata/simulate/history/${id}`);
}

function* analyzeNiche(_account: Account, visit: number): Calls {
  yield get(`/niches?topic=${encodeURIComponent(topicOf(visit))}&${inMarket}`);
  yield get('/niches/history?per_page=10');
}

/** A visit whose removal was refused leaves what the next one finds and removes: to add it again would be a duplicate. */
function* followCompetitor({ appId, otherApps: [competitor] }: Account): Calls {
  const rows = yield get(`/competitors?app_id=${appId}`);
  const isFollowed = (row: Data) => row.competitor?.app_id === competitor;
  const relation =
    (rows ?? []).find(isFollowed) ??
    (yield post('/competitors', { app_id: appId, competitor_app_id: competitor, ...market }));
  yield get(`/applications/${appId}/keyword-gap`);
  yield get(`/keywords/ranked-by?app_id=${competitor}&${inMarket}`);
  if (relation?.id !== undefined) yield { method: 'DELETE', path: `/competitors/${relation.id}` };
}

/** As `followCompetitor`. */
function* trackAnotherApp({ otherApps: [, other] }: Account): Calls {
  const rows = yield get('/applications');
  const app =
    (rows ?? []).find((row: Data) => row.app_id === other) ??
    (yield post('/applications', { app_id: other, ...market }));
  if (app?.id !== undefined) yield { method: 'DELETE', path: `/applications/${app.id}` };
}

function* explainScores({ keywordIds }: Account, visit: number): Calls {
  yield get(`/keywords/${keywordIds[visit % keywordIds.length]}/scores`);
  const keyword = firstKeywords[visit % firstKeywords.length] as string;
  yield get(`/keywords/scores?keyword=${encodeURIComponent(keyword)}&${inMarket}`);
}

function* readManyRanks({ appId }: Account): Calls {
  yield get(`/applications/${appId}/ranks/history`);
  yield get(`/applications/${appId}/rank-distribution`);
  yield get(`/applications/${appId}/rank-matrix`);
  yield get(`/applications/${appId}/share-of-voice`);
  yield get(`/applications/${appId}/changes`);
}

function* searchApps(_account: Account, visit: number): Calls {
  yield get(`/apps/search?term=${encodeURIComponent(topicOf(visit))}&${inMarket}`);
}

/** As `followCompetitor`. */
function* shareApp({ appId }: Account): Calls {
  const path = `/applications/${appId}/share-links`;
  const label = 'Visit';
  const rows = yield get(path);
  const link =
    (rows ?? []).find((row: Data) => row.label === label) ?? (yield post(path, { label, days: 1 }));
  if (link?.id !== undefined) yield { method: 'DELETE', path: `${path}/${link.id}` };
}

/** As `followCompetitor`. */
function* takeNote({ appId }: Account): Calls {
  const path = `/applications/${appId}/notes`;
  const text = 'Visit';
  const rows = yield get(path);
  const note =
    (rows ?? []).find((row: Data) => row.text === text) ?? (yield post(path, { date: '2026-01-31', text }));
  if (note?.id !== undefined) yield { method: 'DELETE', path: `${path}/${note.id}` };
}

/** As `followCompetitor`. */
function* watchRanks({ appId }: Account): Calls {
  yield get('/alerts');
  const path = '/alerts/rules';
  const kind = 'entered_top';
  const rows = yield get(path);
  const rule =
    (rows ?? []).find((row: Data) => row.kind === kind) ??
    (yield post(path, { app_id: appId, kind, threshold: 3 }));
  if (rule?.id === undefined) return;
  yield { method: 'PATCH', path: `${path}/${rule.id}`, body: { threshold: 5 } };
  yield { method: 'DELETE', path: `${path}/${rule.id}` };
}

/** As `followCompetitor`. The host of the receiver does not exist. */
function* sendAlerts(): Calls {
  const path = '/alerts/channels';
  const name = 'Visit';
  const rows = yield get(path);
  const channel =
    (rows ?? []).find((row: Data) => row.name === name) ??
    (yield post(path, { type: 'webhook', name, url: 'https://hooks.example.invalid/x' }));
  if (channel?.id === undefined) return;
  yield { method: 'PATCH', path: `${path}/${channel.id}`, body: { timing: 'instant' } };
  yield post(`${path}/${channel.id}/test`);
  const deliveries = yield get(`${path}/${channel.id}/deliveries?per_page=10`);
  const delivery = deliveries?.[0]?.id;
  if (delivery !== undefined) yield post(`/alerts/deliveries/${delivery}/redeliver`);
  const digests = '/alerts/digests';
  const found = ((yield get(digests)) ?? []).find((row: Data) => row.channel === channel.id);
  const weekly = { channel: channel.id, every: 'week', hour: 7, time_zone: 'UTC' };
  const digest = found ?? (yield post(digests, weekly));
  if (digest?.id !== undefined) {
    yield { method: 'PATCH', path: `${digests}/${digest.id}`, body: { hour: 8 } };
    yield { method: 'DELETE', path: `${digests}/${digest.id}` };
  }
  yield { method: 'DELETE', path: `${path}/${channel.id}` };
}

/** The job is often done before it is canceled. */
function* runJob(_account: Account, visit: number): Calls {
  yield get('/jobs?per_page=10');
  const job = yield post('/jobs', { kind: 'inspect_keywords', keywords: [termOf(visit)], ...market });
  if (job?.id === undefined) return;
  yield get(`/jobs/${job.id}`);
  yield { method: 'DELETE', path: `/jobs/${job.id}` };
}

/** The field is removed at the end, so that audits stay as they were. */
function* keepKeywordsField({ appId }: Account, visit: number): Calls {
  const path = `/applications/${appId}/keywords-field`;
  yield { method: 'PUT', path, body: { kw_field: termOf(visit).replaceAll(' ', ',') } };
  yield get(path);
  yield { method: 'DELETE', path };
}

function get(path: string): Call {
  return { method: 'GET', path };
}

function post(path: string, body?: object): Call {
  return body ? { method: 'POST', path, body } : { method: 'POST', path };
}
