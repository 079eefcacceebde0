import { type Element, elementAt, elementsEnd, elementTypes, hasName } from './bson-elements.ts';
import type { Filter } from './check-filter.ts';
import { isDocument } from './values.ts';

/** Whether the value of an element meets a condition; undefined: it must be decoded to tell. */
type Test = (bytes: Buffer, element: Element) => boolean | undefined;

/** Types of BSON. */
const types = { text: 2, boolean: 8, date: 9 } as const;

export type MatchesEncoded = (bytes: Buffer) => boolean | undefined;

/**
 * Compiles the conditions of a filter that encoded bytes answer: equality with a text or a boolean, and ranges of texts and
 * dates, each of a field at the top. A list reads thousands of documents, and to decode one takes longer than to find it.
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
    const end = elementsEnd(bytes, 0);
    for (let at = 4; at < end; ) {
      const element = elementAt(bytes, at, end);
      at = element.to;
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
  const known = tests.filter((test) => test !== undefined);
  if (known.length < tests.length) return undefined;
  return (bytes, element) => {
    const results = known.map((test) => test(bytes, element));
    return results.includes(false) ? false : results.includes(undefined) ? undefined : true;
  };
}

function createOperatorTest(operator: string, operand: unknown): Test | undefined {
  const accepts = orders[operator];
  if (accepts && typeof operand === 'string') {
    const wanted = Buffer.from(operand);
    // The length in four bytes before the text, and a zero after it.
    return ofType(types.text, (bytes, { valueAt, to }) =>
      accepts(bytes.compare(wanted, 0, wanted.length, valueAt + 4, to - 1)),
    );
  }
  if (operator === '$eq' && typeof operand === 'boolean')
    return ofType(types.boolean, (bytes, { valueAt }) => (bytes[valueAt] === 1) === operand);
  if (!accepts || operator === '$eq' || !(operand instanceof Date)) return undefined;
  const bound = BigInt(operand.getTime());
  return ofType(types.date, (bytes, { valueAt }) => accepts(Number(bytes.readBigInt64LE(valueAt) - bound)));
}

/** Values of other types differ from the operand, apart from those in an array. */
function ofType(wanted: number, isMet: (bytes: Buffer, element: Element) => boolean): Test {
  return (bytes, element) => {
    if (element.type === wanted) return isMet(bytes, element);
    return element.type === elementTypes.array ? undefined : false;
  };
}

/** `order`: below, equal to or above 0 as the value is to the operand. */
const orders: Readonly<Record<string, (order: number) => boolean>> = {
  $eq: (order) => order === 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};
