import { categories, overallCategory } from '@shelfwise/facts/stores/categories';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { CheckedKeywords, CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { createWarning, quote } from './check-warning.ts';
import { readableText, unitsOf } from './text-units.ts';

/**
 * The console counts characters, its reference says bytes: a field within 100 characters but over 100 bytes may be
 * refused.
 */
const maxBytes = 100;

/** The store finds every app by these words anyway. */
const wordsOfEveryApp = new Set(
  'app,apps,application,applications,appli,applis,aplicación,aplicaciones,aplicativo,aplicativos,applicazione,applicazioni,アプリ,앱,어플,应用,應用,приложение,приложения,تطبيق,تطبيقات,uygulama,uygulamalar'.split(
    ',',
  ),
);

const categoryNames = new Set(
  categories.ITUNES.filter(({ key }) => key !== overallCategory).map(({ label }) => normalizeKeyword(label)),
);

/** The title and subtitle that were sent with the keywords field. */
export type SentNames = { title: string | null; subtitle: string | null };

/**
 * Warnings about text in the App Store's keywords field that wastes characters or gains nothing.
 * @param read the same field as returned by `readKeywords`
 */
export function checkKeywords(field: string, read: CheckedKeywords, names: SentNames): CheckWarning[] {
  return [
    ...checkBytes(field),
    ...checkSeparators(field, read),
    ...checkRepeats(read),
    ...checkNames(read, names),
    ...checkTerms(read),
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

function checkRepeats({
  duplicates,
  wasted_on_duplicates: wastedOnDuplicates,
}: CheckedKeywords): CheckWarning[] {
  if (duplicates.length === 0) return [];
  const cost = count(wastedOnDuplicates, 'character');
  return [createWarning('warning', `Repeated, at the cost of ${cost}: ${quote(duplicates)}.`)];
}

/** Words of the name or subtitle already count there. */
function checkNames({ terms }: CheckedKeywords, names: SentNames): CheckWarning[] {
  const nameRows = [names.title, names.subtitle].filter((text) => text !== null).map(wordRow);
  const words = new Set(terms.flatMap((term) => term.split(' ')));
  const repeated = [...words].filter((word) => {
    const row = wordRow(word);
    return row.trim() !== '' && nameRows.some((name) => name.includes(row));
  });
  if (repeated.length === 0) return [];
  return [createWarning('warning', `The Name or the Subtitle already has these words: ${quote(repeated)}.`)];
}

/** In UTF-16 units, far above every limit: the rest is not compared, so that every draft is checked quickly. */
const mostCompared = 300;

/** The units of a text, each between spaces, so that one row contains another only as whole words. */
function wordRow(text: string): string {
  const row = unitsOf(readableText(text, mostCompared)).map(({ key }) => key);
  return ` ${row.join(' ')} `;
}

function checkTerms({ terms, too_short: tooShort, phrases }: CheckedKeywords): CheckWarning[] {
  const common = [...new Set(terms)];
  const everywhere = common.filter((term) => wordsOfEveryApp.has(term));
  const named = common.filter((term) => categoryNames.has(term));
  return [
    { level: 'warning' as const, found: tooShort, why: 'Single characters are not searched for' },
    { level: 'warning' as const, found: everywhere, why: 'The store finds every app by these words anyway' },
    { level: 'info' as const, found: named, why: 'Apps are found by the name of their category anyway' },
    {
      level: 'info' as const,
      found: phrases,
      why: 'The words of a phrase gain as much when commas separate them',
    },
  ]
    .filter(({ found }) => found.length > 0)
    .map(({ level, found, why }) => createWarning(level, `${why}: ${quote(found)}.`));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
