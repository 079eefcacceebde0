const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const scriptNames = new Intl.DisplayNames(['en'], { type: 'script', fallback: 'none' });
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** language, optionally a script, optionally a region: all that a store's language code consists of */
export const languagePattern = '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$';
const shape = new RegExp(languagePattern);

/** Codes of the standards for "none in particular". Some runtimes throw when they are asked to name one. */
const namesNothing: ReadonlySet<string> = new Set(['und', 'mis', 'mul', 'zxx', 'Zyyy', 'Zzzz', 'ZZ']);

/**
 * A BCP 47 language tag in its canonical spelling (`EN-us` becomes `en-US`), or null when it is malformed or names
 * a language, script or region that does not exist. Any letter case is accepted; variants and extensions are not.
 */
export function canonicalLanguage(tag: string): string | null {
  if (!shape.test(tag)) return null;
  const locale = new Intl.Locale(tag);
  // The types say otherwise, but Node 20 leaves the language `und` out.
  const { language = 'und', script, region } = locale;
  const exists =
    isNamed(languageNames, language) && isNamed(scriptNames, script) && isNamed(regionNames, region);
  return exists ? locale.toString() : null;
}

function isNamed(names: Intl.DisplayNames, code: string | undefined): boolean {
  return code === undefined || (!namesNothing.has(code) && names.of(code) !== undefined);
}
