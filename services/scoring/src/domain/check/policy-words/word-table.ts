/** The languages in which each rule's words are listed. */
export type PolicyLanguage =
  | 'en'
  | 'fr'
  | 'de'
  | 'es'
  | 'pt'
  | 'it'
  | 'nl'
  | 'sv'
  | 'ja'
  | 'ko'
  | 'zh'
  | 'ru'
  | 'ar'
  | 'tr';

/**
 * Words and phrases, parted by commas, in any letter case. A `*` at the end stands for any ending, where a language
 * inflects its words or joins them; a `^` at the beginning for the beginning of the text. Punctuation does not matter: `editor's choice` is "Editor’s-Choice" too.
 */
export type WordTable = Readonly<Record<PolicyLanguage, string>>;

/** What one rule looks for, whatever language a draft is in: stores read every word in every language. */
export type RuleWords = {
  readonly words: WordTable;
  /** Phrases that hold such a word and claim nothing: "best friend" is no rank. */
  readonly harmless: Readonly<Partial<WordTable>>;
};
