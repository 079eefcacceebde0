import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { UsageError } from '../commands/lib/define-command.ts';
import { inputLimits, type KnownTerm, parseKnownTerms } from './parse-known-terms.ts';
import { explainFileError } from './write-files.ts';

/** The file of terms is not as the help text says: one sentence for each line that is wrong. */
export class InvalidTermsError extends UsageError {
  override readonly name = 'InvalidTermsError';
}

const shownProblems = 50;

/**
 * Reads and checks the file of terms.
 * @throws InvalidTermsError
 * @throws StartError when it cannot be read
 */
export function readKnownTerms(path: string): {
  terms: KnownTerm[];
  ignoredColumns: string[];
  sha256: string;
} {
  const file = explainFileError(path, 'read', () => statSync(path));
  if (!file.isFile()) throw new InvalidTermsError(`${path} is not a file.`);
  if (file.size > inputLimits.bytes)
    throw new InvalidTermsError(`${path} has more than ${inputLimits.bytes / 1024 / 1024} MiB.`);
  const bytes = explainFileError(path, 'read', () => readFileSync(path));
  const parsed = parseKnownTerms(decode(path, bytes));
  if ('problems' in parsed) {
    const { problems } = parsed;
    const more = problems.length - shownProblems;
    throw new InvalidTermsError(
      [
        `${path} cannot be used:`,
        ...problems.slice(0, shownProblems),
        ...(more > 0 ? [`And ${more} more ${nounFor(more, 'problem')}.`] : []),
      ].join('\n'),
    );
  }
  return { ...parsed, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidTermsError(`${path} is not text in UTF-8.`, { cause });
  }
}
