import { BSON, type Doc } from './bson.ts';
import { getTypeName, isReserved } from './check-document.ts';
import { badValue, unsupported } from './command-error.ts';
import { readLiteral } from './read-literal.ts';
import { hasOperators, isDocument, isOrdered, isScalar } from './values.ts';

const maxFilterDepth = 50;
const { BSONRegExp } = BSON;

/**
 * A filter with supported conditions only. Each condition is a document of operators: `{n: 5}` has become
 * `{n: {$eq: 5}}`, and the regular expression `/text/` `{$pattern: 'text'}`.
 */
export type Filter = Doc & { readonly checkedFilter?: never };

/**
 * Normalizes a filter; undefined becomes an empty one, which matches everything. Refuses operators that no store uses,
 * and conditions that MongoDB, FerretDB and this engine would not answer alike.
 *
 * @param depth the number of operators around this filter
 */
export function checkFilter(filter: unknown, depth = 0): Filter {
  if (filter === undefined) return {};
  if (!isDocument(filter)) throw badValue(`a filter must be a document, not ${getTypeName(filter)}`);
  if (depth > maxFilterDepth) throw badValue('the filter is nested too deeply');
  const checked: Filter = {};
  for (const [field, condition] of Object.entries(filter)) {
    if (field === '$or') {
      checked[field] = checkBranches(condition, depth);
    } else {
      checkPath(field);
      checked[field] = checkCondition(condition, depth);
    }
  }
  return checked;
}

function checkBranches(branches: unknown, depth: number): Filter[] {
  if (!Array.isArray(branches) || branches.length === 0) throw badValue('$or must be a nonempty array');
  return branches.map((branch) => checkFilter(branch, depth + 1));
}

/** Refuses operators, positional paths (`items.$`) and paths that no stored document can have. */
export function checkPath(path: string): void {
  if (path.startsWith('$')) throw unsupported(path);
  for (const part of path.split('.')) {
    if (part === '') throw badValue(`the path '${path}' has an empty part`);
    if (isReserved(part)) throw badValue(`the path '${path}' is not allowed`);
    if (part.startsWith('$')) throw unsupported(`the positional path '${path}'`);
  }
}

function checkCondition(condition: unknown, depth: number): unknown {
  if (isScalar(condition)) return { $eq: condition };
  if (condition instanceof BSONRegExp) return { $pattern: readLiteral(condition.pattern, condition.options) };
  if (!isDocument(condition) || !hasOperators(condition)) {
    throw unsupported(
      `equality with a value of type ${getTypeName(condition)} in a filter; use a dotted path`,
    );
  }
  const checked: Doc = {};
  for (const [operator, operand] of Object.entries(condition)) {
    checked[operator] = checkOperand(operator, operand, depth);
  }
  return checked;
}

function checkOperand(operator: string, operand: unknown, depth: number): unknown {
  switch (operator) {
    case '$eq':
    case '$ne':
      if (!isScalar(operand)) throw unsupported(`${operator} with a value of type ${getTypeName(operand)}`);
      return operand;
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (!isOrdered(operand)) throw unsupported(`${operator} with a value of type ${getTypeName(operand)}`);
      // In MongoDB, only `$gte` and `$lte` match NaN. An index orders NaN below all numbers.
      if (Number.isNaN(operand.valueOf())) throw unsupported(`${operator} with NaN or a date out of range`);
      return operand;
    case '$in':
    case '$nin':
      return checkList(operator, operand);
    case '$not':
      if (!isDocument(operand) || !hasOperators(operand))
        throw badValue('$not needs a document of operators');
      return checkCondition(operand, depth + 1);
    default:
      throw operator.startsWith('$') ? unsupported(operator) : badValue(`unknown operator: ${operator}`);
  }
}

function checkList(operator: string, list: unknown): unknown[] {
  if (!Array.isArray(list)) throw badValue(`${operator} needs an array`);
  for (const value of list) {
    if (!isScalar(value)) throw unsupported(`${operator} with a value of type ${getTypeName(value)}`);
  }
  return list;
}

/** Returns the branches of an `$or`, or an empty list if the filter has none. */
export function getBranches(filter: Filter): Filter[] {
  const { $or: branches } = filter;
  return Array.isArray(branches) ? branches : [];
}
