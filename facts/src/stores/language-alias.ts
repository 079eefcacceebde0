import { createByLanguage, scriptOf } from '../text/by-language.ts';
import type { Storefront } from './storefront.ts';

/**
 * Tags with which a store is asked the same are one language of a storefront. One of them is its canonical tag. Tags
 * are BCP 47 in canonical spelling (`canonicalLanguage`).
 *
 * - Both stores: a language without a region is that of its home country (`en` in US: `en-US`; `en` in GB stays).
 * - Google Play: a script is not sent, except with Chinese (`sr-Latn-RS`: `sr-RS`).
 * - Google Play: Chinese is one of three languages (`zh`, `zh-Hans`, `zh-SG`: `zh-CN`).
 * - Google Play: `nb` is sent as `no` (`nb-NO`: `no-NO`).
 * - App Store: a script without a region stands for the region where it is used (`zh-Hant`: `zh-Hant-TW`).
 * - App Store: a script that the region has anyway says nothing (`en-Latn-US`: `en-US`); the pages of Chinese apps want
 *   it (`zh-TW`: `zh-Hant-TW`).
 *
 * Everything else changes the request and stays apart: `en-GB` in US, `de` in AT, `es-419` and `es`.
 */
const rules: Readonly<Record<Storefront['store'], (locale: Intl.Locale, country: string) => string>> = {
  ITUNES: appStoreTag,
  GPLAY: googlePlayTag,
};

/** The home of each language in a country of a store: the region that CLDR adds to its tag. */
const homeTable =
  'af:ZA am:ET ar:EG az:AZ be:BY bg:BG bn:BD bs:BA ca:ES cs:CZ da:DK de:DE el:GR en:US es:ES et:EE eu:ES fi:FI fil:PH fr:FR ga:IE gl:ES gu:IN he:IL hi:IN hr:HR hu:HU hy:AM id:ID is:IS it:IT ja:JP ka:GE kk:KZ km:KH kn:IN ko:KR ky:KG lo:LA lt:LT lv:LV mk:MK ml:IN mn:MN mr:IN ms:MY mt:MT my:MM nb:NO ne:NP nl:NL nn:NO no:NO or:IN pa:IN pl:PL pt:BR rm:CH ro:RO ru:RU si:LK sk:SK sl:SI sq:AL sr:RS sv:SE sw:TZ ta:IN te:IN tg:TJ th:TH tk:TM tr:TR uk:UA ur:PK uz:UZ vi:VN zh:CN zu:ZA';

/** Home country by language. */
export const homeCountries: ReadonlyMap<string, string> = new Map(
  homeTable.split(' ').map((entry) => entry.split(':') as [language: string, country: string]),
);

const localeOf = createByLanguage((lang) => new Intl.Locale(lang));

/** The storefront with the canonical tag of its language. */
export function resolveLanguageAlias({ store, country, lang }: Storefront): Storefront {
  return { store, country, lang: rules[store](localeOf(lang), country) };
}

/** Whether two tags are one language of the storefront. */
export function isSameLanguage(storefront: Omit<Storefront, 'lang'>, one: string, other: string): boolean {
  const resolve = (lang: string) => resolveLanguageAlias({ ...storefront, lang }).lang;
  return one === other || resolve(one) === resolve(other);
}

/** As `hl` is sent: without a script, Chinese by country. */
function googlePlayTag(locale: Intl.Locale, country: string): string {
  if (locale.language === 'zh') {
    const { script, region } = locale.maximize();
    if (script !== 'Hant') return 'zh-CN';
    return region === 'HK' || region === 'MO' ? 'zh-HK' : 'zh-TW';
  }
  const language = locale.language === 'nb' ? 'no' : locale.language;
  return joinTag(language, undefined, locale.region ?? homeRegion(language, country));
}

/** As `lang` of a search and `l` of a page are sent. */
function appStoreTag(locale: Intl.Locale, country: string): string {
  const { language, script } = locale;
  const region = locale.region ?? (script ? locale.maximize().region : homeRegion(language, country));
  if (region === undefined) return joinTag(language, script);
  const usualScript = scriptOf(joinTag(language, undefined, region));
  if (language === 'zh') return joinTag(language, script ?? usualScript, region);
  return joinTag(language, script === usualScript ? undefined : script, region);
}

function homeRegion(language: string, country: string): string | undefined {
  return homeCountries.get(language) === country ? country : undefined;
}

function joinTag(language: string, script?: string, region?: string): string {
  return [language, script, region].filter((part) => part !== undefined).join('-');
}
