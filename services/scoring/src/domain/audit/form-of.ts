import { createWordForms, foldForComparison, formsOf } from '@shelfwise/facts/text/word-form';

/**
 * Returns the form of a word in normal form: what its spellings have in common, without accents and the ending of a plural.
 * (docs/scores.md, words)
 * @param lang BCP 47
 */
export function createFormOf(lang: string): (word: string) => string {
  const formOf = createWordForms(lang);
  return (word) => formsOf(foldForComparison(word), formOf) || word;
}
