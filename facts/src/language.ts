const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** language, optionally a script, optionally a region: all that a store's language code consists of */
const shape = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/**
 * A BCP 47 language tag in its canonical spelling (`EN-us` becomes `en-US`), or null when it is malformed or names
 * a language or region that does not exist. Any letter case is accepted; variants and extensions are not.
 */
export function canonicalLanguage(tag: string): string | null {
  if (!shape.test(tag)) return null;
  const locale = new Intl.Locale(tag);
  if (languageNames.of(locale.language) === undefined) return null;
  if (locale.region !== undefined && regionNames.of(locale.region) === undefined) return null;
  return locale.toString();
}
