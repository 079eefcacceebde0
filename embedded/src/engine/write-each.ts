import type { Doc } from '../semantics/bson.ts';
import { CommandError } from '../semantics/command-error.ts';

/** Runs the statements one by one and lists the errors. An ordered run stops at the first error. */
export function writeEach(
  statements: readonly Doc[],
  ordered: unknown,
  write: (statement: Doc, index: number) => void,
): { writeErrors?: Doc[] } {
  const writeErrors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      write(statement, index);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.fields });
      if (ordered !== false) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}
