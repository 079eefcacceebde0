import type { Candidates } from '../domain/audit/advice/choose-candidates.ts';
import type { AuditInput, TermScore, WordSource } from '../domain/audit/audit-input.ts';
import { termsIn } from '../domain/audit/words/listing-terms.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';

/** The most terms of an account that are advised for an app: those tracked longest. */
const maxTracked = 50;

export type TrackedOfAccountDeps = { trackedTerms: Pick<TrackedTermStore, 'listOfAccount'> };

/** The terms that an account tracks for a listing, with their words and phrases. */
export type TrackedOfAccount = { keywords: readonly string[]; parts: readonly string[] };

export const noTracked: TrackedOfAccount = { keywords: [], parts: [] };

/** One query. Terms of more words than a listing aims at are left out. */
export async function findTrackedOfAccount(
  { trackedTerms }: TrackedOfAccountDeps,
  { account_id: accountId, listing_id: listingId }: { account_id: string; listing_id: number },
  lang: string,
): Promise<TrackedOfAccount> {
  const tracked = await trackedTerms.listOfAccount(accountId, listingId, maxTracked);
  const keywords = tracked.filter((keyword) => termsIn(keyword, lang).includes(keyword));
  return { keywords, parts: [...new Set(keywords.flatMap((keyword) => termsIn(keyword, lang)))] };
}

/**
 * What an audit for an account may advise: the candidates of the shared audit, and the terms that the account tracks. Nothing of it
 * is stored.
 */
export function advisableOf(
  shared: Candidates | null,
  { keywords, parts }: TrackedOfAccount,
  scores: ReadonlyMap<string, TermScore>,
): Pick<AuditInput, 'sources' | 'tracked'> {
  const sources = new Map<string, WordSource>(keywords.map((keyword) => [keyword, 'tracked']));
  for (const { keyword, source } of shared?.sources ?? []) sources.set(keyword, source);
  return { sources, tracked: new Map(parts.map((part) => [part, scores.get(part) ?? null])) };
}
