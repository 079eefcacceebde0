import type { Doc } from './bson.ts';
import { type Filter, getBranches } from './check-filter.ts';
import { getCandidates } from './paths.ts';
import { compareOrdered, isEqual } from './values.ts';

export type Matches = (doc: Doc) => boolean;

/**
 * Compiles a checked filter. A scan of an index and a test of the document must give the same matches: strings compare
 * as UTF-8, like the index keys, and null also equals null inside arrays.
 */
export function createMatcher(filter: Filter): Matches {
  const tests = Object.entries(filter).map(([field, condition]) =>
    field === '$or' ? matchesAny(getBranches(filter)) : meets(field, condition as Doc),
  );
  return (doc) => tests.every((test) => test(doc));
}

function matchesAny(branches: readonly Filter[]): Matches {
  const tests = branches.map(createMatcher);
  return (doc) => tests.some((test) => test(doc));
}

/** Every operator of a condition holds, each perhaps for another element of an array. */
function meets(path: string, condition: Doc): Matches {
  const tests = Object.entries(condition).map(([operator, operand]) => createTest(operator, path, operand));
  return (doc) => tests.every((test) => test(doc));
}

function createTest(name: string, path: string, operand: unknown): Matches {
  const operator = operators[name];
  if (!operator) throw new Error(`checkFilter has let ${name} pass`);
  // `checkFilter` has validated the operand.
  return operator(path, operand as never);
}

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

/** Returns `$gt` and its relatives. `order` is below, equal to or above 0 as the value is to the bound. */
const range =
  (accepts: (order: number) => boolean): Operator<unknown> =>
  (path, bound) =>
  (doc) =>
    getCandidates(doc, path).some((value) => {
      const order = compareOrdered(value, bound);
      return order !== undefined && accepts(order);
    });

const contains: Operator<string> = (path, text) => (doc) =>
  getCandidates(doc, path).some((value) => typeof value === 'string' && value.includes(text));

const not =
  <T>(operator: Operator<T>): Operator<T> =>
  (path, operand) => {
    const test = operator(path, operand);
    return (doc) => !test(doc);
  };

const operators: Readonly<Record<string, Operator<never>>> = {
  $not: not(meets),
  $eq: equals,
  $ne: not(equals),
  $in: inList,
  $nin: not(inList),
  $gt: range((order) => order > 0),
  $gte: range((order) => order >= 0),
  $lt: range((order) => order < 0),
  $lte: range((order) => order <= 0),
  $pattern: contains,
};
