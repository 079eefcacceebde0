import { ConfigError } from './config.ts';

/** An expected reason why a process cannot start, as a sentence that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What to print when a process could not start: the sentence of an expected error, or the whole unexpected error. */
export function explainStartError(error: unknown): unknown {
  return error instanceof ConfigError || error instanceof StartError ? error.message : error;
}

/** Waits for a server to listen at `where`. A failure becomes a StartError that names `setting`. */
export async function mapListenError<Result>(
  start: Promise<Result>,
  where: { address: string; setting: string },
): Promise<Result> {
  try {
    return await start;
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const isInUse = code === 'EADDRINUSE' || message?.includes('EADDRINUSE');
    const reason = isInUse ? 'is in use' : `cannot be used (${message})`;
    throw new StartError(`${where.address} ${reason}. Set ${where.setting} to another one.`, {
      cause: error,
    });
  }
}
