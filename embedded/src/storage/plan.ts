import type { Filter } from '../semantics/check-filter.ts';
import {
  createPrefixEnd,
  encodeKey,
  encodePrefix,
  getTypeBounds,
  isTruncated,
} from '../semantics/encode-key.ts';
import type { Sort } from '../semantics/sort.ts';
import { type CollectionMeta, encodeId, type IndexMeta, isPrimary } from './collection-meta.ts';
import { type Bound, type Constraints, type Range, readConstraints } from './constraints.ts';
import { uniqueKeys } from './index-entries.ts';

export type KeyRange = readonly [from: Buffer, to: Buffer];

/** The index to read and its key ranges, ascending and without overlap. */
export type Plan = {
  index: IndexMeta;
  ranges: readonly KeyRange[];
  isReverse: boolean;
  /** Every entry has, on each of these paths, a value of the path's equality. */
  equalPaths: readonly string[];
  /** Each range holds at most one key, its lower end: the key of a document by `_id`. */
  isById: boolean;
  /** The entries come in the order of the sort. */
  isSorted: boolean;
  /** Every entry is a match and every match has one entry, so neither a filter nor deduplication is needed. */
  isExact: boolean;
};

/** A plan whose ranges are not encoded yet, which takes longer than all else and is needed for the best plan only. */
type Candidate = Omit<Plan, 'ranges'> & {
  score: number;
  /** The values of each of `equalPaths`. */
  equalities: readonly (readonly unknown[])[];
  /** The condition on the path after them. */
  range: Range | undefined;
};

/** The best plan for a filter and a sort. Undefined if no index narrows the scan or provides the sort. */
export function createPlan(meta: CollectionMeta, filter: Filter, sort: Sort): Plan | undefined {
  const constraints = readConstraints(filter);
  let best: Candidate | undefined;
  for (const index of meta.indexes) {
    const candidate = planIndex(index, constraints, sort, canProvideOrder(meta, index));
    if (candidate && candidate.score > (best?.score ?? 0)) best = candidate;
  }
  if (!best) return undefined;
  const { score: _, equalities, range, ...plan } = best;
  return { ...plan, ranges: createRanges(plan.index, equalities, range) };
}

/**
 * An index cannot provide a sort order if documents have several entries, or if values were truncated. Each entry ends
 * with the `_id`, so this includes a truncated `_id`.
 */
function canProvideOrder(meta: CollectionMeta, index: IndexMeta): boolean {
  const hasTruncatedIds = meta.indexes.some((candidate) => isPrimary(candidate) && candidate.truncated);
  return !index.multikey && !index.truncated && !hasTruncatedIds;
}

/**
 * The plan that reads this index: equalities on its leading paths, then at most one range on the next path.
 * Undefined if a sparse index may lack matches.
 */
function planIndex(
  index: IndexMeta,
  constraints: Constraints,
  sort: Sort,
  canOrder: boolean,
): Candidate | undefined {
  const { equalities, isMultiple } = readEqualities(index, constraints);
  const paths = Object.keys(index.key);
  const equalPaths = paths.slice(0, equalities.length);
  const nextPath = paths[equalPaths.length];
  const nextConstraint = nextPath === undefined ? undefined : constraints.byPath.get(nextPath);
  // An equality is left here only if the index cannot use it: a second `$in`, or null in a sparse index.
  const range = nextConstraint?.kind === 'equal' ? undefined : nextConstraint;
  const usedCount = equalPaths.length + (range ? 1 : 0);
  // A sparse index has no entries for documents without its fields. Only a constraint on one of the fields rules them out.
  if (index.sparse && usedCount === 0) return undefined;
  const direction = canOrder && !isMultiple ? findScanDirection(index, equalPaths, sort) : undefined;
  return {
    index,
    equalities,
    range,
    isReverse: direction === -1,
    equalPaths,
    isById: isPrimary(index) && equalPaths.length > 0,
    isSorted: sort.length === 0 || direction !== undefined,
    isExact:
      constraints.isComplete &&
      usedCount === constraints.byPath.size &&
      !index.multikey &&
      (!range || (!index.truncated && isExactRange(range))),
    score: computeScore(index, {
      equalCount: equalPaths.length,
      range,
      providesSort: sort.length > 0 && direction !== undefined,
    }),
  };
}

function isExactRange({ low, high }: Range): boolean {
  return !isTruncated(low?.value) && !isTruncated(high?.value);
}

/** More than the equalities of any other index are worth. */
const closedIdRange = 60;

/**
 * Prefers the index that narrows the scan most. Ids between two bounds count most: they are the rows of one owner. Then an
 * equality, one on `_id` thrice; then a complete unique key or a range; then a sort that needs no memory; last a sparse index,
 * which holds only the documents with its fields. 0 means that the index does not help.
 */
function computeScore(
  index: IndexMeta,
  {
    equalCount,
    range,
    providesSort,
  }: { equalCount: number; range: Range | undefined; providesSort: boolean },
): number {
  const isFullKey = index.unique && equalCount === Object.keys(index.key).length;
  const isClosed = range?.low !== undefined && range.high !== undefined;
  return (
    equalCount * 10 +
    (range ? (isPrimary(index) && isClosed ? closedIdRange : 5) : 0) +
    (isPrimary(index) && equalCount > 0 ? 20 : 0) +
    (isFullKey ? 5 : 0) +
    (providesSort ? 4 : 0) +
    (index.sparse && equalCount > 0 ? 1 : 0)
  );
}

/**
 * The values that the equalities on the leading paths allow. At most one `$in` is used, because the key prefixes of two would multiply.
 * `isMultiple` tells that an `$in` is used.
 */
function readEqualities(
  index: IndexMeta,
  { byPath }: Constraints,
): { equalities: (readonly unknown[])[]; isMultiple: boolean } {
  const equalities: (readonly unknown[])[] = [];
  let isMultiple = false;
  for (const path of Object.keys(index.key)) {
    const constraint = byPath.get(path);
    if (constraint?.kind !== 'equal') break;
    const { values } = constraint;
    // Null also matches a missing field, and a sparse index has no entry for documents without its fields.
    if (index.sparse && values.includes(null)) break;
    if (values.length !== 1 && isMultiple) break;
    isMultiple ||= values.length !== 1;
    equalities.push(values);
  }
  return { equalities, isMultiple };
}

/** One range for each value of an `$in`, else one. */
function createRanges(
  index: IndexMeta,
  equalities: readonly (readonly unknown[])[],
  range: Range | undefined,
): KeyRange[] {
  let prefixes = [encodeId(index.id)];
  for (const values of equalities) {
    const encoded = uniqueKeys(values.map((value) => encodeKey(value)));
    prefixes = prefixes.flatMap((prefix) => encoded.map((value) => Buffer.concat([prefix, value])));
  }
  return prefixes
    .sort(Buffer.compare)
    .map(
      (prefix): KeyRange =>
        range ? createRange(prefix, range, index.multikey) : [prefix, createPrefixEnd(prefix)],
    );
}

/**
 * Forward (1) or reverse (-1) if that scan provides the sort, else undefined. All sort fields must have the same
 * direction, because keys are stored ascending, whatever the directions in `index.key`. Entries with equal values come
 * in the order of their `_id`, the last part of each key.
 */
function findScanDirection(index: IndexMeta, equalPaths: readonly string[], sort: Sort): 1 | -1 | undefined {
  const sortFields = sort.filter(([path]) => !equalPaths.includes(path));
  const remaining = [...Object.keys(index.key), '_id'].slice(equalPaths.length);
  const [first] = sortFields;
  const isProvided = sortFields.every(
    ([path, order], position) => path === remaining[position] && order === first?.[1],
  );
  return isProvided ? (first?.[1] ?? 1) : undefined;
}

/** The key range of a range on the path that follows the equalities in `prefix`. */
function createRange(prefix: Buffer, constraint: Range, multikey: boolean): KeyRange {
  const { low } = constraint;
  // One array element may satisfy the low bound and another one the high bound, so only one bound can narrow the
  // scan.
  const high = multikey && low ? undefined : constraint.high;
  const [min, max] = getTypeBounds((low ?? high)?.value);
  return [
    Buffer.concat([prefix, low ? createLowKey(low) : min]),
    Buffer.concat([prefix, high ? createHighKey(high) : max]),
  ];
}

/**
 * A truncated bound includes all values with the same first 200 bytes. The plan is then not exact, so the filter
 * removes the values outside of the range.
 */
function createLowKey({ value, inclusive }: Bound): Buffer {
  if (isTruncated(value) && typeof value === 'string') return encodePrefix(value);
  return inclusive ? encodeKey(value) : createPrefixEnd(encodeKey(value));
}

function createHighKey({ value, inclusive }: Bound): Buffer {
  if (isTruncated(value) && typeof value === 'string') return createPrefixEnd(encodePrefix(value));
  return inclusive ? createPrefixEnd(encodeKey(value)) : encodeKey(value);
}
