import type { z } from 'zod';
import { StoreFailure } from '../store-health/store-failure.ts';

/** The failure for an answer with unexpected fields. Rows are counted from 1, like ranks. */
export function malformedAnswer(error: z.ZodError): StoreFailure {
  const problems = error.issues.slice(0, 3).map((issue) => `${namePath(issue.path)}: ${issue.message}`);
  return new StoreFailure('malformed', `sent a page of another shape (${problems.join('; ')})`, {
    cause: error,
  });
}

function namePath(path: PropertyKey[]): string {
  const [first, ...field] = path;
  if (typeof first === 'number') return `row ${first + 1}, ${field.map(String).join('.') || 'all of it'}`;
  return path.map(String).join('.') || 'all of it';
}
