/** Languages whose code on Google Play differs from BCP 47. */
const codes: Readonly<Record<string, string>> = { he: 'iw', nb: 'no' };

/**
 * Converts a canonical BCP 47 tag to Google Play's `hl` parameter: `pt-BR`, `es-419`, `iw`. The store knows no
 * scripts and distinguishes Chinese by country: zh-Hant becomes zh-TW, zh becomes zh-CN.
 */
export function toPlayLanguage(tag: string): string {
  const { language, script, region } = new Intl.Locale(tag).maximize();
  const own = new Intl.Locale(tag).region;
  if (language === 'zh') {
    if (script !== 'Hant') return 'zh-CN';
    return region === 'HK' || region === 'MO' ? 'zh-HK' : 'zh-TW';
  }
  const code = codes[language] ?? language;
  return own === undefined ? code : `${code}-${own}`;
}
