import { type Storefront, storefrontOf } from '@shelfwise/facts/stores/storefront';
import { keywordsFieldTerms } from '../domain/audit/words/keywords-field-terms.ts';
import { auditRequestMs } from '../domain/term-schedule.ts';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';
import type { Listing } from '../stores/listing.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';

/** Accounts that keep a field of the same listing; usually it is one, because only the developer knows the field. */
const maxFields = 100;

type RequestDeps = { terms: Pick<TermStore, 'requestMeasuring'> };

/**
 * Has the daily run measure the words and phrases of keywords fields until the daily audits of the listing renew the
 * request. Neither the neighbors nor the basket depend on these terms, and the shared audit only by the app's rank for other forms
 * of its own words.
 */
export async function requestKeywordsFields(
  { terms }: RequestDeps,
  storefront: Storefront,
  kwFields: readonly string[],
  at: Date,
): Promise<void> {
  const found = kwFields.flatMap((kwField) => keywordsFieldTerms(storefront, kwField));
  if (found.length === 0) return;
  const requests = found.map((term) => ({ ...term, isDaily: false }));
  await terms.requestMeasuring(storefront, requests, new Date(at.getTime() + auditRequestMs), at);
}

export type RenewKeywordsFieldsDeps = RequestDeps & {
  keywordsFields: Pick<KeywordsFieldStore, 'listOf'>;
  watchers: Pick<WatcherStore, 'findStopped'>;
};

/**
 * Requests the terms of the 100 fields of a listing that changed last, except those of accounts that stopped tracking it. Two
 * queries when there are any, otherwise one.
 */
export async function renewKeywordsFields(
  deps: RenewKeywordsFieldsDeps,
  listing: Pick<Listing, '_id' | 'store' | 'country' | 'lang'>,
  at: Date,
): Promise<void> {
  if (listing.store !== 'ITUNES') return;
  const kept = await deps.keywordsFields.listOf(listing._id, maxFields);
  if (kept.length === 0) return;
  const accounts = kept.map(({ account_id: accountId }) => accountId);
  const stopped = await deps.watchers.findStopped(listing._id, accounts);
  const kwFields = kept.flatMap((field) => (stopped.has(field.account_id) ? [] : [field.kw_field]));
  await requestKeywordsFields(deps, storefrontOf(listing), kwFields, at);
}
