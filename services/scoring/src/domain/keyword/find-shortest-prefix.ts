import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { graphemesOf } from '../text/graphemes.ts';
import type { SuggestionFinding, SuggestionProbe } from './keyword-reading.ts';

/** What the store completes a prefix to, in its order; null: it cannot be read. */
export type Suggest = (prefix: string) => Promise<string[] | null>;

/**
 * The shortest prefix at which the store suggests a keyword, by bisection: the whole term first, then about log2 of its
 * length more. It takes for granted that a longer prefix keeps what a shorter one suggests; where a store does not, the
 * prefix found does suggest the term, but a shorter one may too. No prefix is asked for twice, nor one that ends in a
 * blank, which is the same to the store as the one without.
 * @param keyword any spelling; suggestions are compared with its normal form
 * @returns the finding and every look taken; null as soon as the store does not answer
 */
export async function findSuggestion(
  keyword: string,
  suggest: Suggest,
): Promise<{ finding: SuggestionFinding; probes: SuggestionProbe[] } | null> {
  const term = normalizeKeyword(keyword);
  const whole = await look(term, term, suggest);
  if (whole === null) return null;
  if (whole.index === null)
    return { finding: neverSuggested(term, whole.suggestions), probes: [probeOf(whole)] };

  const shorter = prefixesOf(term).slice(0, -1);
  const probes = [probeOf(whole)];
  let shortest: Suggested = { prefix: term, index: whole.index, size: whole.suggestions.length };
  let low = 0;
  let high = shorter.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const seen = await look(term, shorter[middle] ?? term, suggest);
    if (seen === null) return null;
    probes.push(probeOf(seen));
    if (seen.index === null) low = middle + 1;
    else {
      high = middle;
      shortest = { prefix: seen.prefix, index: seen.index, size: seen.suggestions.length };
    }
  }
  return { finding: { kind: 'suggested', ...shortest }, probes };
}

type Suggested = { prefix: string; index: number; size: number };

type Look = { prefix: string; index: number | null; suggestions: string[] };

async function look(term: string, prefix: string, suggest: Suggest): Promise<Look | null> {
  const suggestions = (await suggest(prefix))?.map(normalizeKeyword);
  if (suggestions === undefined) return null;
  const index = suggestions.indexOf(term);
  return { prefix, index: index < 0 ? null : index, suggestions };
}

function probeOf({ prefix, index, suggestions }: Look): SuggestionProbe {
  return { prefix, index, size: suggestions.length };
}

function neverSuggested(term: string, suggestions: readonly string[]): SuggestionFinding {
  const size = suggestions.length;
  const count = suggestions.filter((suggestion) => suggestion.startsWith(term)).length;
  return count > 0 ? { kind: 'begins', count, size } : { kind: 'absent', size };
}

/** Each prefix that ends in a whole character and not in a blank, the shortest first, the term itself last. */
function prefixesOf(term: string): string[] {
  const graphemes = graphemesOf(term);
  return graphemes
    .map((_, at) => graphemes.slice(0, at + 1).join(''))
    .filter((prefix) => prefix === prefix.trimEnd());
}
