/**
 * A canonical BCP 47 tag as the store's `lang` parameter wants it: `en_us` for en-US, the language alone where the
 * tag names no country. The store knows no scripts: zh-Hant becomes the country that it is written in, zh_tw.
 */
export function toItunesLanguage(tag: string): string {
  const locale = new Intl.Locale(tag);
  const region = locale.region ?? (locale.script && locale.maximize().region);
  // A region of three digits, as in es-419, is no country.
  return region?.length === 2 ? `${locale.language}_${region.toLowerCase()}` : locale.language;
}
