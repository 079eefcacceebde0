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

const html = 'text/html; charset=utf-8';

/** Google Play's answer, in its own shapes with invented apps; null at an address where it has none. */
export function answerGooglePlay({ method, url, body }: RequestToFake): Answered | null {
  const { pathname, searchParams } = url;
  const country = (searchParams.get('gl') ?? 'US').toUpperCase();
  if (method === 'POST') return pathname.endsWith('/batchexecute') ? answerRpc(url, body, country) : null;
  if (pathname === '/store/apps/details') return showApp(searchParams.get('id'), country);
  if (pathname === '/store/search') return showSearch(searchParams.get('q') ?? '', country);
  return null;
}

function showApp(appId: string | null, country: string): Answered {
  const app = playAppsIn(country).find((sold) => sold.appId === appId);
  if (app === undefined)
    return { status: 404, contentType: html, text: '<html><title>Not Found</title></html>' };
  return { status: 200, contentType: html, text: toPage({ 'ds:3': [], 'ds:5': toAppData(app, country) }) };
}

/** An app is featured above the others when its brand is searched for. */
function showSearch(term: string, country: string): Answered {
  const found = searchPlayApps(term, country);
  const featured = found.find(({ title }) => wordsOf(title)[0] === wordsOf(term).join(' '));
  const listed = found.length > 1 ? found.filter((app) => app !== featured) : found;
  const sections =
    found.length === 0 ? nothingFound : toSections(listed, country, { featured, token: 'next' });
  return { status: 200, contentType: html, text: toPage({ 'ds:3': [], 'ds:4': toSearchData(sections) }) };
}

function answerRpc(url: URL, body: string, country: string): Answered {
  const rpcId = url.searchParams.get('rpcids');
  const [[[, inner]]] = JSON.parse(new URLSearchParams(body).get('f.req') ?? '[[[]]]');
  const isChunked = url.searchParams.get('rt') === 'c';
  const answer = (payload: unknown): Answered => ({
    status: 200,
    contentType: 'application/json; charset=utf-8',
    text: toRpcAnswer(String(rpcId), payload, { isChunked }),
  });
  if (rpcId === 'IJ4APc') {
    const terms = completePlayPrefix(JSON.parse(inner)[0][1][0], country);
    return answer(terms.length > 0 ? toSuggestionData(terms) : null);
  }
  if (rpcId === 'vyAe2') return answer(toChartData(chartOf(JSON.parse(inner), country), country));
  return { status: 400, contentType: html, text: 'no such procedure' };
}

/** The request contains a cluster and a category, deeply nested. */
function chartOf(question: unknown, country: string): PlayApp[] {
  const [, cluster = '', category = ''] = /"(top\w+)","([A-Z_]+)"/.exec(JSON.stringify(question)) ?? [];
  return chartPlayApps(category, cluster, country);
}
