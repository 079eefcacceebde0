import type { Doc } from '../semantics/bson.ts';
import type { Filter } from '../semantics/check-filter.ts';
import { skipAndLimit } from '../semantics/create-pipeline.ts';
import { type Sort, sortDocs } from '../semantics/sort.ts';
import type { Collection, StoredDocument } from '../storage/collection.ts';
import { scan } from '../storage/scan.ts';

export type Selection = { filter: Filter; sort?: Sort; skip?: number; limit?: number };

/** The documents of a selection, read as they are asked for unless they must be sorted first; limit 0 is none. */
export function findDocuments(
  collection: Collection | undefined,
  { filter, sort = [], skip = 0, limit = 0 }: Selection,
): Iterable<Doc> {
  if (!collection) return [];
  const { matches, isSorted, skipped } = scan(collection, filter, sort, skip);
  const docs = isSorted ? readDocs(matches) : sortDocs(readDocs(matches), sort);
  const remainingSkip = skip - skipped;
  return remainingSkip === 0 && limit === 0
    ? docs
    : skipAndLimit(docs, remainingSkip, limit === 0 ? Infinity : limit);
}

/** The documents to change: all of the matches, or the first of the sort. */
export function findStoredDocuments(
  collection: Collection | undefined,
  { filter, sort = [] }: Pick<Selection, 'filter' | 'sort'>,
  onlyFirst: boolean,
): StoredDocument[] {
  if (!collection) return [];
  const { matches, isSorted } = scan(collection, filter, sort);
  if (!onlyFirst) return [...matches];
  if (isSorted) return [...skipAndLimit(matches, 0, 1)];
  const byDoc = new Map(Array.from(matches, (stored) => [stored.doc, stored]));
  const [first] = sortDocs(byDoc.keys(), sort);
  const stored = first && byDoc.get(first);
  return stored ? [stored] : [];
}

function* readDocs(matches: Iterable<StoredDocument>): Generator<Doc> {
  for (const { doc } of matches) yield doc;
}
