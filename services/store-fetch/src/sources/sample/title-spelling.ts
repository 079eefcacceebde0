import { sampleContent } from './content.ts';
import type { LanguagePack } from './content-schema.ts';

/** The spelling of a term in a title. Abbreviations are already in capitals. */
export function inTitle(term: string, titleCase: LanguagePack['titleCase']): string {
  if (titleCase === 'as written') return term;
  return titleCase === 'first letter' ? capitalize(term) : capitalizeWords(term);
}

/** People search "pdf scanner"; listings say "PDF scanner". */
export function capitalizeAbbreviations(text: string): string {
  const { abbreviations } = sampleContent().words;
  return text.replace(/[\p{L}\d]+/gu, (word) =>
    abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word,
  );
}

/** Converts the first letter to uppercase. */
function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** As English titles are written: "Learn to Read". */
function capitalizeWords(term: string): string {
  return term
    .replace(/(?<=^|[ -])[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/\b(To|And|For|Of|The|With|In|At)\b(?!$)/g, (word, _, at) =>
      at === 0 ? word : word.toLowerCase(),
    );
}
