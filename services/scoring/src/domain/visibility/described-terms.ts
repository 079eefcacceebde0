import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { isSearchable } from '../audit/words/listing-terms.ts';
import { createTimesSaid, descriptionLimit } from '../audit/words/said.ts';
import { createTermWords } from '../audit/words/term-words.ts';
import { maxPhraseWords } from '../audit/words/text-reader.ts';
import { isRead } from '../keyword/search-status.ts';
import { type Candidate, filledBasketTerms, isFilling } from './basket.ts';

/** As many as one query finds. */
const maxTerms = 400;
/** At most this many terms of a description are measured because nothing is known about them. */
const maxAskedTerms = 10;

/**
 * At most 400 words and phrases of a live description that may fill a thin basket. Those come first that it says most often
 * (`createTimesSaid`), then the shorter, then in the order of the text. Left out are common words, forms of terms that the
 * listing or its accounts have already, and what holds a brand among these.
 * @param candidates those of the basket
 */
export function describedTerms(
  { storefront, description }: { storefront: Storefront; description: string | null },
  candidates: readonly Pick<Candidate, 'keyword' | 'isBrand'>[],
): string[] {
  if (description === null) return [];
  const { store, lang } = storefront;
  const words = createTermWords(lang);
  const timesOf = createTimesSaid(store, description, words);
  const known = new Set(candidates.map(({ keyword }) => words.formOf(keyword)));
  const brands = candidates.filter(({ isBrand }) => isBrand).map(({ keyword }) => words.formsIn(keyword));
  const holdsBrand = (forms: readonly string[]) =>
    brands.some((brand) => brand.every((form) => forms.includes(form)));
  const byForm = new Map<string, { keyword: string; times: number; length: number }>();
  for (const keyword of phrasesOf(description.slice(0, descriptionLimit(store)), lang, maxPhraseWords)) {
    const form = words.formOf(keyword);
    const times = timesOf(keyword);
    const forms = words.formsIn(keyword);
    if (times === 0 || known.has(form) || byForm.has(form) || !isSearchable(keyword) || holdsBrand(forms))
      continue;
    byForm.set(form, { keyword, times, length: forms.length });
  }
  return [...byForm.values()]
    .sort((a, b) => b.times - a.times || a.length - b.length)
    .slice(0, maxTerms)
    .map(({ keyword }) => keyword);
}

/**
 * Of these terms, in their order: at most ten searched ones that can fill a basket. If there are fewer, the unread of the first
 * ten are added, so that they are measured.
 * @param terms `describedTerms`
 * @param candidateOf null: not measured
 */
export function chooseDescribedTerms(
  terms: readonly string[],
  candidateOf: (keyword: string) => Candidate | null,
): string[] {
  const filling = terms.filter((keyword) => {
    const candidate = candidateOf(keyword);
    return candidate !== null && isFilling(candidate);
  });
  const chosen = new Set(filling.slice(0, filledBasketTerms));
  if (chosen.size < filledBasketTerms)
    for (const keyword of terms.slice(0, maxAskedTerms)) {
      const candidate = candidateOf(keyword);
      if (candidate === null || !isRead(candidate)) chosen.add(keyword);
    }
  return terms.filter((keyword) => chosen.has(keyword));
}
