import type { Filter } from '../semantics/check-filter.ts';
import type { LiteralPattern } from '../semantics/literal-pattern.ts';
import { getScalarType, isDocument } from '../semantics/values.ts';

export type Bound = { value: unknown; inclusive: boolean };

/** A condition on the values of a path that an index can serve. */
export type Constraint =
  | { kind: 'equal'; values: readonly unknown[] }
  | { kind: 'range'; low?: Bound; high?: Bound }
  | { kind: 'prefix'; text: string };

export type Constraints = {
  byPath: ReadonlyMap<string, Constraint>;
  /** The constraints alone are equivalent to the filter, so that no document must be tested. */
  isComplete: boolean;
};

/**
 * Extracts the constraints on single paths from a checked filter. Every match satisfies all of them. If a path has
 * several, an equality is kept, or else the first one, and the constraints are no longer complete.
 */
export function readConstraints(filter: Filter): Constraints {
  const byPath = new Map<string, Constraint>();
  let isComplete = true;

  function readFilter(part: Filter): void {
    for (const [field, condition] of Object.entries(part)) {
      if (field === '$and' && Array.isArray(condition)) for (const branch of condition) readFilter(branch);
      else if (field.startsWith('$') || !isDocument(condition)) isComplete = false;
      else readCondition(field, condition);
    }
  }

  function readCondition(path: string, condition: Readonly<Record<string, unknown>>): void {
    const range: { low?: Bound; high?: Bound } = {};
    for (const [operator, operand] of Object.entries(condition)) {
      if (operator === '$eq') add(path, { kind: 'equal', values: [operand] });
      else if (operator === '$in' && Array.isArray(operand)) add(path, { kind: 'equal', values: operand });
      else if (operator === '$gt' || operator === '$gte')
        range.low = { value: operand, inclusive: operator === '$gte' };
      else if (operator === '$lt' || operator === '$lte')
        range.high = { value: operand, inclusive: operator === '$lte' };
      else {
        isComplete = false;
        const prefix = operator === '$pattern' ? prefixOf(operand as LiteralPattern) : '';
        if (prefix !== '') add(path, { kind: 'prefix', text: prefix });
      }
    }
    // No single value matches, but the key range between two types contains entries.
    if (range.low && range.high && getScalarType(range.low.value) !== getScalarType(range.high.value))
      isComplete = false;
    if (range.low || range.high) add(path, { kind: 'range', ...range });
  }

  function add(path: string, constraint: Constraint): void {
    const existing = byPath.get(path);
    if (existing) isComplete = false;
    if (!existing || (existing.kind !== 'equal' && constraint.kind === 'equal')) byPath.set(path, constraint);
  }

  readFilter(filter);
  return { byPath, isComplete };
}

/** The text with which every match starts. Empty if there is none that an index, which distinguishes case, can find. */
function prefixOf({ text, atStart, ignoreCase }: LiteralPattern): string {
  return atStart && !ignoreCase ? text : '';
}
