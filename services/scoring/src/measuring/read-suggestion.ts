import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { findSuggestion } from '../domain/keyword/find-shortest-prefix.ts';
import type { SuggestionReading } from '../domain/keyword/keyword-reading.ts';
import { admitReading, nextCall, readOrRefusal, type StoreReader, type StoreTurn } from './store-turn.ts';

/**
 * At which prefix the store suggests a keyword, found with as few looks as that takes; null as soon as the store cannot
 * be asked or is not believed. `read_at` is that of the oldest look: store-fetch may have kept it.
 */
export async function readSuggestion(
  reader: StoreReader,
  { storefront, keyword }: { storefront: Storefront; keyword: string },
  turn: StoreTurn,
): Promise<SuggestionReading | null> {
  const readings: { read_at: Date; source: string }[] = [];

  const suggest = async (prefix: string): Promise<string[] | null> => {
    const read = await readOrRefusal(turn, look(prefix));
    return 'refusal' in read ? null : read.found;
  };

  async function look(prefix: string): Promise<string[] | null> {
    const reply = await reader.storeFetch.suggestTerms(
      { storefront, prefix, for_daily_run: !turn.isAwaited },
      nextCall(turn),
    );
    if (!reply.suggestions) return null;
    readings.push(await admitReading(reader, reply.reading));
    return reply.suggestions.terms;
  }

  const found = await findSuggestion(keyword, suggest);
  const oldest = readings.toSorted((a, b) => a.read_at.getTime() - b.read_at.getTime())[0];
  return found && oldest ? { ...oldest, ...found } : null;
}
