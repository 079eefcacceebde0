import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { SuggestionMatch, SuggestionProbe } from './keyword-reading.ts';
import { prefixesOf } from './prefix.ts';

/** The store's completions of a prefix, in its order; null: they cannot be read. */
export type Suggest = (prefix: string) => Promise<string[] | null>;

/**
 * Finds the shortest prefix at which the store suggests a keyword, by bisection: the whole term first, then about
 * log2 of its length more requests. It assumes that a longer prefix keeps what a shorter one suggests; if a store
 * does not, the prefix found does suggest the term, but a shorter one may too. No prefix is requested twice, and none
 * that ends in a blank, because the store treats it like the one without.
 * @param keyword any spelling; suggestions are compared with its normal form
 * @returns the match and every probe; null as soon as the store does not answer
 */
export async function findSuggestion(
  keyword: string,
  suggest: Suggest,
): Promise<{ match: SuggestionMatch; probes: SuggestionProbe[] } | null> {
  const term = normalizeKeyword(keyword);
  const wholeTerm = await probe(term, term, suggest);
  if (wholeTerm === null) return null;
  if (wholeTerm.index === null)
    return { match: neverSuggested(term, wholeTerm.suggestions), probes: [probeOf(wholeTerm)] };

  const shorter = prefixesOf(term).slice(0, -1);
  const probes = [probeOf(wholeTerm)];
  let shortest: Suggested = { prefix: term, index: wholeTerm.index, size: wholeTerm.suggestions.length };
  let low = 0;
  let high = shorter.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const seen = await probe(term, shorter[middle] ?? term, suggest);
    if (seen === null) return null;
    probes.push(probeOf(seen));
    if (seen.index === null) low = middle + 1;
    else {
      high = middle;
      shortest = { prefix: seen.prefix, index: seen.index, size: seen.suggestions.length };
    }
  }
  return { match: { kind: 'suggested', ...shortest }, probes };
}

type Suggested = { prefix: string; index: number; size: number };

type Probe = { prefix: string; index: number | null; suggestions: string[] };

async function probe(term: string, prefix: string, suggest: Suggest): Promise<Probe | null> {
  const suggestions = (await suggest(prefix))?.map(normalizeKeyword);
  if (suggestions === undefined) return null;
  const index = suggestions.indexOf(term);
  return { prefix, index: index < 0 ? null : index, suggestions };
}

function probeOf({ prefix, index, suggestions }: Probe): SuggestionProbe {
  return { prefix, index, size: suggestions.length };
}

function neverSuggested(term: string, suggestions: readonly string[]): SuggestionMatch {
  const size = suggestions.length;
  const count = suggestions.filter((suggestion) => suggestion.startsWith(term)).length;
  return count > 0 ? { kind: 'begins', count, size } : { kind: 'absent', size };
}
