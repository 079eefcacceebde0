import { resolveLanguageAlias } from '@shelfwise/facts/stores/language-alias';
import { parseStorefront, type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { cutText } from '@shelfwise/facts/text/cut-text';
import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { type CsvProblem, type CsvRecord, parseCsv } from './parse-csv.ts';

/** The limits of an input file. At the budget of the App Store, 2,000 terms take almost two hours. */
export const inputLimits = { bytes: 1024 * 1024, terms: 2000, lineLength: 2000 } as const;

/** A term whose value is known from elsewhere. */
export type KnownTerm = {
  /** in normal form */
  term: string;
  storefront: Storefront;
  knownValue: number;
};

/** All that is wrong with a file, one sentence for each line; otherwise its terms, in the order of the file. */
export type ParsedKnownTerms =
  | { problems: string[] }
  | { terms: KnownTerm[] /** names of columns that mean nothing here */; ignoredColumns: string[] };

const requiredColumns = ['term', 'country', 'known_value'];
const optionalColumns = ['store', 'lang'];
/** Sums of such values are exact enough, and never infinite. */
const greatestValue = 1e15;
const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A unique text per term and storefront. */
export function termKey({ storefront, term }: Pick<KnownTerm, 'storefront' | 'term'>): string {
  return `${storefrontKey(storefront)}:${term}`;
}

/** Reads the terms of a CSV text with a header line. Every line with a problem is named by its number. */
export function parseKnownTerms(text: string): ParsedKnownTerms {
  const { records, problems } = parseCsv(text.replace(/^\uFEFF/, ''), { maxLength: inputLimits.lineLength });
  const found = problems.map(({ line, problem }) => ({ line, problem: `the line ${problem}` }));
  const [header, ...rows] = records;
  if (header === undefined) return { problems: [...toSentences(found), 'There is no header line.'] };
  const columns = header.fields.map((name) => name.trim().toLowerCase());
  const headerProblem = findHeaderProblem(columns);
  if (headerProblem !== null) {
    found.push({ line: header.line, problem: headerProblem });
    return { problems: toSentences(found) };
  }
  if (rows.length > inputLimits.terms)
    return { problems: [`There are ${rows.length} terms; at most ${inputLimits.terms} are read at once.`] };

  const terms: KnownTerm[] = [];
  const lineByKey = new Map<string, number>();
  for (const record of rows) {
    const row = readRow(record, columns);
    if ('problem' in row) {
      found.push({ line: record.line, problem: row.problem });
      continue;
    }
    const key = termKey(row);
    const firstLine = lineByKey.get(key);
    if (firstLine !== undefined)
      found.push({ line: record.line, problem: `${quote(row.term)} is also on line ${firstLine}` });
    else terms.push(row);
    lineByKey.set(key, firstLine ?? record.line);
  }
  if (found.length > 0) return { problems: toSentences(found) };
  if (terms.length === 0) return { problems: ['There is no term below the header line.'] };
  const known = [...requiredColumns, ...optionalColumns];
  return { terms, ignoredColumns: columns.filter((name) => !known.includes(name)) };
}

function findHeaderProblem(columns: readonly string[]): string | null {
  const missing = requiredColumns.filter((name) => !columns.includes(name));
  const isSemicolon = columns.length === 1 && columns[0]?.includes(';');
  if (missing.length > 0) {
    const hint = isSemicolon ? '; columns are separated by commas, not by semicolons' : '';
    return `the header has no column ${missing.join(', ')}${hint}`;
  }
  const repeated = [...requiredColumns, ...optionalColumns].find(
    (name) => columns.indexOf(name) !== columns.lastIndexOf(name),
  );
  return repeated === undefined ? null : `the header has the column ${repeated} twice`;
}

function readRow({ fields }: CsvRecord, columns: readonly string[]): KnownTerm | { problem: string } {
  if (fields.length !== columns.length)
    return { problem: `${fields.length} columns, but the header has ${columns.length}` };
  const cell = (name: string) => fields[columns.indexOf(name)]?.trim() ?? '';
  // The length is the same in all languages.
  const termProblem = keywordProblem(normalizeKeyword(cell('term')));
  if (termProblem !== null) return { problem: `term: ${termProblem.replace(/\.$/, '')}` };
  const parsed = parseStorefront({
    store: cell('store').toUpperCase() || 'ITUNES',
    country: cell('country'),
    lang: cell('lang') || 'en-US',
  });
  if ('problems' in parsed)
    return {
      problem: Object.entries(parsed.problems)
        .map(([name, problem]) => `${name} ${quote(cell(name))} ${problem}`)
        .join(', '),
    };
  const value = cell('known_value');
  const knownValue = Number(value);
  if (value === '') return { problem: 'known_value is empty' };
  if (!number.test(value))
    return {
      problem: `known_value ${quote(value)} is not a number such as 1234.5, without separators of thousands`,
    };
  if (Math.abs(knownValue) > greatestValue)
    return { problem: `known_value ${quote(value)} is beyond ${greatestValue}` };
  // Two tags of one language would count a term twice.
  const storefront = resolveLanguageAlias(parsed.storefront);
  return { term: normalizeKeyword(cell('term'), storefront.lang), storefront, knownValue };
}

/** In the order of the lines. */
function toSentences(problems: readonly CsvProblem[]): string[] {
  return problems.toSorted((a, b) => a.line - b.line).map(({ line, problem }) => `Line ${line}: ${problem}.`);
}

function quote(text: string): string {
  return text.length > 60 ? `"${cutText(text, 60)}…"` : `"${text}"`;
}
