import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { SuggestionMatch, SuggestionProbe } from './keyword-reading.ts';
import { prefixesOf } from './prefix.ts';

/** The store's completions of a prefix, in its order; null: they cannot be read. */
export type Suggest = (prefix: string) => Promise<string[] | null>;

/**
 * Finds the shortest prefix at which the store suggests a keyword, by bisection. One request is for the whole term; if that
 * suggests it, about log2 of its length more follow. It assumes that a longer prefix still suggests what a shorter one does. If
 * a store does not, the prefix found does suggest the term, but a shorter one may too. No prefix is requested twice, and none
 * that ends in a blank, because the store treats it like the one without.
 * @param keyword any spelling; suggestions are compared with its normal form
 * @param lang BCP 47
 * @returns the match and all requests (`probes`), in order; null if the store did not answer one of them
 */
export async function findSuggestion(
  keyword: string,
  lang: string,
  suggest: Suggest,
): Promise<{ match: SuggestionMatch; probes: SuggestionProbe[] } | null> {
  const term = normalizeKeyword(keyword, lang);
  const completions: Suggest = async (prefix) =>
    (await suggest(prefix))?.map((suggestion) => normalizeKeyword(suggestion, lang)) ?? null;
  const wholeTerm = await probe(term, term, completions);
  if (wholeTerm === null) return null;
  if (wholeTerm.index === null)
    return { match: matchOfUnsuggested(term, wholeTerm.suggestions), probes: [probeOf(wholeTerm)] };

  const shorter = prefixesOf(term).slice(0, -1);
  const probes = [probeOf(wholeTerm)];
  let shortest: Suggested = { prefix: term, index: wholeTerm.index, size: wholeTerm.suggestions.length };
  let low = 0;
  let high = shorter.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const probed = await probe(term, shorter[middle] ?? term, completions);
    if (probed === null) return null;
    probes.push(probeOf(probed));
    if (probed.index === null) low = middle + 1;
    else {
      high = middle;
      shortest = { prefix: probed.prefix, index: probed.index, size: probed.suggestions.length };
    }
  }
  return { match: { kind: 'suggested', ...shortest }, probes };
}

type Suggested = { prefix: string; index: number; size: number };

/** `index`: the term's position among the suggestions, from 0; null: it is not among them. */
type Probe = { prefix: string; index: number | null; suggestions: string[] };

/** @param completions in normal form */
async function probe(term: string, prefix: string, completions: Suggest): Promise<Probe | null> {
  const suggestions = await completions(prefix);
  if (suggestions === null) return null;
  const index = suggestions.indexOf(term);
  return { prefix, index: index < 0 ? null : index, suggestions };
}

function probeOf({ prefix, index, suggestions }: Probe): SuggestionProbe {
  return { prefix, index, size: suggestions.length };
}

function matchOfUnsuggested(term: string, suggestions: readonly string[]): SuggestionMatch {
  const size = suggestions.length;
  const count = suggestions.filter((suggestion) => suggestion.startsWith(term)).length;
  return count > 0 ? { kind: 'begins', count, size } : { kind: 'absent', size };
}
