import type { Collection } from '@shelfwise/facts/stores/categories';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { toItunesLanguage } from './itunes-language.ts';
import type { LookupKey } from './itunes-page.ts';

/** The base addresses of the App Store: search, look-up and charts; suggestions; the apps' pages. */
export type AppStoreHosts = { itunes: string; hints: string; apps: string };

/** A top chart in the store's terms; `genre` is null for the chart of all apps. */
export type ChartFeed = { collection: Collection; genre: string | null; limit: number };

export function createStoreUrls(hosts: AppStoreHosts) {
  const itunes = withoutSlash(hosts.itunes);
  const hints = withoutSlash(hosts.hints);
  const apps = withoutSlash(hosts.apps);

  return {
    search(storefront: Storefront, term: string, limit: number): URL {
      const query = { term, media: 'software', entity: 'software', limit: String(limit) };
      return withQuery(`${itunes}/search`, { ...query, ...storefrontQuery(storefront) });
    },

    /** All apps must be named by number, or all by bundle id. */
    lookup(storefront: Storefront, requested: readonly LookupKey[]): URL {
      const ids = requested.map(({ id }) => id).join(',');
      const name = requested[0]?.field === 'bundleId' ? 'bundleId' : 'id';
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

    page({ lang }: Storefront, { path, mediaType }: PagePath): URL {
      return withQuery(`${apps}${path}`, mediaType ? { mt: mediaType, l: lang } : { l: lang });
    },
  };
}

export type StoreUrls = ReturnType<typeof createStoreUrls>;

export function feedName(collection: Collection): string {
  return `top${collection}applications`;
}

/** The address of an app's page relative to the host. `mediaType` (12: the Mac App Store) is null if not specified. */
export type PagePath = { path: string; mediaType: string | null };

/**
 * The address of an app's page by its number alone. The store may redirect from there to the address with the app's
 * name.
 */
export function pagePathOf({ country }: Storefront, id: number): PagePath {
  return { path: `/${country.toLowerCase()}/app/id${id}`, mediaType: null };
}

/**
 * The page that an address of the store leads to; null when it is not this app's page in this storefront. The host of
 * the address is ignored: the page is read from the configured host.
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
