import type { Filter } from '../semantics/check-filter.ts';
import { compareOrdered, getScalarType, isDocument } from '../semantics/values.ts';

export type Bound = { value: unknown; inclusive: boolean };

/** The bounds of a range have one type. */
export type Range = { kind: 'range'; low?: Bound | undefined; high?: Bound | undefined };

/** A condition on the values of a path that an index can serve. */
export type Constraint = { kind: 'equal'; values: readonly unknown[] } | Range;

export type Constraints = {
  byPath: ReadonlyMap<string, Constraint>;
  /** The constraints alone are equivalent to the filter, so that no document must be tested. */
  isComplete: boolean;
};

/**
 * Extracts the constraints on single paths from a checked filter. Every match satisfies all of them. Several ranges on
 * a path are intersected. Of other constraints on one path, an equality is kept, or else the first one, and the
 * constraints are no longer complete.
 */
export function readConstraints(filter: Filter): Constraints {
  const byPath = new Map<string, Constraint>();
  let isComplete = true;

  function readOperator(path: string, operator: string, operand: unknown): void {
    if (operator === '$eq') add(path, { kind: 'equal', values: [operand] });
    else if (operator === '$in' && Array.isArray(operand)) add(path, { kind: 'equal', values: operand });
    else if (operator === '$gt' || operator === '$gte')
      add(path, { kind: 'range', low: { value: operand, inclusive: operator === '$gte' } });
    else if (operator === '$lt' || operator === '$lte')
      add(path, { kind: 'range', high: { value: operand, inclusive: operator === '$lte' } });
    else isComplete = false;
  }

  function add(path: string, constraint: Constraint): void {
    const existing = byPath.get(path);
    const range =
      existing?.kind === 'range' && constraint.kind === 'range' ? intersect(existing, constraint) : undefined;
    if (existing && !range) isComplete = false;
    if (range) byPath.set(path, range);
    else if (!existing || (existing.kind !== 'equal' && constraint.kind === 'equal'))
      byPath.set(path, constraint);
  }

  for (const [field, condition] of Object.entries(filter)) {
    if (field === '$or' || !isDocument(condition)) isComplete = false;
    else for (const [operator, operand] of Object.entries(condition)) readOperator(field, operator, operand);
  }
  return { byPath, isComplete };
}

/**
 * The range with the higher low bound and the lower high bound. Undefined if the ranges have different types: no single
 * value is in both, but two elements of an array may be.
 */
function intersect(left: Range, right: Range): Range | undefined {
  if (getRangeType(left) !== getRangeType(right)) return undefined;
  return {
    kind: 'range',
    low: narrower(left.low, right.low, 1),
    high: narrower(left.high, right.high, -1),
  };
}

function getRangeType({ low, high }: Range): string | undefined {
  return getScalarType((low ?? high)?.value);
}

/** The higher (1) or the lower (-1) of two bounds. Of equal ones, the exclusive one. */
function narrower(left: Bound | undefined, right: Bound | undefined, direction: 1 | -1): Bound | undefined {
  if (!left || !right) return left ?? right;
  const order = (compareOrdered(left.value, right.value) ?? 0) * direction;
  if (order === 0) return left.inclusive ? right : left;
  return order > 0 ? left : right;
}
