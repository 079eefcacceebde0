import { BSON, type Doc } from './bson.ts';
import { getTypeName, isReserved } from './check-document.ts';
import { badValue, unsupported } from './command-error.ts';
import { readPattern } from './literal-pattern.ts';
import { hasOperators, isDocument, isOrdered, isScalar } from './values.ts';

const maxFilterDepth = 50;
const { BSONRegExp } = BSON;

/**
 * A filter with supported conditions only. Each condition is a document of operators: `{n: 5}` has become
 * `{n: {$eq: 5}}`, and a pattern `{$pattern: LiteralPattern}`.
 */
export type Filter = Doc & { readonly checkedFilter?: never };

/**
 * Normalizes a filter; undefined becomes an empty one, which matches everything. Refuses conditions that MongoDB,
 * FerretDB and this engine would not answer alike.
 *
 * @param depth the number of operators around this filter
 */
export function checkFilter(filter: unknown, depth = 0): Filter {
  if (filter === undefined) return {};
  if (!isDocument(filter)) throw badValue(`a filter must be a document, not ${getTypeName(filter)}`);
  if (depth > maxFilterDepth) throw badValue('the filter is nested too deeply');
  const checked: Filter = {};
  for (const [field, condition] of Object.entries(filter)) {
    if (field === '$comment') continue;
    if (branchOperators.has(field)) {
      checked[field] = checkBranches(field, condition, depth);
    } else {
      checkPath(field);
      checked[field] = checkCondition(condition, depth);
    }
  }
  return checked;
}

function checkBranches(operator: string, branches: unknown, depth: number): Filter[] {
  if (!Array.isArray(branches) || branches.length === 0)
    throw badValue(`${operator} must be a nonempty array`);
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
  if (condition instanceof BSONRegExp) return { $pattern: readPattern(condition.pattern, condition.options) };
  if (!isDocument(condition) || !hasOperators(condition)) {
    throw unsupported(
      `equality with a value of type ${getTypeName(condition)} in a filter; use a dotted path`,
    );
  }
  const { $regex: pattern, $options: options, ...rest } = condition;
  const checked: Doc = pattern === undefined ? {} : { $pattern: checkPattern(pattern, options) };
  if (pattern === undefined && options !== undefined) throw badValue('$options needs a $regex');
  for (const [operator, operand] of Object.entries(rest)) {
    checked[operator] = checkOperand(operator, operand, depth);
  }
  return checked;
}

function checkPattern(pattern: unknown, options: unknown): unknown {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (typeof pattern === 'string') return readPattern(pattern, options ?? '');
  if (pattern instanceof BSONRegExp) return readPattern(pattern.pattern, options ?? pattern.options);
  throw badValue('$regex has to be a string');
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
    case '$all':
      return checkList(operator, operand);
    case '$exists':
      if (typeof operand !== 'boolean') throw badValue('$exists needs true or false');
      return operand;
    case '$size':
      if (!Number.isInteger(operand) || Number(operand) < 0)
        throw badValue('$size needs an integer of at least 0');
      return operand;
    case '$type':
      if (!typeAliases.has(operand)) throw unsupported(`$type ${JSON.stringify(operand)}`);
      return operand;
    case '$not':
      return checkNot(operand, depth);
    case '$elemMatch':
      return checkElemMatch(operand, depth);
    default:
      throw operator.startsWith('$') ? unsupported(operator) : badValue(`unknown operator: ${operator}`);
  }
}

/** Not `int`, `long` and `double`: as JavaScript values they are all numbers. */
const typeAliases = new Set<unknown>(['string', 'number', 'bool', 'date', 'null']);

function checkList(operator: string, list: unknown): unknown[] {
  if (!Array.isArray(list)) throw badValue(`${operator} needs an array`);
  for (const value of list) {
    if (!isScalar(value)) throw unsupported(`${operator} with a value of type ${getTypeName(value)}`);
  }
  return list;
}

function checkNot(operand: unknown, depth: number): unknown {
  if (operand instanceof BSONRegExp) return checkCondition(operand, depth + 1);
  if (!isDocument(operand) || !hasOperators(operand))
    throw badValue('$not needs a regex or a document of operators');
  return checkCondition(operand, depth + 1);
}

/**
 * Accepts conditions on the elements themselves (`{$gt: 5}`). FerretDB does not support conditions on their fields
 * (`{n: 5}`).
 */
function checkElemMatch(operand: unknown, depth: number): unknown {
  if (!isDocument(operand) || !hasOperators(operand) || branchOperators.has(Object.keys(operand)[0] ?? '')) {
    throw unsupported('$elemMatch over fields of documents');
  }
  return checkCondition(operand, depth + 1);
}

const branchOperators = new Set(['$and', '$or', '$nor']);

/** Returns the branches of an `$or`, `$and` or `$nor`, or an empty list if the filter has no such operator. */
export function getBranches(filter: Filter, operator: '$and' | '$or' | '$nor'): Filter[] {
  const branches = filter[operator];
  return Array.isArray(branches) ? branches : [];
}
