import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { findSuggestion } from '../domain/keyword/find-suggestion.ts';
import type { SuggestionReading } from '../domain/keyword/keyword-reading.ts';
import { admitReading, nextCall, type ReadContext, readOrFailure, type StoreReader } from './store-reader.ts';

/**
 * Finds the prefix at which the store suggests a keyword, with as few probes as possible. Null as soon as the
 * suggestions for a probe are unknown. `read_at` is the time of the oldest probe, because store-fetch may have cached
 * it.
 */
export async function readSuggestion(
  reader: StoreReader,
  { storefront, keyword }: { storefront: Storefront; keyword: string },
  context: ReadContext,
): Promise<SuggestionReading | null> {
  const readings: { read_at: Date; source: string }[] = [];

  const suggest = async (prefix: string): Promise<string[] | null> => {
    const read = await readOrFailure(context, probe(prefix));
    return 'failure' in read ? null : read.found;
  };

  async function probe(prefix: string): Promise<string[] | null> {
    const reply = await reader.storeFetch.suggestTerms(
      { storefront, prefix, for_daily_run: !context.isUserWaiting },
      nextCall(context),
    );
    if (!reply.suggestions) return null;
    readings.push(await admitReading(reader, reply.reading));
    return reply.suggestions.terms;
  }

  const found = await findSuggestion(keyword, suggest);
  const oldest = readings.toSorted((a, b) => a.read_at.getTime() - b.read_at.getTime())[0];
  return found && oldest ? { ...oldest, ...found } : null;
}
