import { languageOf } from './by-language.ts';
import { commonWordLists } from './common-word-lists.ts';
import { createWordForms, foldForComparison } from './word-form.ts';

const noWords: ReadonlySet<string> = new Set();

const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(commonWordLists).map(([language, words]) => [language, formsIn(words, language)]),
);

/**
 * The forms (`createWordForms`) of words that are common in descriptions and say nothing about an app: `app`, `free`,
 * `easy`. Stop words are not among them. Empty for a language whose descriptions were not counted.
 * @param lang BCP 47; only the language counts
 */
export function commonFormsOf(lang: string): ReadonlySet<string> {
  return byLanguage.get(languageOf(lang)) ?? noWords;
}

function formsIn(list: string, lang: string): ReadonlySet<string> {
  const formOf = createWordForms(lang);
  return new Set(
    list
      .trim()
      .split(/\s+/u)
      .map((word) => formOf(foldForComparison(word, lang))),
  );
}
