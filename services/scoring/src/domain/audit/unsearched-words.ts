import { isAimed } from './audit-field.ts';
import type { ReadListing } from './read-listing.ts';
import type { WordRow } from './word-table.ts';

/** The words of name, subtitle and keywords field that could earn if people searched for them, each once. */
export function aimedWords({ fields }: Pick<ReadListing, 'fields'>): WordRow[] {
  const rows = new Map<string, WordRow>();
  for (const row of fields.filter(isAimed).flatMap(({ words }) => words)) {
    if (row.kind === 'content' && !rows.has(row.name)) rows.set(row.name, row);
  }
  return [...rows.values()];
}

/** Those of them that nobody types. Stop words, the developer's name and the category are not counted against a listing. */
export function unsearchedWords(listing: Pick<ReadListing, 'fields'>): string[] {
  return aimedWords(listing)
    .filter(({ standing }) => standing === 'unsearched')
    .map(({ name }) => name);
}
