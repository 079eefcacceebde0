import { AppError, type ErrorCode } from '../errors.ts';
import type { CallOptions } from './grpc-types.ts';

/**
 * How a failed call ended, for metrics and spans. CANCELED: its own caller left before the deadline, as when an API
 * client disconnects. The client rejects such a call as SERVICE_UNAVAILABLE, but it says nothing about the called
 * service.
 */
export function outcomeOf(
  error: unknown,
  { signal, deadline }: Pick<CallOptions, 'signal' | 'deadline'>,
): ErrorCode | 'CANCELED' {
  const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
  const hasLeft = signal?.aborted === true && Date.now() < deadline.getTime();
  return hasLeft && code === 'SERVICE_UNAVAILABLE' ? 'CANCELED' : code;
}
