import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import type { ReadOptions } from '../../source.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { type AppPage, parseAppPage } from './app-page.ts';
import type { ItunesRow } from './itunes-row.ts';
import type { ReadStore } from './read-store.ts';
import { findPagePath, type PagePath, pagePathOf, type StoreUrls } from './store-urls.ts';

/**
 * Reads an app's web page. Null when the store has no page or it cannot be read: a listing is complete without it.
 * `row` is the app's row of a look-up, if it is already known.
 */
export type ReadAppPage = (
  storefront: Storefront,
  app: { id: number; row?: ItunesRow },
  options: ReadOptions,
) => Promise<AppPage | null>;

/**
 * The address with only the app's number may redirect to the one with its name. That is a second call with its own
 * slot; the row of a look-up has the right address immediately.
 */
export function createReadAppPage(read: ReadStore, urls: StoreUrls): ReadAppPage {
  return async (storefront, { id, row }, options) => {
    const pagePath = row?.trackViewUrl ? findPagePath(row.trackViewUrl, storefront, id) : null;
    try {
      const first = await readAt(pagePath ?? pagePathOf(storefront, id));
      if (first === null || 'title' in first) return first;
      const second = await readAt(first);
      return second !== null && 'title' in second ? second : null;
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }

    /** The page, or the path to which the store redirects; null when it has no page. */
    async function readAt(path: PagePath): Promise<AppPage | PagePath | null> {
      const request = {
        endpoint: 'itunes-page',
        country: storefront.country,
        url: urls.page(storefront, path),
        items: [String(id)],
        isWebPage: true,
      } as const;
      const { answer } = await read(request, options, (answer) => {
        if (answer.status === 404) return null;
        return answer.movedTo === null ? parseAppPage(answer, id) : follow(answer.movedTo);
      });
      return answer;
    }

    function follow(address: string): PagePath {
      const moved = findPagePath(address, storefront, id);
      if (moved !== null) return moved;
      throw new StoreFailure(
        'error',
        'redirected the call to a page that does not belong to the requested app',
        { isPermanent: true },
      );
    }
  };
}

/**
 * The subtitle on an app's page. Null without a page, without the app's name, or if the page's title does not start
 * with it.
 */
export function subtitleOn(page: AppPage | null, row: ItunesRow): string | null {
  if (page === null || row.trackName === null) return null;
  return lettersOf(page.title).startsWith(lettersOf(row.trackName)) ? page.subtitle : null;
}

function lettersOf(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
