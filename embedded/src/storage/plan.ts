import type { Filter } from '../semantics/check-filter.ts';
import type { Sort } from '../semantics/sort.ts';
import { type CollectionMeta, type IndexMeta, idBytes, isPrimary } from './collection-meta.ts';
import { type Bound, type Constraint, type Constraints, readConstraints } from './constraints.ts';
import { after, encodeKey, encodePrefix, isCut, keptBytes, typeBounds } from './encode-key.ts';
import { distinct } from './index-entries.ts';

export type KeyRange = readonly [from: Buffer, to: Buffer];

/** Which part of which index to read. */
export type Plan = {
  index: IndexMeta;
  ranges: readonly KeyRange[];
  reverse: boolean;
  /** The entries come in the order that was asked for. */
  sorted: boolean;
  /** Every entry is a match, and each match has one entry: neither the filter nor doubles need a look. */
  exact: boolean;
};

type Candidate = Plan & { score: number };

/** The best plan for a filter and a sort; undefined when no index helps. */
export function createPlan(meta: CollectionMeta, filter: Filter, sort: Sort): Plan | undefined {
  const constraints = readConstraints(filter);
  let best: Candidate | undefined;
  for (const index of meta.indexes) {
    const candidate = planWith(index, constraints, sort, isOrdered(meta, index));
    if (candidate && candidate.score > (best?.score ?? 0)) best = candidate;
  }
  return best;
}

/** Can the order of the index's entries be that of a sort? Not when values were cut, or documents occur twice. */
function isOrdered(meta: CollectionMeta, index: IndexMeta): boolean {
  return !index.multikey && !index.cut && !meta.indexes.some((one) => isPrimary(one) && one.cut);
}

function planWith(
  index: IndexMeta,
  constraints: Constraints,
  sort: Sort,
  canOrder: boolean,
): Candidate | undefined {
  const { prefixes, paths, isMany } = equalPrefixes(index, constraints);
  const path = Object.keys(index.key)[paths.length];
  const found = path === undefined ? undefined : constraints.byPath.get(path);
  const last = found?.kind === 'equal' ? undefined : found;
  const used = paths.length + (last ? 1 : 0);
  if (index.sparse && used === 0) return undefined;
  const ordered = canOrder && !isMany ? direction(index, paths, sort) : undefined;
  return {
    index,
    ranges: prefixes.map((prefix) => (last ? narrow(prefix, last, index.multikey) : [prefix, after(prefix)])),
    reverse: ordered === -1,
    sorted: sort.length === 0 || ordered !== undefined,
    exact:
      constraints.complete &&
      used === constraints.byPath.size &&
      !index.multikey &&
      (!last || (last.kind === 'range' && !index.cut)),
    score: score(index, paths.length, last !== undefined, sort.length > 0 && ordered !== undefined),
  };
}

/** Equality is worth most, then the primary or a complete unique key, then a range, then a sort for nothing. */
function score(index: IndexMeta, equal: number, hasRange: boolean, isSorted: boolean): number {
  const isWholeKey = index.unique && equal === Object.keys(index.key).length;
  return (
    equal * 10 +
    (hasRange ? 5 : 0) +
    (isPrimary(index) && equal > 0 ? 20 : 0) +
    (isWholeKey ? 5 : 0) +
    (isSorted ? 4 : 0)
  );
}

/** The key starts that the leading equalities fix: one for each value of an `$in`, which may occur once. */
function equalPrefixes(
  index: IndexMeta,
  { byPath }: Constraints,
): { prefixes: Buffer[]; paths: string[]; isMany: boolean } {
  let prefixes = [idBytes(index.id)];
  const paths: string[] = [];
  let isMany = false;
  for (const path of Object.keys(index.key)) {
    const constraint = byPath.get(path);
    if (constraint?.kind !== 'equal') break;
    const { values } = constraint;
    if (index.sparse && values.includes(null)) break;
    if (values.length !== 1 && isMany) break;
    isMany ||= values.length !== 1;
    const encoded = distinct(values.map((value) => encodeKey(value)));
    prefixes = prefixes.flatMap((prefix) => encoded.map((value) => Buffer.concat([prefix, value])));
    paths.push(path);
  }
  return { prefixes: prefixes.sort(Buffer.compare), paths, isMany };
}

/**
 * Forwards (1) or backwards (-1) through the index gives the sort; undefined when neither does. Entries that are equal
 * come in the order of their `_id`, which is the last part of each.
 */
function direction(index: IndexMeta, equalPaths: readonly string[], sort: Sort): 1 | -1 | undefined {
  const wanted = sort.filter(([path]) => !equalPaths.includes(path));
  const rest = [...Object.keys(index.key), '_id'].slice(equalPaths.length);
  const [first] = wanted;
  const isServed = wanted.every(([path, order], at) => path === rest[at] && order === first?.[1]);
  return isServed ? (first?.[1] ?? 1) : undefined;
}

function narrow(
  prefix: Buffer,
  constraint: Exclude<Constraint, { kind: 'equal' }>,
  multikey: boolean,
): KeyRange {
  if (constraint.kind === 'prefix') {
    const start = Buffer.concat([prefix, encodePrefix(constraint.text)]);
    return [start, after(start)];
  }
  const { low } = constraint;
  // One element of an array may meet the low bound and another the high one: only one of them can narrow the scan.
  const high = multikey && low ? undefined : constraint.high;
  const [least, most] = typeBounds((low ?? high)?.value);
  return [
    Buffer.concat([prefix, low ? lowKey(low) : least]),
    Buffer.concat([prefix, high ? highKey(high) : most]),
  ];
}

/** Values that were cut are bounded by what was kept of them; the filter does the rest. */
function lowKey({ value, inclusive }: Bound): Buffer {
  if (isCut(value) && typeof value === 'string') return encodePrefix(value).subarray(0, keptBytes);
  return inclusive ? encodeKey(value) : after(encodeKey(value));
}

function highKey({ value, inclusive }: Bound): Buffer {
  if (isCut(value) && typeof value === 'string') return after(encodePrefix(value).subarray(0, keptBytes));
  return inclusive ? after(encodeKey(value)) : encodeKey(value);
}
