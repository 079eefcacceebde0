/** Replaces a rejection by a neutral error, because the driver's message may contain internal addresses. */
export async function hideDriverError<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (cause) {
    throw new Error('the database does not answer', { cause });
  }
}

/** PoolClearedOnNetworkError is the only one of the driver whose name begins otherwise. */
const driverErrors = /^(Mongo|PoolCleared)/;

/** Whether the driver reports the error: the database is unavailable, too slow, or refused the command. */
export function isDatabaseFailure(error: unknown): boolean {
  return error instanceof Error && driverErrors.test(error.name);
}

const unavailable =
  /^(PoolCleared|Mongo(Network|ServerSelection|NotConnected|Pool|WaitQueue|TopologyClosed|ServerClosed|StalePrimary|OperationTimeout))/;

/** Whether the database could not be reached or did not answer in time: the same command may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !isDatabaseFailure(error)) return false;
  const { errorLabels } = error as Error & { errorLabels?: unknown };
  return (
    unavailable.test(error.name) ||
    (Array.isArray(errorLabels) && errorLabels.includes('RetryableWriteError'))
  );
}

/** Whether a unique index refused the write. FerretDB reports this with code 1 for an update. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  return code === 11000 || (code === 1 && /duplicate|UNIQUE/i.test(error.message));
}
