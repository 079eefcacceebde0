import { type GetStatusReply, StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { checkAll, type StatusCheck } from './status.ts';

export const statusService = StatusServiceService;

/** The handlers of the status service, which every service adds next to its own. */
export function createStatusHandlers(checks: Readonly<Record<string, StatusCheck>>): {
  getStatus(): Promise<GetStatusReply>;
} {
  return { getStatus: async () => ({ parts: await checkAll(checks) }) };
}
