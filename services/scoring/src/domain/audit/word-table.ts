import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { wordsOf } from '@shelfwise/facts/text/words';
import { isPartial } from '../keyword/is-partial.ts';
import { isRead, isSearched, type SearchStatus } from '../keyword/search-status.ts';
import { type AuditField, isAimed } from './audit-field.ts';
import type { AuditInput, TermScore } from './audit-input.ts';
import { createWordKinds, isContent, type WordKind } from './word-kind.ts';

/**
 * What a word does for its field. In any field:
 * - `earning`: it is searched, and the field is credited for it
 * - `already-used`: an earlier field has it, searched or not; or it is searched, but the category or of the
 *   developer's name, by which the store finds the app anyway
 * - `not-searched`: people do not search for it, or it is a stop word
 * - `pending`: its result page is not read yet
 *
 * Instead of `earning`, in Google Play's long description:
 * - `extra-reach`: no other field has it, so the description is credited for it
 * - `covered`: an earlier field has it, and the description repeats it
 * - `missing`: an earlier field earns it, and the description does not have it
 */
export type WordStatus =
  | 'earning'
  | 'already-used'
  | 'not-searched'
  | 'pending'
  | 'covered'
  | 'missing'
  | 'extra-reach';

/** A word in one field. */
export type WordRow = {
  /** normal form */
  name: string;
  kind: WordKind;
  searchStatus: SearchStatus;
  /** 0 to 100; null: not measured. That of a `pending` word is from suggestions alone. */
  traffic: number | null;
  difficulty: number | null;
  /** The traffic was computed without the store's suggestions. */
  isPartial: boolean;
  /** how often the text has the word; null except in Google Play's long description */
  occurrences: number | null;
  status: WordStatus;
};

/**
 * The words of each indexed field, each once, in the field's order. A word is credited to the first field that has it.
 * The long description's rows end with its `missing` words.
 * @param auditedTerms the terms that the audit covers (`listingTerms`); other words are skipped
 */
export function wordTables(
  input: Pick<AuditInput, 'storefront' | 'developer_name' | 'genre' | 'terms'>,
  fields: readonly AuditField[],
  auditedTerms: ReadonlySet<string>,
): ReadonlyMap<ListingFieldKey, WordRow[]> {
  const kindOf = createWordKinds(input);
  const firstRows = new Map<string, WordRow>();
  const tables = new Map<ListingFieldKey, WordRow[]>();
  for (const field of fields.filter(({ isIndexed }) => isIndexed)) {
    const counts = countEach(wordsOf(field.readable, input.storefront.lang));
    const words = [...counts.keys()].flatMap((name) => {
      const kind = kindOf(name);
      return kind === 'function' || auditedTerms.has(name)
        ? [readWord(name, kind, input.terms.get(name))]
        : [];
    });
    const rows = isAimed(field)
      ? words.map((word) => ({ ...word, occurrences: null, status: aimedStatus(word, firstRows) }))
      : describedRows(words, counts, firstRows);
    for (const row of rows) if (!firstRows.has(row.name)) firstRows.set(row.name, row);
    tables.set(field.key, rows);
  }
  return tables;
}

/** Whether the field is credited for this word. */
export function isEarning({ status }: WordRow): boolean {
  return status === 'earning' || status === 'extra-reach';
}

/** Whether the field itself has the word, and the store could be asked for it. */
export function isOwnWord({ kind, status }: WordRow): boolean {
  return kind !== 'function' && status !== 'missing';
}

type ReadWord = Omit<WordRow, 'occurrences' | 'status'>;

function readWord(name: string, kind: WordKind, term: TermScore | undefined): ReadWord {
  const unread = { name, kind, traffic: null, difficulty: null, isPartial: false };
  if (kind === 'function') return { ...unread, searchStatus: 'unsearched' };
  if (term === undefined) return { ...unread, searchStatus: 'pending' };
  const { traffic, difficulty, search_status: searchStatus } = term;
  return { name, kind, searchStatus, traffic, difficulty, isPartial: isPartial(term) };
}

/** By word: its row in the first field that has it, among the fields before the current one. */
type FirstRows = ReadonlyMap<string, WordRow>;

/** Whether the word earns, or may turn out to earn, where it is first used. */
function canEarn({ kind, searchStatus }: ReadWord): boolean {
  return isContent(kind) && searchStatus !== 'unsearched';
}

function aimedStatus(word: ReadWord, firstRows: FirstRows): WordStatus {
  if (word.kind === 'content' && firstRows.has(word.name)) return 'already-used';
  if (!canEarn(word)) return idleStatus(word);
  return isRead(word) ? 'earning' : 'pending';
}

/** The status of a word that earns nothing. The store finds an app by its category and its developer's name anyway. */
function idleStatus({ kind, searchStatus }: ReadWord): WordStatus {
  return kind !== 'function' && isSearched({ searchStatus }) ? 'already-used' : 'not-searched';
}

/** The rows of the long description. */
function describedRows(words: readonly ReadWord[], counts: Counts, firstRows: FirstRows): WordRow[] {
  const rows = words.map((word) => ({
    ...word,
    occurrences: counts.get(word.name) ?? 0,
    status: describedStatus(word, firstRows),
  }));
  const missing = [...firstRows.values()].filter((row) => isEarning(row) && !counts.has(row.name));
  return [...rows, ...missing.map((row) => ({ ...row, occurrences: 0, status: 'missing' as const }))];
}

function describedStatus(word: ReadWord, firstRows: FirstRows): WordStatus {
  if (!canEarn(word)) return idleStatus(word);
  if (!isRead(word)) return 'pending';
  return firstRows.has(word.name) ? 'covered' : 'extra-reach';
}

type Counts = ReadonlyMap<string, number>;

function countEach(words: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
