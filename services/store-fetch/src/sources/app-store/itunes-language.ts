/**
 * Converts a canonical BCP 47 tag to the store's `lang` parameter: `en_us` for en-US, the language alone when the tag
 * names no country. The store knows no scripts, so a script becomes the country where it is used: zh-Hant is zh_tw.
 */
export function toItunesLanguage(tag: string): string {
  const locale = new Intl.Locale(tag);
  const region = locale.region ?? (locale.script && locale.maximize().region);
  // A region of three digits, as in es-419, is not a country.
  return region?.length === 2 ? `${locale.language}_${region.toLowerCase()}` : locale.language;
}
