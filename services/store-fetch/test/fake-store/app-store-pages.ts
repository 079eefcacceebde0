import {
  chartFakeApps,
  type FakeRow,
  findFakePage,
  lookUpFakeApps,
  searchFakeApps,
  suggestFakeTerms,
} from './fake-apps.ts';

/** An answer of a store; `headers` in addition to the content type. */
export type FakeAnswer = {
  status: number;
  contentType: string;
  text: string;
  headers?: Record<string, string>;
};

/** The App Store's answer at an address; null where it has no endpoint. */
export function answerAppStore(url: URL, storefrontHeader: string | undefined): FakeAnswer | null {
  const { pathname, searchParams } = url;
  const country = searchParams.get('country') ?? 'us';
  const list = (name: string) => searchParams.get(name)?.split(',') ?? [];
  if (pathname === '/search') {
    const limit = Math.min(200, Number(searchParams.get('limit') ?? 50));
    return itunesPage(searchFakeApps(searchParams.get('term') ?? '', country, limit));
  }
  if (pathname === '/lookup') return itunesPage(lookUpFakeApps(list('id'), list('bundleId'), country));
  if (pathname === '/WebObjects/MZSearchHints.woa/wa/hints') {
    // Without the storefront's number the store answers with no suggestions.
    const of = storefronts[storefrontHeader?.replace(/[-,].*/, '') ?? ''];
    const isAsked = of !== undefined && searchParams.get('clientApplication') === 'Software';
    return hintsPage(isAsked ? suggestFakeTerms(searchParams.get('term') ?? '', of) : []);
  }
  const chart =
    /^\/([a-z]{2})\/rss\/top(free|paid|grossing)applications\/limit=(\d+)\/(?:genre=(\d+)\/)?json$/;
  const [, of = '', collection = '', limit, genre] = chart.exec(pathname) ?? [];
  if (collection) {
    const feed = { collection, genre: genre ? Number(genre) : null, limit: Number(limit) };
    return chartPage(url, chartFakeApps(feed, of));
  }
  const app = /^\/([a-z]{2})\/app\/(?:([^/]+)\/)?id(\d+)$/.exec(pathname);
  return app && appPage(app[1] ?? '', app[2], Number(app[3]));
}

/** The numbers of the storefronts that have suggestions in the fake store. */
const storefronts: Record<string, string> = { '143441': 'us', '143443': 'de', '143462': 'jp' };

function itunesPage(results: FakeRow[]): FakeAnswer {
  return json({ resultCount: results.length, results });
}

function hintsPage(terms: readonly string[]): FakeAnswer {
  const hints = terms.map(
    (term, i) =>
      `<dict><key>term</key><string>${escaped(term)}</string><key>priority</key><integer>${9000 - i}</integer></dict>`,
  );
  return {
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    text: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>title</key><string>Suggestions</string><key>hints</key><array>${hints.join('')}</array></dict></plist>
`,
  };
}

function chartPage(url: URL, rows: readonly FakeRow[]): FakeAnswer {
  const entries = rows.map(toEntry);
  // A single row is not in a list, and without rows there is no key.
  const entry = entries.length > 1 ? entries : entries[0];
  const feed = {
    author: { name: { label: 'iTunes Store' } },
    entry,
    updated: { label: '2026-03-01T05:00:00-07:00' },
    rights: { label: 'Copyright' },
    title: { label: 'iTunes Store: Top Apps' },
    id: { label: `https://itunes.example${url.pathname}` },
  };
  return json({ feed });
}

function toEntry(row: FakeRow) {
  const image = (height: number) => ({
    label: row.artworkUrl100.replace('100', String(height)),
    attributes: { height: String(height) },
  });
  return {
    'im:name': { label: row.trackName },
    // Not sorted by size, as in the store.
    'im:image': [image(53), image(100), image(75)],
    summary: { label: row.description },
    'im:price': {
      label: row.price > 0 ? row.formattedPrice : 'Get',
      attributes: { amount: row.price.toFixed(5), currency: row.currency },
    },
    rights: { label: `© ${row.artistName}` },
    title: { label: `${row.trackName} - ${row.artistName}` },
    id: {
      label: row.trackViewUrl,
      attributes: { 'im:id': String(row.trackId), 'im:bundleId': row.bundleId },
    },
    'im:artist': { label: row.artistName, attributes: { href: 'https://apps.example/developer' } },
    category: { attributes: { 'im:id': String(row.primaryGenreId), label: row.primaryGenreName } },
  };
}

/** This app's page is only at the address with its name; the address with its number redirects there. */
const moved = { id: 700_000_010, name: 'lumenforge-photo-editor' };

/** The pages of these apps have the layout used until 2025. */
const oldPages: ReadonlySet<number> = new Set([700_000_004, 700_000_010]);

function appPage(country: string, name: string | undefined, id: number): FakeAnswer {
  const page = findFakePage(id, country);
  if (page === null) return html(404, '<!doctype html><h1>The page you’re looking for can’t be found.</h1>');
  if (id === moved.id && name === undefined) {
    const location = `https://apps.example/${country}/app/${moved.name}/id${id}`;
    return { ...html(301, ''), headers: { location } };
  }
  const { row, subtitle } = page;
  return html(200, oldPages.has(id) ? oldPage(row, subtitle) : newPage(row, subtitle));
}

function newPage(row: FakeRow, subtitle: string | null): string {
  const lockup = { adamId: String(row.trackId), title: row.trackName, subtitle: subtitle || undefined };
  const other = { adamId: '1', title: 'Another app', subtitle: 'Of another app' };
  const data = { data: [{ data: { lockup, shelfMapping: { similarItems: { items: [other] } } } }] };
  return `<!doctype html><html><head><title>${escaped(row.trackName)} - App Store</title>
<link rel="canonical" href="${row.trackViewUrl.replace(/\?.*/, '')}"></head><body><nav><header></header></nav>
<main><section><header><h1 class="svelte-1">${escaped(row.trackName)}
  <span class="badge svelte-1">4+</span></h1>
  ${subtitle === null ? '' : `<h2 class="subtitle svelte-1">\n    ${escaped(subtitle)}\n  </h2>`}</header></section>
<section><h2>You might also like</h2><h3>${other.title}</h3><p class="subtitle svelte-2">${other.subtitle}</p></section></main>
<script type="application/json" id="serialized-server-data">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>
</body></html>`;
}

function oldPage(row: FakeRow, subtitle: string | null): string {
  const second = `<h2 class="product-header__subtitle app-header__subtitle">${escaped(subtitle ?? '')}</h2>`;
  return `<!doctype html><html><body><header class="product-header app-header">
<h1 class="product-header__title app-header__title">
  ${escaped(row.trackName)}
  <span class="badge badge--product-title">4+</span></h1>${subtitle === null ? '' : second}
<h2 class="product-header__identity"><a href="#">${escaped(row.artistName)}</a></h2></header>
<p>${escaped(row.description)}</p></body></html>`;
}

function json(content: unknown): FakeAnswer {
  return { status: 200, contentType: 'text/javascript; charset=utf-8', text: JSON.stringify(content) };
}

function html(status: number, text: string): FakeAnswer {
  return { status, contentType: 'text/html; charset=utf-8', text };
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&#34;');
}
