import { AppError, errorCodes } from '../errors.ts';
import type { NewSpan, Span, Tracing } from './tracing.ts';

/**
 * Runs the work in a new span, which ends with it. An error of the work is thrown.
 * @param onError records the error in the span; default: `recordError`
 */
export async function inSpan<Result>(
  tracing: Tracing,
  newSpan: NewSpan,
  work: (span: Span) => Promise<Result>,
  onError: (span: Span, error: unknown) => void = recordError,
): Promise<Result> {
  const span = tracing.start(newSpan);
  try {
    return await tracing.runIn(span, () => work(span));
  } catch (error) {
    onError(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Records the code of an error. An answer such as NOT_FOUND is no failure of the span. */
export function recordError(span: Span, error: unknown): void {
  if (!(error instanceof AppError)) span.fail(error instanceof Error ? error.name : 'unknown');
  else if (errorCodes[error.code][0] >= 500) span.fail(error.code);
  else span.set({ 'error.type': error.code });
}
