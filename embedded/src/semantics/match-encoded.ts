import { type Element, elementTypes, hasName, readElements } from './bson-elements.ts';
import type { Filter } from './check-filter.ts';
import { isDocument } from './values.ts';

/** Whether the value of an element meets a condition; undefined: it must be decoded to tell. */
type Test = (bytes: Buffer, element: Element) => boolean | undefined;

/** Types of BSON. */
const types = { text: 2, boolean: 8, date: 9 } as const;

export type MatchesEncoded = (bytes: Buffer) => boolean | undefined;

/**
 * Compiles the conditions of a filter that encoded bytes answer: equality with a text or a boolean, and ranges of dates, each of a
 * field at the top. A list reads thousands of documents, and to decode one takes longer than to find it.
 * @returns `matches`: false: a condition is not met; undefined: only the whole filter on the decoded document tells. `rest`: the
 * conditions that it does not test. Undefined when there is nothing to test.
 */
export function createEncodedMatcher(filter: Filter): { matches: MatchesEncoded; rest: Filter } | undefined {
  const tests: { name: Buffer; test: Test }[] = [];
  const rest: Filter = {};
  for (const [path, condition] of Object.entries(filter)) {
    const test = path === '$or' || path.includes('.') ? undefined : createTest(condition);
    if (test) tests.push({ name: Buffer.from(path), test });
    else rest[path] = condition;
  }
  if (tests.length === 0) return undefined;
  const matches: MatchesEncoded = (bytes) => {
    let left = tests.length;
    let isKnown = true;
    for (const element of readElements(bytes, 0)) {
      const found = tests.find(({ name }) => hasName(bytes, element, name));
      if (!found) continue;
      const isMet = found.test(bytes, element);
      if (isMet === false) return false;
      if (isMet === undefined) isKnown = false;
      left -= 1;
      if (left === 0) return isKnown ? true : undefined;
    }
    // A field is missing, and no condition here accepts that.
    return false;
  };
  return { matches, rest };
}

function createTest(condition: unknown): Test | undefined {
  if (!isDocument(condition)) return undefined;
  const tests = Object.entries(condition).map(([operator, operand]) => createOperatorTest(operator, operand));
  const [only] = tests;
  return tests.length === 1 ? only : undefined;
}

function createOperatorTest(operator: string, operand: unknown): Test | undefined {
  if (operator === '$eq' && typeof operand === 'string') {
    const wanted = Buffer.from(operand);
    return ofType(types.text, (bytes, { valueAt, to }) => {
      // The length in four bytes before the text, and a zero after it.
      const start = valueAt + 4;
      return to - 1 - start === wanted.length && bytes.compare(wanted, 0, wanted.length, start, to - 1) === 0;
    });
  }
  if (operator === '$eq' && typeof operand === 'boolean')
    return ofType(types.boolean, (bytes, { valueAt }) => (bytes[valueAt] === 1) === operand);
  const accepts = ranges[operator];
  if (!accepts || !(operand instanceof Date)) return undefined;
  const bound = BigInt(operand.getTime());
  return ofType(types.date, (bytes, { valueAt }) => accepts(bytes.readBigInt64LE(valueAt), bound));
}

/** Values of other types differ from the operand, apart from those in an array. */
function ofType(wanted: number, isMet: (bytes: Buffer, element: Element) => boolean): Test {
  return (bytes, element) => {
    if (element.type === wanted) return isMet(bytes, element);
    return element.type === elementTypes.array ? undefined : false;
  };
}

const ranges: Readonly<Record<string, (value: bigint, bound: bigint) => boolean>> = {
  $gt: (value, bound) => value > bound,
  $gte: (value, bound) => value >= bound,
  $lt: (value, bound) => value < bound,
  $lte: (value, bound) => value <= bound,
};
