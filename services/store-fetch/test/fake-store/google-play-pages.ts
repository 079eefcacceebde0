import {
  chartPlayApps,
  completePlayPrefix,
  type PlayApp,
  playAppsIn,
  searchPlayApps,
  wordsOf,
} from './google-play-apps.ts';
import {
  nothingFound,
  toAppData,
  toChartData,
  toPage,
  toRpcAnswer,
  toSearchData,
  toSections,
  toSuggestionData,
} from './google-play-shapes.ts';

type RequestToFake = { method: string; url: URL; body: string };
type Answered = { status: number; contentType: string; text: string };

/** What a fake Google Play sells in a country. */
export type PlayShelf = {
  find(appId: string, country: string): PlayApp | undefined;
  search(term: string, country: string): PlayApp[];
  complete(prefix: string, country: string): string[];
  chart(category: string, cluster: string, country: string): PlayApp[];
};

const inventedApps: PlayShelf = {
  find: (appId, country) => playAppsIn(country).find((sold) => sold.appId === appId),
  search: searchPlayApps,
  complete: completePlayPrefix,
  chart: chartPlayApps,
};

const html = 'text/html; charset=utf-8';

/** Google Play's answer, in its own shapes; null at an address where it has none. */
export function answerGooglePlay(
  { method, url, body }: RequestToFake,
  shelf: PlayShelf = inventedApps,
): Answered | null {
  const { pathname, searchParams } = url;
  const country = (searchParams.get('gl') ?? 'US').toUpperCase();
  if (method === 'POST')
    return pathname.endsWith('/batchexecute') ? answerRpc(shelf, { url, body, country }) : null;
  if (pathname === '/store/apps/details')
    return showApp(shelf.find(searchParams.get('id') ?? '', country), country);
  if (pathname === '/store/search')
    return showSearch(
      searchParams.get('q') ?? '',
      shelf.search(searchParams.get('q') ?? '', country),
      country,
    );
  return null;
}

function showApp(app: PlayApp | undefined, country: string): Answered {
  if (app === undefined)
    return { status: 404, contentType: html, text: '<html><title>Not Found</title></html>' };
  return { status: 200, contentType: html, text: toPage({ 'ds:3': [], 'ds:5': toAppData(app, country) }) };
}

/** An app is featured above the others when its brand is searched for. */
function showSearch(term: string, found: readonly PlayApp[], country: string): Answered {
  const featured = found.find(({ title }) => wordsOf(title)[0] === wordsOf(term).join(' '));
  const listed = found.length > 1 ? found.filter((app) => app !== featured) : found;
  const sections =
    found.length === 0 ? nothingFound : toSections(listed, country, { featured, token: 'next' });
  return { status: 200, contentType: html, text: toPage({ 'ds:3': [], 'ds:4': toSearchData(sections) }) };
}

function answerRpc(
  shelf: PlayShelf,
  { url, body, country }: { url: URL; body: string; country: string },
): Answered {
  const rpcId = url.searchParams.get('rpcids');
  const [[[, inner]]] = JSON.parse(new URLSearchParams(body).get('f.req') ?? '[[[]]]');
  const isChunked = url.searchParams.get('rt') === 'c';
  const answer = (payload: unknown): Answered => ({
    status: 200,
    contentType: 'application/json; charset=utf-8',
    text: toRpcAnswer(String(rpcId), payload, { isChunked }),
  });
  if (rpcId === 'IJ4APc') {
    const terms = shelf.complete(JSON.parse(inner)[0][1][0], country);
    return answer(terms.length > 0 ? toSuggestionData(terms) : null);
  }
  if (rpcId === 'vyAe2') {
    // The request contains a cluster and a category, deeply nested.
    const question = JSON.stringify(JSON.parse(inner));
    const [, cluster = '', category = ''] = /"(top\w+)","([A-Z_]+)"/.exec(question) ?? [];
    return answer(toChartData(shelf.chart(category, cluster, country), country));
  }
  return { status: 400, contentType: html, text: 'no such procedure' };
}
