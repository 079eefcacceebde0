import { ApiError, ConnectionError, type ShelfwiseError } from './errors.ts';

const firstWaitMs = 500;
const longestBackoffMs = 8000;
/** The API asks for a minute at most. What asks for more is not waited for. */
const longestAskedMs = 600_000;
/** So that clients of one key do not come back at the same moment. */
const mostJitterMs = 250;
/** Answers of what is in front of the API, while a copy of it is replaced. */
const proxyStatuses = [502, 503, 504];

/**
 * How long to wait before the same call is made again; null: it is not made again. A rate limit has refused the call, so every call
 * may come again. Otherwise only one that does nothing twice does, when the API is busy or there was no answer.
 * @param retries made before
 */
export function chooseWaitMs(error: ShelfwiseError, retries: number, random = Math.random): number | null {
  if (!isWorthRepeating(error)) return null;
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  if (asked > longestAskedMs) return null;
  const backoff = Math.min(longestBackoffMs, firstWaitMs * 2 ** retries);
  return Math.max(asked, backoff) + mostJitterMs * random();
}

function isWorthRepeating(error: ShelfwiseError): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError && error.isRepeatable;
  if (error.code === 'RATE_LIMITED') return true;
  const isOfProxy = error.code === `HTTP_${error.status}` && proxyStatuses.includes(error.status);
  return error.isRepeatable && (isOfProxy || error.code === 'SERVICE_UNAVAILABLE');
}
