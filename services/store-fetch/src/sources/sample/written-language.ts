/** The languages of the sample catalog; all other languages get the English listing. */
export const writtenLanguages = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

export type WrittenLanguage = (typeof writtenLanguages)[number];

/** The catalog's language for a storefront: the storefront's own if the catalog has it, otherwise English. */
export function writtenLanguage(lang: string): WrittenLanguage {
  const [language] = lang.split('-');
  return writtenLanguages.find((written) => written === language) ?? 'en';
}
