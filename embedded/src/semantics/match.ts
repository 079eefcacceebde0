import { Context } from 'mingo/core';
import { $elemMatch, $size } from 'mingo/operators/query/array';
import { $and, $nor, $not, $or } from 'mingo/operators/query/logical';
import { Query } from 'mingo/query';
import type { Doc } from '../bson.ts';
import type { Filter } from './check-filter.ts';
import { type LiteralPattern, patternTest } from './literal-pattern.ts';
import { candidatesAt, valuesAt } from './paths.ts';
import { compareOrdered, isSame, kindOf } from './values.ts';

export type Matches = (doc: Doc) => boolean;

/**
 * The test of a checked filter. mingo evaluates the tree; comparisons are ours, since mingo's order strings by
 * UTF-16 and miss null inside arrays, and an index has to agree with them to the byte.
 */
export function createMatcher(filter: Filter): Matches {
  if (Object.keys(filter).length === 0) return () => true;
  const query = new Query(filter, { context: Context.init({ query: operators as unknown as QueryOps }) });
  return (doc) => query.test(doc);
}

/** mingo types an operator as the intersection of all of its own. */
type QueryOps = NonNullable<NonNullable<Parameters<typeof Context.init>[0]>['query']>;

type Operand<T> = (path: string, operand: T) => Matches;

const equals: Operand<unknown> = (path, wanted) => (doc) =>
  candidatesAt(doc, path).some((value) => isSame(value, wanted));

const isOneOf: Operand<unknown[]> = (path, wanted) => {
  const quick = new Set(wanted);
  const slow = wanted.filter((value) => typeof value === 'object');
  return (doc) =>
    candidatesAt(doc, path).some((value) => quick.has(value) || slow.some((other) => isSame(value, other)));
};

const hasAll: Operand<unknown[]> = (path, wanted) => (doc) => {
  const values = candidatesAt(doc, path);
  return wanted.length > 0 && wanted.every((one) => values.some((value) => isSame(value, one)));
};

const range =
  (accepts: (order: number) => boolean): Operand<unknown> =>
  (path, bound) =>
  (doc) =>
    candidatesAt(doc, path).some((value) => {
      const order = compareOrdered(value, bound);
      return order !== undefined && accepts(order);
    });

const exists: Operand<boolean> = (path, wanted) => (doc) =>
  valuesAt(doc, path).some((value) => value !== undefined) === wanted;

const hasPattern: Operand<LiteralPattern> = (path, pattern) => {
  const test = patternTest(pattern);
  return (doc) => candidatesAt(doc, path).some((value) => typeof value === 'string' && test(value));
};

const hasType: Operand<string> = (path, type) => (doc) =>
  candidatesAt(doc, path).some((value) => (type === 'null' ? value === null : kindOf(value) === type));

const not =
  <T>(operator: Operand<T>): Operand<T> =>
  (path, operand) => {
    const test = operator(path, operand);
    return (doc) => !test(doc);
  };

/** mingo hands every operator a path and an operand of no known type; check-filter has seen to the operand. */
const operators = {
  $and,
  $or,
  $nor,
  $not,
  $elemMatch,
  $size,
  $eq: equals,
  $ne: not(equals),
  $in: isOneOf,
  $nin: not(isOneOf),
  $all: hasAll,
  $gt: range((order) => order > 0),
  $gte: range((order) => order >= 0),
  $lt: range((order) => order < 0),
  $lte: range((order) => order <= 0),
  $exists: exists,
  $pattern: hasPattern,
  $type: hasType,
};
