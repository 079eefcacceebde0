import { type Doc, fromBson } from '../semantics/bson.ts';
import { type Filter, getBranches } from '../semantics/check-filter.ts';
import { createMatcher } from '../semantics/match.ts';
import type { Sort } from '../semantics/sort.ts';
import type { Collection, StoredDocument } from './collection.ts';
import { isPrimary } from './collection-meta.ts';
import { createPlan, type Plan } from './plan.ts';

export type Scan = {
  matches: Iterable<StoredDocument>;
  /** The matches come in the order of the sort. */
  isSorted: boolean;
};

/**
 * Finds the documents that match a filter. `skip` is applied only if index entries suffice for it. `skipped` reports
 * the number of skipped matches.
 */
export function scan(
  collection: Collection,
  filter: Filter,
  sort: Sort,
  skip = 0,
): Scan & { skipped: number } {
  const plan = createPlan(collection.meta, filter, sort);
  if (plan?.isExact && plan.isSorted)
    return { matches: readPlan(collection, plan, skip), isSorted: true, skipped: skip };
  const matches = createMatcher(filter);
  const candidates = plan
    ? readPlan(collection, plan, 0)
    : (scanBranches(collection, filter) ?? collection.all());
  return {
    matches: filterMatches(candidates, matches),
    isSorted: plan?.isSorted ?? sort.length === 0,
    skipped: 0,
  };
}

/** Counts from the index alone if the plan is exact. */
export function countMatches(collection: Collection, filter: Filter): number {
  if (Object.keys(filter).length === 0) return collection.count();
  const plan = createPlan(collection.meta, filter, []);
  if (plan?.isExact)
    return plan.ranges.reduce((sum, [from, to]) => sum + collection.store.count(from, to), 0);
  let count = 0;
  for (const _ of scan(collection, filter, []).matches) count += 1;
  return count;
}

/** The documents of a plan, without duplicates, in the order of the entries. */
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
    const stored = bytes ? { docKey, bytes, doc: fromBson(bytes) } : collection.get(docKey);
    if (stored) yield stored;
  }
}

/** The entries of the primary index hold the documents themselves. */
function* readEntries(
  { store, keyPrefix }: Collection,
  { index, ranges, isReverse }: Plan,
): Generator<{ docKey: Buffer; bytes?: Buffer }> {
  for (const [from, to] of isReverse ? [...ranges].reverse() : ranges) {
    for (const { key, value } of store.entries(from, to, isReverse)) {
      yield isPrimary(index) ? { docKey: key.subarray(keyPrefix.length), bytes: value } : { docKey: value };
    }
  }
}

/** The union of the branches of an `$or`. Undefined unless every branch has an index. */
function scanBranches(collection: Collection, filter: Filter): Iterable<StoredDocument> | undefined {
  const parts = getBranches(filter, '$or');
  const plans = parts.map((part) => createPlan(collection.meta, part, []));
  if (plans.length === 0 || plans.some((plan) => plan === undefined)) return undefined;
  return readUnion(plans.flatMap((plan) => (plan ? [readPlan(collection, plan, 0)] : [])));
}

function* readUnion(parts: readonly Iterable<StoredDocument>[]): Generator<StoredDocument> {
  const seen = new Set<string>();
  for (const part of parts) {
    for (const stored of part) {
      const identity = stored.docKey.toString('latin1');
      if (seen.has(identity)) continue;
      seen.add(identity);
      yield stored;
    }
  }
}

function* filterMatches(
  candidates: Iterable<StoredDocument>,
  matches: (doc: Doc) => boolean,
): Generator<StoredDocument> {
  for (const stored of candidates) if (matches(stored.doc)) yield stored;
}
