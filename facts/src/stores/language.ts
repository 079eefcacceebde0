import { createByLanguage } from '../text/by-language.ts';

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const scriptNames = new Intl.DisplayNames(['en'], { type: 'script', fallback: 'none' });
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** A language, an optional script and an optional region: all parts of a store's language code. */
export const languagePattern = '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$';
const shape = new RegExp(languagePattern);

/** Codes that mean "no particular language, script or region". Some runtimes throw when asked for their names. */
const nonSpecificCodes: ReadonlySet<string> = new Set(['und', 'mis', 'mul', 'zxx', 'Zyyy', 'Zzzz', 'ZZ']);

/**
 * The canonical spelling of a BCP 47 language tag (`EN-us` becomes `en-US`). Null when the tag is malformed or names
 * an unknown language, script or region. Accepts any letter case; refuses variants and extensions.
 */
export function canonicalLanguage(tag: string): string | null {
  return shape.test(tag) ? canonicalOf(tag) : null;
}

/** Null for an unknown part. Only short tags of the shape come here, so the kept ones are small. */
const canonicalOf = createByLanguage((tag) => {
  const locale = new Intl.Locale(tag);
  // Node 20 omits the language `und`, contrary to the types.
  const { language = 'und', script, region } = locale;
  const exists =
    isNamed(languageNames, language) && isNamed(scriptNames, script) && isNamed(regionNames, region);
  return exists ? locale.toString() : null;
});

function isNamed(names: Intl.DisplayNames, code: string | undefined): boolean {
  return code === undefined || (!nonSpecificCodes.has(code) && names.of(code) !== undefined);
}
