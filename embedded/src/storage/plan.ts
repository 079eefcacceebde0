import type { Filter } from '../semantics/check-filter.ts';
import type { Sort } from '../semantics/sort.ts';
import { type CollectionMeta, encodeId, type IndexMeta, isPrimary } from './collection-meta.ts';
import { type Bound, type Constraint, type Constraints, readConstraints } from './constraints.ts';
import { createPrefixEnd, encodeKey, encodePrefix, getTypeBounds, isTruncated } from './encode-key.ts';
import { uniqueKeys } from './index-entries.ts';

export type KeyRange = readonly [from: Buffer, to: Buffer];

/** The index to read and its key ranges. */
export type Plan = {
  index: IndexMeta;
  ranges: readonly KeyRange[];
  isReverse: boolean;
  /** The entries come in the order of the sort. */
  isSorted: boolean;
  /** Every entry is a match and every match has one entry, so neither a filter nor deduplication is needed. */
  isExact: boolean;
};

type Candidate = Plan & { score: number };

/** The best plan for a filter and a sort. Undefined if no index helps. */
export function createPlan(meta: CollectionMeta, filter: Filter, sort: Sort): Plan | undefined {
  const constraints = readConstraints(filter);
  let best: Candidate | undefined;
  for (const index of meta.indexes) {
    const candidate = planIndex(index, constraints, sort, canProvideOrder(meta, index));
    if (candidate && candidate.score > (best?.score ?? 0)) best = candidate;
  }
  return best;
}

/** An index cannot provide a sort order if values were truncated or if documents have several entries. */
function canProvideOrder(meta: CollectionMeta, index: IndexMeta): boolean {
  return (
    !index.multikey && !index.truncated && !meta.indexes.some((other) => isPrimary(other) && other.truncated)
  );
}

function planIndex(
  index: IndexMeta,
  constraints: Constraints,
  sort: Sort,
  canOrder: boolean,
): Candidate | undefined {
  const { prefixes, paths, isMultiple } = createEqualityPrefixes(index, constraints);
  const path = Object.keys(index.key)[paths.length];
  const next = path === undefined ? undefined : constraints.byPath.get(path);
  const last = next?.kind === 'equal' ? undefined : next;
  const usedCount = paths.length + (last ? 1 : 0);
  if (index.sparse && usedCount === 0) return undefined;
  const direction = canOrder && !isMultiple ? findScanDirection(index, paths, sort) : undefined;
  return {
    index,
    ranges: prefixes.map((prefix) =>
      last ? createRange(prefix, last, index.multikey) : [prefix, createPrefixEnd(prefix)],
    ),
    isReverse: direction === -1,
    isSorted: sort.length === 0 || direction !== undefined,
    isExact:
      constraints.isComplete &&
      usedCount === constraints.byPath.size &&
      !index.multikey &&
      (!last || (!index.truncated && isExactRange(last))),
    score: computeScore(index, paths.length, last !== undefined, sort.length > 0 && direction !== undefined),
  };
}

function isExactRange(constraint: Constraint): boolean {
  return (
    constraint.kind === 'range' && !isTruncated(constraint.low?.value) && !isTruncated(constraint.high?.value)
  );
}

/** Equality scores highest, then the primary or a complete unique key, then a range, then a free sort. */
function computeScore(index: IndexMeta, equal: number, hasRange: boolean, isSorted: boolean): number {
  const isFullKey = index.unique && equal === Object.keys(index.key).length;
  return (
    equal * 10 +
    (hasRange ? 5 : 0) +
    (isPrimary(index) && equal > 0 ? 20 : 0) +
    (isFullKey ? 5 : 0) +
    (isSorted ? 4 : 0)
  );
}

/** The key prefixes that the leading equalities fix: one per value of an `$in`. At most one `$in` is used. */
function createEqualityPrefixes(
  index: IndexMeta,
  { byPath }: Constraints,
): { prefixes: Buffer[]; paths: string[]; isMultiple: boolean } {
  let prefixes = [encodeId(index.id)];
  const paths: string[] = [];
  let isMultiple = false;
  for (const path of Object.keys(index.key)) {
    const constraint = byPath.get(path);
    if (constraint?.kind !== 'equal') break;
    const { values } = constraint;
    if (index.sparse && values.includes(null)) break;
    if (values.length !== 1 && isMultiple) break;
    isMultiple ||= values.length !== 1;
    const encoded = uniqueKeys(values.map((value) => encodeKey(value)));
    prefixes = prefixes.flatMap((prefix) => encoded.map((value) => Buffer.concat([prefix, value])));
    paths.push(path);
  }
  return { prefixes: prefixes.sort(Buffer.compare), paths, isMultiple };
}

/**
 * Forward (1) or reverse (-1) if that scan provides the sort, else undefined. Equal entries come in the order of
 * their `_id`, the last part of each key.
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

function createRange(
  prefix: Buffer,
  constraint: Exclude<Constraint, { kind: 'equal' }>,
  multikey: boolean,
): KeyRange {
  if (constraint.kind === 'prefix') {
    const start = Buffer.concat([prefix, encodePrefix(constraint.text)]);
    return [start, createPrefixEnd(start)];
  }
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

/** A truncated bound covers all values with the same first bytes. The filter removes values outside of the range. */
function createLowKey({ value, inclusive }: Bound): Buffer {
  if (isTruncated(value) && typeof value === 'string') return encodePrefix(value);
  return inclusive ? encodeKey(value) : createPrefixEnd(encodeKey(value));
}

function createHighKey({ value, inclusive }: Bound): Buffer {
  if (isTruncated(value) && typeof value === 'string') return createPrefixEnd(encodePrefix(value));
  return inclusive ? createPrefixEnd(encodeKey(value)) : encodeKey(value);
}
