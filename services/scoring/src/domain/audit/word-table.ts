import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { wordsOf } from '@shelfwise/facts/text/words';
import { isSearched, type SearchStatus } from '../keyword/search-status.ts';
import { type AuditField, isAimed } from './audit-field.ts';
import type { AuditInput, TermScore } from './audit-input.ts';
import { createWordKinds, isContent, type WordKind } from './word-kind.ts';

export type WordStatus =
  | 'earning'
  | 'already-used'
  | 'not-searched'
  | 'pending'
  | 'covered'
  | 'missing'
  | 'extra-reach';

/**
 * A word in one field. `already-used`: an earlier field carries it, searched or not; or people search for it and the
 * store finds the app by it anyway (see `WordKind`). Stop words are `not-searched`.
 */
export type WordRow = {
  /** normal form */
  name: string;
  kind: WordKind;
  searchStatus: SearchStatus;
  /** 0 to 100 */
  traffic: number | null;
  difficulty: number | null;
  /** Google Play's long description only */
  occurrences: number | null;
  status: WordStatus;
};

/**
 * The words of each indexed field, each once, in the field's order. A word is credited to the first field that
 * carries it. The long description's rows end with the words that earlier fields earn and that it does not contain
 * (`missing`).
 * @param auditedTerms the terms that the audit covers (`listingTerms`); other words are skipped
 */
export function wordTables(
  input: Pick<AuditInput, 'storefront' | 'developer_name' | 'genre' | 'terms'>,
  fields: readonly AuditField[],
  auditedTerms: ReadonlySet<string>,
): ReadonlyMap<ListingFieldKey, WordRow[]> {
  const kindOf = createWordKinds(input);
  const claims = new Map<string, WordRow>();
  const tables = new Map<ListingFieldKey, WordRow[]>();
  for (const field of fields.filter(({ isIndexed }) => isIndexed)) {
    const counts = countEach(wordsOf(field.readable, input.storefront.lang));
    const read = [...counts.keys()].flatMap((name) => {
      const kind = kindOf(name);
      return kind === 'function' || auditedTerms.has(name)
        ? [readWord(name, kind, input.terms.get(name))]
        : [];
    });
    const rows = isAimed(field)
      ? read.map((word) => ({ ...word, occurrences: null, status: aimedStatus(word, claims) }))
      : described(read, counts, claims);
    for (const row of rows) if (!claims.has(row.name)) claims.set(row.name, row);
    tables.set(field.key, rows);
  }
  return tables;
}

/** Whether the field is credited for this word. */
export function isEarning({ status }: WordRow): boolean {
  return status === 'earning' || status === 'extra-reach';
}

type ReadWord = Omit<WordRow, 'occurrences' | 'status'>;

function readWord(name: string, kind: WordKind, term: TermScore | undefined): ReadWord {
  if (kind === 'function') return { name, kind, searchStatus: 'unsearched', traffic: null, difficulty: null };
  if (term === undefined) return { name, kind, searchStatus: 'pending', traffic: null, difficulty: null };
  return { name, kind, searchStatus: term.search_status, traffic: term.traffic, difficulty: term.difficulty };
}

type Claims = ReadonlyMap<string, WordRow>;

function canEarn({ kind, searchStatus }: ReadWord): boolean {
  return isContent(kind) && searchStatus !== 'unsearched';
}

function aimedStatus(word: ReadWord, claims: Claims): WordStatus {
  if (word.kind === 'content' && claims.has(word.name)) return 'already-used';
  if (!canEarn(word)) return idleStatus(word);
  return word.searchStatus === 'pending' ? 'pending' : 'earning';
}

/** The status of a word that earns nothing. The store finds an app by its category and its developer's name anyway. */
function idleStatus({ kind, searchStatus }: ReadWord): WordStatus {
  return kind !== 'function' && isSearched({ searchStatus }) ? 'already-used' : 'not-searched';
}

function described(words: readonly ReadWord[], counts: Counts, claims: Claims): WordRow[] {
  const rows = words.map((word) => ({
    ...word,
    occurrences: counts.get(word.name) ?? 0,
    status: describedStatus(word, claims),
  }));
  const missing = [...claims.values()].filter((row) => isEarning(row) && !counts.has(row.name));
  return [...rows, ...missing.map((row) => ({ ...row, occurrences: 0, status: 'missing' as const }))];
}

function describedStatus(word: ReadWord, claims: Claims): WordStatus {
  if (!canEarn(word)) return idleStatus(word);
  if (word.searchStatus === 'pending') return 'pending';
  return claims.has(word.name) ? 'covered' : 'extra-reach';
}

type Counts = ReadonlyMap<string, number>;

function countEach(words: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
