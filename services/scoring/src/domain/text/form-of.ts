import { createWordForms, foldForComparison, formsOf } from '@shelfwise/facts/text/word-form';

/**
 * Returns the form of a word in normal form: what its spellings have in common, without accents and the ending of a plural.
 * Two words are the same, in the audit of a listing and in the check of a draft, if their forms are. Folding costs more
 * than all else in an audit, so each word is folded once. (docs/scores.md, words)
 * @param lang BCP 47
 */
export function createFormOf(lang: string): (word: string) => string {
  const formOf = createWordForms(lang);
  const known = new Map<string, string>();
  return (word) => {
    const form = known.get(word) ?? (formsOf(foldForComparison(word, lang), formOf) || word);
    known.set(word, form);
    return form;
  };
}
