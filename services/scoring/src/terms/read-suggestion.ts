import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { addLooks, isSecondLook } from '../domain/keyword/empty-looks.ts';
import { findSuggestion } from '../domain/keyword/find-suggestion.ts';
import type { EmptyLook, KeywordReading, SuggestionReading } from '../domain/keyword/keyword-reading.ts';
import { admitReading, nextCall, type ReadContext, readOrFailure, type StoreReader } from './store-reader.ts';

/** What was read: the suggestion, null when it is not known; and the first looks that wait for a second one. */
type SuggestionParts = { suggestion: SuggestionReading | null; empty_looks: readonly EmptyLook[] };

/**
 * Finds the prefix at which the store suggests a keyword, with as few probes as possible. The suggestion is null when the list
 * of a probe is unknown, or empty for the first time although the store may throttle. That look is kept; a second, thorough one
 * ten minutes later is believed. `read_at` is the time of the oldest probe, because store-fetch may have cached it.
 */
export async function readSuggestion(
  reader: StoreReader,
  { storefront, keyword, reading }: { storefront: Storefront; keyword: string; reading: KeywordReading },
  context: ReadContext,
): Promise<SuggestionParts> {
  const known = reading.empty_looks;
  const readings: { read_at: Date; source: string }[] = [];
  const firstLooks: EmptyLook[] = [];

  async function probe(prefix: string): Promise<string[] | null> {
    const isThorough = isSecondLook(known, prefix, reader.now());
    const request = { storefront, prefix, for_daily_run: !context.isUserWaiting, is_thorough: isThorough };
    const reply = await reader.storeFetch.suggestTerms(request, nextCall(context));
    if (!reply.suggestions) return null;
    const { terms, is_uncertain: isUncertain } = reply.suggestions;
    const origin = await admitReading(reader, reply.reading);
    readings.push(origin);
    const isBelieved = !isUncertain || (isThorough && isSecondLook(known, prefix, origin.read_at));
    if (!isBelieved) firstLooks.push({ prefix, read_at: origin.read_at });
    return terms;
  }

  const found = await findSuggestion(keyword, storefront.lang, async (prefix) => {
    const read = await readOrFailure(context, probe(prefix));
    return 'failure' in read ? null : read.found;
  });
  const oldest = readings.toSorted((a, b) => a.read_at.getTime() - b.read_at.getTime())[0];
  if (!found || !oldest || firstLooks.length > 0)
    return { suggestion: null, empty_looks: addLooks(known, firstLooks, reader.now()) };
  return { suggestion: { ...oldest, ...found }, empty_looks: [] };
}
