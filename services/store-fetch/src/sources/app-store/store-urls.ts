import type { Collection } from '@shelfwise/facts/stores/categories';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { toItunesLanguage } from './itunes-language.ts';
import type { LookupKey } from './itunes-page.ts';

/** The hosts of the App Store: search, look-up and charts; suggestions; the apps' pages. */
export type AppStoreHosts = { itunes: string; hints: string; apps: string };

/** A top chart as the store is asked for it; `genre` null is the one of all apps. */
export type ChartFeed = { collection: Collection; genre: string | null; limit: number };

/** The addresses at which the App Store is asked. */
export function createStoreUrls(hosts: AppStoreHosts) {
  const itunes = withoutSlash(hosts.itunes);
  const hints = withoutSlash(hosts.hints);
  const apps = withoutSlash(hosts.apps);

  return {
    search(storefront: Storefront, term: string, limit: number): URL {
      const query = { term, media: 'software', entity: 'software', limit: String(limit) };
      return withQuery(`${itunes}/search`, { ...query, ...storefrontQuery(storefront) });
    },

    /** The apps are all asked for by number or all by bundle id. */
    lookup(storefront: Storefront, asked: readonly LookupKey[]): URL {
      const ids = asked.map(({ id }) => id).join(',');
      const name = asked[0]?.field === 'bundleId' ? 'bundleId' : 'id';
      return withQuery(`${itunes}/lookup`, { [name]: ids, ...storefrontQuery(storefront) });
    },

    hints(term: string): URL {
      const query = { clientApplication: 'Software', term };
      return withQuery(`${hints}/WebObjects/MZSearchHints.woa/wa/hints`, query);
    },

    chart({ country }: Storefront, { collection, genre, limit }: ChartFeed): URL {
      const path = `${country.toLowerCase()}/rss/${feedName(collection)}/limit=${limit}`;
      return new URL(`${itunes}/${path}/${genre === null ? '' : `genre=${genre}/`}json`);
    },

    /** `path` and `query` as `findPagePath` gives them. */
    page({ lang }: Storefront, { path, mediaType }: PagePath): URL {
      return withQuery(`${apps}${path}`, { ...(mediaType && { mt: mediaType }), l: lang });
    },
  };
}

export type StoreUrls = ReturnType<typeof createStoreUrls>;

/** The name of a chart in the store's address of it. */
export function feedName(collection: Collection): string {
  return `top${collection}applications`;
}

/** An app's page within the host of the apps' pages. `mediaType` 12: the Mac's side of it. */
export type PagePath = { path: string; mediaType: string | null };

/** The page of an app as far as its number tells. The store may redirect from there to the one with the name in it. */
export function pagePathOf({ country }: Storefront, id: number): PagePath {
  return { path: `/${country.toLowerCase()}/app/id${id}`, mediaType: null };
}

/**
 * The page that an address of the store's own leads to; null when it is not that of this app in this storefront.
 * Whatever host it names, the page is asked for at the configured one.
 */
export function findPagePath(address: string, { country }: Storefront, id: number): PagePath | null {
  if (!URL.canParse(address, 'https://apps.apple.com')) return null;
  const { pathname, searchParams } = new URL(address, 'https://apps.apple.com');
  const path = new RegExp(`/${country.toLowerCase()}/app/(?:[^/]+/)?id${id}$`).exec(pathname)?.[0];
  return path === undefined ? null : { path, mediaType: searchParams.get('mt') };
}

function storefrontQuery({ country, lang }: Storefront) {
  return { country, lang: toItunesLanguage(lang) };
}

function withQuery(address: string, query: Record<string, string>): URL {
  const url = new URL(address);
  url.search = new URLSearchParams(query).toString();
  return url;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
