import type { Doc } from '../semantics/bson.ts';
import { type Filter, getBranches } from '../semantics/check-filter.ts';
import { createMatcher } from '../semantics/match.ts';
import { createEncodedMatcher } from '../semantics/match-encoded.ts';
import { createFieldDecoder, namesInFilter } from '../semantics/some-fields.ts';
import type { Sort } from '../semantics/sort.ts';
import { type Collection, createStoredDocument, type StoredDocument } from './collection.ts';
import { type CollectionMeta, isPrimary } from './collection-meta.ts';
import { createPlan, type Plan } from './plan.ts';

export type Scan = {
  matches: Iterable<StoredDocument>;
  /** Whether the matches come in the order of the sort. If not, the caller must sort them. */
  isSorted: boolean;
};

/** How the documents of a filter are found: with one index, with one per branch of an `$or`, or by reading all. */
export type Access =
  | { kind: 'index'; plan: Plan }
  | { kind: 'union'; plans: readonly Plan[]; isExact: boolean }
  | { kind: 'all' };

export function chooseAccess(meta: CollectionMeta, filter: Filter, sort: Sort): Access {
  const plan = createPlan(meta, filter, sort);
  if (plan) return { kind: 'index', plan };
  return planBranches(meta, filter) ?? { kind: 'all' };
}

export function isInOrder(access: Access, sort: Sort): boolean {
  return sort.length === 0 || (access.kind === 'index' && access.plan.isSorted);
}

/**
 * Finds the documents that match a filter, with an index if one helps. They are read lazily. If the index alone finds
 * the matches in order, the scan skips the first `skip` of them without reading their documents, and `skipped` equals
 * `skip`. Otherwise `skipped` is 0, and the caller must skip.
 * @param isBorrowing the caller copies what it needs of a match before it takes the next: the bytes may change then
 */
export function scan(
  stored: Collection,
  filter: Filter,
  sort: Sort,
  { skip = 0, isBorrowing = false }: { skip?: number; isBorrowing?: boolean } = {},
): Scan & { skipped: number } {
  const access = chooseAccess(stored.meta, filter, sort);
  const isSorted = isInOrder(access, sort);
  const collection = isBorrowing ? withBorrowedReads(stored) : stored;
  if (access.kind === 'index' && access.plan.isExact && isSorted)
    return { matches: readPlan(collection, access.plan, skip), isSorted, skipped: skip };
  const candidates = readAccess(collection, access);
  if (access.kind === 'union' && access.isExact) return { matches: candidates, isSorted, skipped: 0 };
  const untested = access.kind === 'index' ? untestedBy(access.plan, filter) : filter;
  return { matches: filterMatches(candidates, untested), isSorted, skipped: 0 };
}

/** Copying a document of some KB out of the store takes longer than to read it. */
function withBorrowedReads(collection: Collection): Collection {
  const { store, keyPrefix } = collection;
  return {
    ...collection,
    store: { ...store, get: store.peek },
    get(docKey) {
      const bytes = store.peek(Buffer.concat([keyPrefix, docKey]));
      return bytes && createStoredDocument(docKey, bytes);
    },
  };
}

/** Counts index entries if they are exactly the matches. Otherwise it reads and filters the documents. */
export function countMatches(collection: Collection, filter: Filter, limit = 0): number {
  const most = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  if (Object.keys(filter).length === 0) return Math.min(collection.count(), most);
  const plan = createPlan(collection.meta, filter, []);
  if (plan?.isExact) return Math.min(countEntries(collection, plan), most);
  let count = 0;
  for (const _ of scan(collection, filter, []).matches) {
    count += 1;
    if (count === most) break;
  }
  return count;
}

/**
 * Counts the matches for each value of the filter's `$in` on a path. Undefined if an index does not hold exactly the
 * matches, so that they must be read.
 */
export function countByValue(
  collection: Collection,
  filter: Filter,
  path: string,
): Map<unknown, number> | undefined {
  const { $in: values, ...others } = (filter[path] ?? {}) as { $in?: unknown };
  // A null also stands for a missing field.
  if (!Array.isArray(values) || values.includes(null) || Object.keys(others).length > 0) return undefined;
  const plan = createPlan(collection.meta, filter, []);
  if (!plan?.isExact) return undefined;
  // The index of the whole list also serves each value: the others need not be compared for each.
  const meta = { ...collection.meta, indexes: [plan.index] };
  const count = (value: unknown) => {
    const ofValue = createPlan(meta, { ...filter, [path]: { $eq: value } }, []);
    return ofValue ? countEntries(collection, ofValue) : 0;
  };
  return new Map(values.map((value) => [value, count(value)]));
}

function countEntries({ store }: Collection, { ranges }: Plan): number {
  return ranges.reduce((sum, [from, to]) => sum + store.count(from, to), 0);
}

/**
 * The documents of a plan, without duplicates, in the order of its index entries. `skip` counts entries, so it must be
 * 0 unless the plan is exact.
 */
function* readPlan(collection: Collection, plan: Plan, skip: number): Generator<StoredDocument> {
  const seen = plan.isExact ? undefined : new Set<string>();
  let toSkip = skip;
  for (const { docKey, bytes } of readEntries(collection, plan)) {
    if (toSkip > 0) {
      toSkip -= 1;
      continue;
    }
    if (seen) {
      const identity = docKey.toString('latin1');
      if (seen.has(identity)) continue;
      seen.add(identity);
    }
    const stored = bytes ? createStoredDocument(docKey, bytes) : collection.get(docKey);
    // Entries are read in chunks: a document may have been deleted since.
    if (stored) yield stored;
  }
}

/** The document keys of a plan, in its order. The primary index also holds the documents themselves, as `bytes`. */
function* readEntries(
  { store, keyPrefix }: Collection,
  { index, ranges, isReverse, isById }: Plan,
): Generator<{ docKey: Buffer; bytes?: Buffer }> {
  for (const [from, to] of isReverse ? [...ranges].reverse() : ranges) {
    if (isById) {
      const bytes = store.get(from);
      if (bytes) yield { docKey: from.subarray(keyPrefix.length), bytes };
      continue;
    }
    for (const { key, value } of store.entries(from, to, isReverse)) {
      yield isPrimary(index) ? { docKey: key.subarray(keyPrefix.length), bytes: value } : { docKey: value };
    }
  }
}

/**
 * The plans of all branches of an `$or`; `isExact` when their documents are the matches. Undefined if there is no `$or`,
 * or a branch that no index helps.
 */
function planBranches(meta: CollectionMeta, filter: Filter): Access | undefined {
  const branches = getBranches(filter);
  const plans = branches.flatMap((branch) => createPlan(meta, branch, []) ?? []);
  if (branches.length === 0 || plans.length < branches.length) return undefined;
  const isExact = Object.keys(filter).length === 1 && plans.every((plan) => plan.isExact);
  return { kind: 'union', plans, isExact };
}

/** The documents that may match, without duplicates. */
function readAccess(collection: Collection, access: Access): Iterable<StoredDocument> {
  if (access.kind === 'index') return readPlan(collection, access.plan, 0);
  if (access.kind === 'union') return readUnion(access.plans.map((plan) => readPlan(collection, plan, 0)));
  return collection.all();
}

function* readUnion(branches: readonly Iterable<StoredDocument>[]): Generator<StoredDocument> {
  const seen = new Set<string>();
  for (const branch of branches) {
    for (const stored of branch) {
      const identity = stored.docKey.toString('latin1');
      if (seen.has(identity)) continue;
      seen.add(identity);
      yield stored;
    }
  }
}

/**
 * The conditions that an entry of the plan may not meet, so that documents are tested: a path that is an array of a hundred texts
 * takes longer to decode than all else. An empty array has the entry of null, which it does not equal.
 */
function untestedBy({ index, equalPaths }: Plan, filter: Filter): Filter {
  const isMet = (path: string, condition: unknown) => {
    if (!equalPaths.includes(path)) return false;
    const operands = Object.values(condition as Doc);
    return operands.length === 1 && !(index.multikey && operands.flat().includes(null));
  };
  return Object.fromEntries(
    Object.entries(filter).filter(([path, condition]) => !isMet(path, condition)),
  ) as Filter;
}

function* filterMatches(candidates: Iterable<StoredDocument>, filter: Filter): Generator<StoredDocument> {
  if (Object.keys(filter).length === 0) {
    yield* candidates;
    return;
  }
  const isMatch = createTest(filter);
  const encoded = createEncodedMatcher(filter);
  const isRestMatch = encoded && createTest(encoded.rest);
  for (const stored of candidates) {
    const isKnown = encoded?.matches(stored.bytes);
    if (isKnown === false) continue;
    if ((isKnown && isRestMatch ? isRestMatch : isMatch)(stored.bytes)) yield stored;
  }
}

function createTest(filter: Filter): (bytes: Buffer) => boolean {
  if (Object.keys(filter).length === 0) return () => true;
  const isMatch = createMatcher(filter);
  const decode = createFieldDecoder(new Set(namesInFilter(filter)));
  return (bytes) => isMatch(decode(bytes));
}
