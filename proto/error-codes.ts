import { status as grpcStatus } from '@grpc/grpc-js';

/** `upstream`: what the service depends on failed. The failure may be temporary and is not the caller's fault. */
type ErrorStatus = readonly [httpStatus: number, grpcStatus: number, origin?: 'upstream'];

/**
 * Every error code of the public API and of the calls between services, with its HTTP status, its gRPC status and, for
 * the failure of an upstream, that origin. The table is closed: other codes do not exist. Clients rely on the codes, so
 * a code keeps its name and its HTTP status. Several codes share a gRPC status, so the code itself travels in the
 * metadata of the call.
 */
export const errorCodes = {
  INVALID_PARAMS: [400, grpcStatus.INVALID_ARGUMENT],
  SELF_COMPETITOR: [400, grpcStatus.INVALID_ARGUMENT],
  MISSING_API_KEY: [401, grpcStatus.UNAUTHENTICATED],
  INVALID_API_KEY: [401, grpcStatus.UNAUTHENTICATED],
  SESSION_REQUIRED: [401, grpcStatus.UNAUTHENTICATED],
  PLAN_REQUIRED: [403, grpcStatus.PERMISSION_DENIED],
  PLAN_LIMIT: [403, grpcStatus.PERMISSION_DENIED],
  FOREIGN_PAGE: [403, grpcStatus.PERMISSION_DENIED],
  SESSION_TOO_OLD: [403, grpcStatus.PERMISSION_DENIED],
  NOT_FOUND: [404, grpcStatus.NOT_FOUND],
  APP_NOT_FOUND: [404, grpcStatus.NOT_FOUND],
  COMPETITOR_NOT_FOUND: [404, grpcStatus.NOT_FOUND],
  METHOD_NOT_ALLOWED: [405, grpcStatus.UNIMPLEMENTED],
  DUPLICATE: [409, grpcStatus.ALREADY_EXISTS],
  PAYLOAD_TOO_LARGE: [413, grpcStatus.INVALID_ARGUMENT],
  RATE_LIMITED: [429, grpcStatus.RESOURCE_EXHAUSTED],
  QUOTA_EXCEEDED: [429, grpcStatus.RESOURCE_EXHAUSTED],
  CREATE_APP_FAILED: [500, grpcStatus.INTERNAL],
  INTERNAL_ERROR: [500, grpcStatus.INTERNAL],
  STORE_FETCH_FAILED: [502, grpcStatus.UNAVAILABLE, 'upstream'],
  ANALYSIS_FAILED: [502, grpcStatus.INTERNAL],
  SERVICE_UNAVAILABLE: [503, grpcStatus.UNAVAILABLE, 'upstream'],
} as const satisfies Record<string, ErrorStatus>;

export type ErrorCode = keyof typeof errorCodes;

/** Codes of the dashboard's own calls: no endpoint of the API answers with them. */
export const dashboardCodes: readonly ErrorCode[] = ['SESSION_REQUIRED', 'FOREIGN_PAGE', 'SESSION_TOO_OLD'];

/** Whether the code says that an upstream failed. */
export function isUpstreamCode(code: ErrorCode): boolean {
  const [, , origin]: ErrorStatus = errorCodes[code];
  return origin === 'upstream';
}
