import { AppError } from '@shelfwise/runtime/errors';
import { explainStartError } from '@shelfwise/runtime/process/start-error';

/**
 * What a command prints when it fails. Problems of request fields become sentences about the command's options.
 * @param optionNames the options of fields that have another name, without dashes
 */
export function explainCommandError(
  error: unknown,
  optionNames: Readonly<Record<string, string>> = {},
): unknown {
  if (!(error instanceof AppError)) return explainStartError(error);
  const { details } = error;
  const { formErrors, fieldErrors } =
    details && 'issues' in details ? details.issues : { formErrors: [], fieldErrors: {} };
  const ofOptions = Object.entries(fieldErrors).flatMap(([field, problems]) =>
    problems.map((problem) => `--${optionNames[field] ?? field} ${problem}`),
  );
  if (ofOptions.length === 0) return error.message;
  return [...formErrors, ...ofOptions].map(endWithFullStop).join('\n');
}

function endWithFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
