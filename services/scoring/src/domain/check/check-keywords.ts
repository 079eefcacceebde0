import { categories, overallCategory } from '@shelfwise/facts/stores/categories';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { CheckedKeywords, CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { createWarning, quote } from './check-warning.ts';
import { findRepeats } from './find-repeats.ts';
import { createWrittenTerm } from './read-keywords.ts';

/**
 * App Store Connect counts 100 characters, but its reference says 100 bytes. A field of up to 100 characters and more
 * bytes may therefore be refused.
 */
const maxBytes = 100;

/** Forms of "app", in normal form. The store finds every app by them anyway. */
const wordsOfEveryApp = new Set(
  'app,apps,application,applications,appli,applis,aplicación,aplicaciones,aplicativo,aplicativos,applicazione,applicazioni,アプリ,앱,어플,应用,應用,приложение,приложения,تطبيق,تطبيقات,uygulama,uygulamalar'.split(
    ',',
  ),
);

const categoryNames = new Set(
  categories.ITUNES.filter(({ key }) => key !== overallCategory).map(({ label }) => normalizeKeyword(label)),
);

/** The title and subtitle that were sent with the keywords field; null: not sent. */
export type SentNames = { title: string | null; subtitle: string | null };

/**
 * Warnings about what wastes characters of the App Store's keywords field, and about a field with too many bytes.
 * @param read the result of `readKeywords` for the field
 * @param lang BCP 47: the language whose plurals and lower case count
 */
export function checkKeywords(
  field: string,
  read: CheckedKeywords,
  names: SentNames,
  lang: string,
): CheckWarning[] {
  const written = createWrittenTerm(field, lang);
  return [
    ...checkBytes(field),
    ...checkSeparators(field, read),
    ...checkRepeats(read, written),
    ...checkNames(field, names, lang),
    ...checkTerms(read, written),
  ];
}

function checkBytes(field: string): CheckWarning[] {
  const bytes = Buffer.byteLength(field, 'utf8');
  // `checkForm` reports a field over the limit in characters.
  if (field.length > maxBytes || bytes <= maxBytes) return [];
  return [
    createWarning(
      'warning',
      `The Keywords field has ${bytes} bytes in UTF-8; the App Store may refuse more than ${maxBytes}.`,
    ),
  ];
}

function checkSeparators(
  field: string,
  { wasted_on_spaces: wastedOnSpaces }: CheckedKeywords,
): CheckWarning[] {
  const warnings: CheckWarning[] = [];
  if (wastedOnSpaces > 0)
    warnings.push(
      createWarning(
        'warning',
        `${count(wastedOnSpaces, 'unneeded space')}: separate keywords by a comma alone.`,
      ),
    );
  if (/^\s*[,，、،]|[,，、،]\s*(?:[,，、،]|$)/u.test(field))
    warnings.push(
      createWarning('warning', 'A comma that does not separate two keywords wastes a character.'),
    );
  if (/[、،]/u.test(field))
    warnings.push(createWarning('warning', 'Separate keywords by a plain comma (,), not by "、" or "،".'));
  if (/[;；؛|\n]/u.test(field))
    warnings.push(
      createWarning('warning', 'Only commas separate keywords, not semicolons, bars or line breaks.'),
    );
  return warnings;
}

function checkRepeats(
  { duplicates, wasted_on_duplicates: wastedOnDuplicates }: CheckedKeywords,
  written: (term: string) => string,
): CheckWarning[] {
  if (duplicates.length === 0) return [];
  const cost = count(wastedOnDuplicates, 'character');
  return [createWarning('warning', `Repeated, at the cost of ${cost}: ${quote(duplicates.map(written))}.`)];
}

/** The store already indexes the words of the name and the subtitle; in the keywords field they gain nothing. */
function checkNames(field: string, { title, subtitle }: SentNames, lang: string): CheckWarning[] {
  const names = [title, subtitle].filter((text) => text !== null);
  const repeated = findRepeats(field, names, lang);
  if (repeated.length === 0) return [];
  return [createWarning('warning', `Already in the Name or the Subtitle: ${quote(repeated)}.`)];
}

function checkTerms(
  { terms, too_short: tooShort, phrases }: CheckedKeywords,
  written: (term: string) => string,
): CheckWarning[] {
  const distinct = [...new Set(terms)];
  const ofEveryApp = distinct.filter((term) => wordsOfEveryApp.has(term));
  const ofCategories = distinct.filter((term) => categoryNames.has(term));
  return [
    { level: 'warning' as const, useless: tooShort, reason: 'Single characters are not searched for' },
    {
      level: 'warning' as const,
      useless: ofEveryApp,
      reason: 'The store finds every app by these words anyway',
    },
    {
      level: 'info' as const,
      useless: ofCategories,
      reason: 'Apps are found by the name of their category anyway',
    },
    {
      level: 'info' as const,
      useless: phrases,
      reason: 'The words of a phrase gain as much when commas separate them',
    },
  ]
    .filter(({ useless }) => useless.length > 0)
    .map(({ level, useless, reason }) => createWarning(level, `${reason}: ${quote(useless.map(written))}.`));
}

function count(number: number, noun: string): string {
  return `${number} ${nounFor(number, noun)}`;
}
