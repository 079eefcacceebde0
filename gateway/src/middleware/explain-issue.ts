import { nounFor } from '@shelfwise/runtime/noun-for';
import type { z } from 'zod';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
};

/** What is wrong with a value, as the end of a sentence that starts with the field's name. */
export function explainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return explainType(issue.expected, issue.input);
    case 'too_small':
      return explainBound('at least', issue.minimum, issue.origin);
    case 'too_big':
      return explainBound('at most', issue.maximum, issue.origin);
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.map(String).join(' or ')}`;
    default:
      return 'is not valid';
  }
}

function explainType(expected: string, input: unknown): string {
  if (input === undefined) return 'is required';
  if (Array.isArray(input) && expected !== 'array' && expected !== 'object')
    return 'must be given once, as one value';
  return `must be ${typeNames[expected] ?? expected}`;
}

function explainBound(relation: string, bound: number | bigint, origin: string): string {
  if (origin === 'string') return `must have ${relation} ${bound} ${nounFor(Number(bound), 'character')}`;
  if (origin === 'array') return `must have ${relation} ${bound} ${nounFor(Number(bound), 'item')}`;
  return `must be ${relation} ${bound}`;
}
