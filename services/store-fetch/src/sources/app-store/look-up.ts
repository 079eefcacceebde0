import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { parseJson } from '../../http/parse-body.ts';
import type { Reading, ReadOptions } from '../../source.ts';
import { appNotFound, StoreFailure, storeFetchFailed } from '../../store-health/store-failure.ts';
import { dropRepeated } from '../drop-repeated.ts';
import { identifyApp } from './app-id.ts';
import { type LookupKey, parseLookupPage } from './itunes-page.ts';
import type { ItunesRow } from './itunes-row.ts';
import type { ReadStore } from './read-store.ts';
import type { StoreUrls } from './store-urls.ts';

/** An app as a look-up shows it, or the failure: APP_NOT_FOUND, STORE_FETCH_FAILED or SERVICE_UNAVAILABLE. */
export type LookUpResult = (Reading & { row: ItunesRow }) | AppError;

/**
 * Looks up apps by number or bundle id, with one call for all numbers and one for all bundle ids. The results are in
 * the order of `appIds`. An id that is neither is APP_NOT_FOUND without a call.
 */
export type LookUp = (
  storefront: Storefront,
  appIds: readonly string[],
  options: ReadOptions,
) => Promise<LookUpResult[]>;

export function createLookUp(read: ReadStore, urls: StoreUrls): LookUp {
  return async (storefront, appIds, options) => {
    const requested = new Map(appIds.map((appId) => [appId, identifyApp(appId)]));
    const answers = await Promise.all(
      (['trackId', 'bundleId'] as const).map((field) => lookUpBy(field, [...requested.values()])),
    );
    const resultOf = new Map(answers.flat());
    return appIds.map((appId) => {
      const app = requested.get(appId);
      const result = app ? resultOf.get(keyOf(app)) : undefined;
      return result ?? appNotFound(storefront, appId);
    });

    /** Makes one call for the apps with this kind of id. Null: no such app. If the call fails, each app has failed. */
    async function lookUpBy(
      field: LookupKey['field'],
      apps: readonly (LookupKey | null)[],
    ): Promise<[key: string, LookUpResult | null][]> {
      const ofField = apps.filter((app): app is LookupKey => app?.field === field);
      const unique = dropRepeated(ofField, keyOf);
      if (unique.length === 0) return [];
      try {
        const request = {
          endpoint: 'itunes-lookup',
          country: storefront.country,
          url: urls.lookup(storefront, unique),
          items: unique.map(keyOf),
        } as const;
        const { answer, ...reading } = await read(request, options, ({ body }) =>
          parseLookupPage(parseJson(body), unique),
        );
        return unique.map((app, i) => [keyOf(app), toResult(answer[i] ?? null, reading)]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return unique.map((app) => [keyOf(app), error]);
      }
    }
  };
}

function toResult(row: ItunesRow | StoreFailure | null, reading: Reading): LookUpResult | null {
  if (row instanceof StoreFailure) return storeFetchFailed('ITUNES', row);
  return row && { ...reading, row };
}

/** Bundle ids that differ only in case are one app. */
function keyOf({ id }: LookupKey): string {
  return String(id).toLowerCase();
}
