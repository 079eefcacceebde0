import { Context } from 'mingo/core';
import { $elemMatch, $size } from 'mingo/operators/query/array';
import { $and, $nor, $not, $or } from 'mingo/operators/query/logical';
import { Query } from 'mingo/query';
import type { Doc } from './bson.ts';
import type { Filter } from './check-filter.ts';
import { createPatternTest, type LiteralPattern } from './literal-pattern.ts';
import { getCandidates, getValues } from './paths.ts';
import { compareOrdered, getScalarType, isEqual } from './values.ts';

export type Matches = (doc: Doc) => boolean;

/**
 * Compiles a checked filter. mingo evaluates the logical operators. The comparisons are our own, because a scan of an
 * index and a test of the document must give the same matches: mingo orders strings by UTF-16 (the index keys are
 * UTF-8) and misses null inside arrays.
 */
export function createMatcher(filter: Filter): Matches {
  if (Object.keys(filter).length === 0) return () => true;
  const query = new Query(filter, {
    context: Context.init({ query: operators as unknown as QueryOperators }),
  });
  return (doc) => query.test(doc);
}

/** mingo types its operators as an intersection of all their signatures. */
type QueryOperators = NonNullable<NonNullable<Parameters<typeof Context.init>[0]>['query']>;

type Operator<T> = (path: string, operand: T) => Matches;

const equals: Operator<unknown> = (path, expected) => (doc) =>
  getCandidates(doc, path).some((value) => isEqual(value, expected));

const inList: Operator<unknown[]> = (path, expected) => {
  const values = new Set(expected);
  // Dates, ObjectIds and binaries, which a set compares by reference, and null, which a missing field equals.
  const objects = expected.filter((value) => typeof value === 'object');
  return (doc) =>
    getCandidates(doc, path).some(
      (value) => values.has(value) || objects.some((object) => isEqual(value, object)),
    );
};

const containsAll: Operator<unknown[]> = (path, expected) => (doc) => {
  const values = getCandidates(doc, path);
  return expected.length > 0 && expected.every((item) => values.some((value) => isEqual(value, item)));
};

/** Returns `$gt` and its relatives. `order` is below, equal to or above 0 as the value is to the bound. */
const range =
  (accepts: (order: number) => boolean): Operator<unknown> =>
  (path, bound) =>
  (doc) =>
    getCandidates(doc, path).some((value) => {
      const order = compareOrdered(value, bound);
      return order !== undefined && accepts(order);
    });

const exists: Operator<boolean> = (path, expected) => (doc) =>
  getValues(doc, path).some((value) => value !== undefined) === expected;

const matchesPattern: Operator<LiteralPattern> = (path, pattern) => {
  const test = createPatternTest(pattern);
  return (doc) => getCandidates(doc, path).some((value) => typeof value === 'string' && test(value));
};

const hasType: Operator<string> = (path, type) => (doc) =>
  getCandidates(doc, path).some((value) =>
    type === 'null' ? value === null : getScalarType(value) === type,
  );

const not =
  <T>(operator: Operator<T>): Operator<T> =>
  (path, operand) => {
    const test = operator(path, operand);
    return (doc) => !test(doc);
  };

/** mingo calls an operator with a path and an untyped operand. `checkFilter` has validated the operand. */
const operators = {
  $and,
  $or,
  $nor,
  $not,
  $elemMatch,
  $size,
  $eq: equals,
  $ne: not(equals),
  $in: inList,
  $nin: not(inList),
  $all: containsAll,
  $gt: range((order) => order > 0),
  $gte: range((order) => order >= 0),
  $lt: range((order) => order < 0),
  $lte: range((order) => order <= 0),
  $exists: exists,
  $pattern: matchesPattern,
  $type: hasType,
};
