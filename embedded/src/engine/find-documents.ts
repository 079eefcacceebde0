import type { Doc } from '../semantics/bson.ts';
import type { Filter } from '../semantics/check-filter.ts';
import { skipAndLimit } from '../semantics/create-pipeline.ts';
import type { Projector } from '../semantics/project.ts';
import { createEncodedSortKey, type Sort, sortByKey } from '../semantics/sort.ts';
import { type Collection, createStoredDocument, type StoredDocument } from '../storage/collection.ts';
import { scan } from '../storage/scan.ts';

export type Selection = {
  filter: Filter;
  sort?: Sort;
  skip?: number;
  limit?: number;
  /** What is taken of each document, before the next is read: none is copied or held whole. */
  project?: Projector | undefined;
};

/** Documents are read lazily, unless they must be sorted in memory. A limit of 0 means no limit. */
export function findDocuments(
  collection: Collection | undefined,
  { filter, sort = [], skip = 0, limit = 0, project }: Selection,
): Iterable<StoredDocument> {
  if (!collection) return [];
  const isBorrowing = project !== undefined;
  const { matches, isSorted, skipped } = scan(collection, filter, sort, { skip, isBorrowing });
  const docs = isSorted ? matches : sortStored(matches, sort, project);
  const remainingSkip = skip - skipped;
  const some =
    remainingSkip === 0 && limit === 0
      ? docs
      : skipAndLimit(docs, remainingSkip, limit === 0 ? Infinity : limit);
  return isSorted && project ? projectEach(some, project) : some;
}

function* projectEach(docs: Iterable<StoredDocument>, project: Projector): Generator<StoredDocument> {
  for (const { docKey, bytes } of docs) yield createStoredDocument(docKey, project(bytes));
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

function sortStored(matches: Iterable<StoredDocument>, sort: Sort, project?: Projector): StoredDocument[] {
  const keyOf = createEncodedSortKey(sort);
  return sortByKey(matches, (stored) => {
    const { docKey, bytes } = stored;
    return { key: keyOf(bytes), item: project ? createStoredDocument(docKey, project(bytes)) : stored };
  });
}
