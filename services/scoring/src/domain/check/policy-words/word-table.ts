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
 * Words and phrases, separated by commas, in any letter case. A `*` at the end stands for any ending, for languages that
 * inflect or join words. A `^` at the start matches only at the start of the text. Punctuation does not matter: `editor's
 * choice` also matches "Editor’s-Choice".
 */
export type WordTable = Readonly<Record<PolicyLanguage, string>>;

/** The words of one rule, applied to drafts of any language: stores check every word in every language. */
export type RuleWords = {
  readonly words: WordTable;
  /** Phrases that contain such a word but claim nothing: "best friend" is no rank. */
  readonly harmless: Readonly<Partial<WordTable>>;
};
