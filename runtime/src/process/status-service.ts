import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import type { GrpcHandlers } from '../grpc/grpc-types.ts';
import { checkAll, type StatusCheck } from './status.ts';

export const statusService = StatusServiceService;

/** Answers with how each part of this process is; every service adds it beside its own. */
export function createStatusHandlers(
  checks: Readonly<Record<string, StatusCheck>>,
): GrpcHandlers<typeof StatusServiceService> {
  return { getStatus: async () => ({ parts: await checkAll(checks) }) };
}
