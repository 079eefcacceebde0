/** The answer of a database, or an error that says no more than that there is none. */
export async function hideDriverError<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (cause) {
    throw new Error('the database does not answer', { cause });
  }
}

/** An error that bears the driver's name: the database is away, too slow, or has refused. Anything else is ours. */
export function isDatabaseFailure(error: unknown): boolean {
  return error instanceof Error && /^Mongo/.test(error.name);
}

/** A unique index refused the write; FerretDB reports it on an update with code 1. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  return code === 11000 || (code === 1 && /duplicate|UNIQUE/i.test(error.message));
}
