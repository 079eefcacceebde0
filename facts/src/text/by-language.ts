/** More than a process meets in practice. When it meets more, all are created again. */
const maxLanguages = 500;

/** Calls `create` once per language, because creating an object of `Intl` costs more than using it. */
export function createByLanguage<Value>(create: (lang: string) => Value): (lang: string) => Value {
  const known = new Map<string, Value>();
  return (lang) => {
    const found = known.get(lang);
    if (found !== undefined) return found;
    if (known.size >= maxLanguages) known.clear();
    const created = create(lang);
    known.set(lang, created);
    return created;
  };
}

/**
 * ICU finds other words in the first text of a process where a word begins with a prolonged sound mark. That text is
 * given here, so that the same text always has the same words.
 */
export const segmenterOf = createByLanguage((lang) => {
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' });
  Array.from(segmenter.segment('ー漢'));
  return segmenter;
});

/** The language of a BCP 47 tag: `pt` of `pt-BR`. */
export const languageOf = createByLanguage((lang) => new Intl.Locale(lang).language);

/** The usual script of a BCP 47 tag (ISO 15924): `Latn` of `pt-BR`; empty when there is none. */
export const scriptOf = createByLanguage((lang) => new Intl.Locale(lang).maximize().script ?? '');
