import { commonForm, createWordForms, foldForComparison, formsOf } from '@shelfwise/facts/text/word-form';

/**
 * The form of a word or term in normal form: what its spellings have in common, without accents and the ending of a plural. Two
 * words are the same, in the audit of a listing and in the check of a draft, if their forms are. (docs/scores.md, words)
 * @param lang BCP 47
 */
export function formOf(word: string, lang: string): string {
  return commonForm(word, lang) || word;
}

/** As `formOf`, for many words: folding is costly, so each word is folded once. */
export function createFormOf(lang: string): (word: string) => string {
  const wordForm = createWordForms(lang);
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const form = formsOf(foldForComparison(word, lang), wordForm) || word;
    known.set(word, form);
    return form;
  };
}
