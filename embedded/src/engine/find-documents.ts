import type { Doc } from '../bson.ts';
import { window } from '../semantics/aggregate.ts';
import type { Filter } from '../semantics/check-filter.ts';
import { type Sort, sortDocs } from '../semantics/sort.ts';
import type { Collection, Stored } from '../storage/collection.ts';
import { scan } from '../storage/scan.ts';

export type Selection = { filter: Filter; sort?: Sort; skip?: number; limit?: number };

/** The documents of a selection, read as they are asked for unless they must be sorted first; limit 0 is none. */
export function findDocuments(
  collection: Collection | undefined,
  { filter, sort = [], skip = 0, limit = 0 }: Selection,
): Iterable<Doc> {
  if (!collection) return [];
  const { matches, sorted, skipped } = scan(collection, filter, sort, skip);
  const docs = sorted ? docsOf(matches) : sortDocs(docsOf(matches), sort);
  const left = skip - skipped;
  return left === 0 && limit === 0 ? docs : window(docs, left, limit === 0 ? Infinity : limit);
}

/** The documents to change: all of the matches, or the first of the sort. */
export function findStored(
  collection: Collection | undefined,
  { filter, sort = [] }: Pick<Selection, 'filter' | 'sort'>,
  onlyFirst: boolean,
): Stored[] {
  if (!collection) return [];
  const { matches, sorted } = scan(collection, filter, sort);
  if (!onlyFirst) return [...matches];
  if (sorted) return [...window(matches, 0, 1)];
  const byDoc = new Map(Array.from(matches, (stored) => [stored.doc, stored]));
  const [first] = sortDocs(byDoc.keys(), sort);
  const stored = first && byDoc.get(first);
  return stored ? [stored] : [];
}

function* docsOf(matches: Iterable<Stored>): Generator<Doc> {
  for (const { doc } of matches) yield doc;
}
