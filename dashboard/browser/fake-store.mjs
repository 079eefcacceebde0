// An App Store of a few apps with hostile texts, which can refuse to be read. For the journeys that the sample cannot show.
import { createServer } from 'node:http';

export const hostile = {
  markup: '<img src=x onerror="document.title=1">Habit',
  rightToLeft: 'abc \u202etxet nettirw-thgir',
  emoji: '😀'.repeat(4000),
};

/** The ids of the apps with hostile titles begin with this one. */
export const hostileAppId = 1001;

const titles = [hostile.markup, hostile.rightToLeft, hostile.emoji, 'A plain app'];

function toRow(title, at) {
  const id = hostileAppId + at;
  return {
    wrapperType: 'software',
    kind: 'software',
    trackId: id,
    trackName: title,
    bundleId: `com.example.app${id}`,
    artistName: `<b>Developer</b> ${at}`,
    primaryGenreName: 'Productivity',
    primaryGenreId: 6007,
    averageUserRating: 4.5,
    userRatingCount: 1200,
    currentVersionReleaseDate: '2026-11-01T00:00:00Z',
    releaseDate: '2024-01-01T00:00:00Z',
    trackViewUrl: `https://apps.apple.com/us/app/id${id}`,
    description: '</script><script>document.title=2</script> habit tracker',
    version: '1.0',
    price: 0,
    currency: 'USD',
    languageCodesISO2A: ['EN'],
    screenshotUrls: [],
  };
}

const apps = [...titles, ...Array.from({ length: 26 }, (_, at) => `App ${at}`)].map(toRow);

const toHints = (terms) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>title</key><string>Suggestions</string><key>hints</key><array>${terms
  .map((term) => `<dict><key>term</key><string>${term}</string></dict>`)
  .join('')}</array></dict></plist>`;

/** One red pixel. */
const icon = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** The chart of an address: all apps, in their order. */
function toChart(url) {
  const entry = apps.map(({ trackId, trackName, artistName }) => ({
    id: { attributes: { 'im:id': String(trackId) } },
    'im:name': { label: trackName },
    'im:artist': { label: artistName },
  }));
  return { feed: { title: { label: 'Top Apps' }, id: { label: url.href }, entry } };
}

/**
 * Starts it on a free port.
 * `store.refuses(endpoint, term)`: whether a call is refused, as the App Store refuses an address: 403 and no body. `garbled`: terms
 * that are answered by another page. `searches`: the terms that were searched.
 */
export async function startFakeStore() {
  const store = { refuses: () => false, garbled: new Set(), searches: [] };
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://store');
    const { pathname, searchParams: query } = url;
    const send = (status, type, text) => response.writeHead(status, { 'content-type': type }).end(text);
    const sendRows = (rows) => {
      const results = rows.map((row) => ({
        ...row,
        artworkUrl512: `http://${request.headers.host}/icons/${row.trackId}.png`,
      }));
      send(200, 'text/javascript', JSON.stringify({ resultCount: results.length, results }));
    };
    const endpoint = pathname.split('/').at(-1);
    const term = query.get('term') ?? '';
    // Image servers are others than those which refuse.
    if (pathname.startsWith('/icons/')) send(200, 'image/png', icon);
    else if (store.refuses(endpoint, term)) send(403, 'text/html', '');
    else if (store.garbled.has(term)) send(200, 'text/html', '<!doctype html><p>Moved');
    else if (endpoint === 'search') {
      store.searches.push(term);
      sendRows(apps);
    } else if (endpoint === 'lookup') {
      const ids = (query.get('id') ?? '').split(',').map(Number);
      sendRows(apps.filter(({ trackId }) => ids.includes(trackId)));
    } else if (endpoint === 'hints') send(200, 'text/xml', toHints([term, `${term} app`]));
    else if (pathname.includes('/rss/')) send(200, 'text/javascript', JSON.stringify(toChart(url)));
    else send(404, 'text/html', '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    store,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
    /** The settings of a start that reads it, as fast as it can. */
    settings: {
      STORE_SOURCE: 'live',
      STORE_ITUNES_URL: url,
      STORE_ITUNES_HINTS_URL: url,
      STORE_APPS_URL: url,
      STORE_PLAY_URL: url,
      STORE_ITUNES_PER_MINUTE: '6000',
      STORE_ITUNES_HINTS_PER_MINUTE: '6000',
      STORE_ITUNES_PAGES_PER_MINUTE: '6000',
      STORE_PLAY_PER_MINUTE: '6000',
    },
  };
}
