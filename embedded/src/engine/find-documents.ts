import type { Doc } from '../semantics/bson.ts';
import type { Filter } from '../semantics/check-filter.ts';
import { skipAndLimit } from '../semantics/create-pipeline.ts';
import { createFieldDecoder, nameInPath } from '../semantics/some-fields.ts';
import { type Sort, sortBy } from '../semantics/sort.ts';
import type { Collection, StoredDocument } from '../storage/collection.ts';
import { scan } from '../storage/scan.ts';

export type Selection = {
  filter: Filter;
  sort?: Sort;
  skip?: number;
  limit?: number;
  /** See `scan`. */
  isBorrowing?: boolean;
};

/** Documents are read lazily, unless they must be sorted in memory. A limit of 0 means no limit. */
export function findDocuments(
  collection: Collection | undefined,
  { filter, sort = [], skip = 0, limit = 0, isBorrowing = false }: Selection,
): Iterable<StoredDocument> {
  if (!collection) return [];
  const { matches, isSorted, skipped } = scan(collection, filter, sort, { skip, isBorrowing });
  const docs = isSorted ? matches : sortStored(matches, sort);
  const remainingSkip = skip - skipped;
  return remainingSkip === 0 && limit === 0
    ? docs
    : skipAndLimit(docs, remainingSkip, limit === 0 ? Infinity : limit);
}

/** The decoded documents. */
export function* decodeEach(matches: Iterable<StoredDocument>): Generator<Doc> {
  for (const { doc } of matches) yield doc;
}

/** Finds the documents to change: all matches, or the first in sort order. */
export function findStoredDocuments(
  collection: Collection | undefined,
  { filter, sort = [] }: Pick<Selection, 'filter' | 'sort'>,
  onlyFirst: boolean,
): StoredDocument[] {
  if (!collection) return [];
  const { matches, isSorted } = scan(collection, filter, sort);
  if (!onlyFirst) return [...matches];
  if (isSorted) return [...skipAndLimit(matches, 0, 1)];
  return sortStored(matches, sort).slice(0, 1);
}

/** Decodes only what is sorted by: of large documents, the rest takes most of the time. */
function sortStored(matches: Iterable<StoredDocument>, sort: Sort): StoredDocument[] {
  const decode = createFieldDecoder(new Set(sort.map(([path]) => nameInPath(path))));
  return sortBy(matches, ({ bytes }) => decode(bytes), sort);
}
