import { randomUUID } from 'node:crypto';
import { utcDay } from '@shelfwise/runtime/day';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Clients } from '../clients.ts';
import type { QuotaReport } from './quota-marks.ts';

const timeoutMs = 5000;

/** Reports to notify how much of its quota an account has used. No request waits for it. @throws when notify does not answer */
export function createReportQuotaUse({
  notify,
  logger,
}: {
  notify: Pick<Clients['notify'], 'reportQuotaUse'>;
  logger: Pick<Logger, 'warn'>;
}) {
  return async ({ accountId, percent, percentBefore, at }: QuotaReport): Promise<void> => {
    const call = {
      requestId: `quota-${randomUUID()}`,
      deadline: new Date(Date.now() + timeoutMs),
      signal: AbortSignal.timeout(timeoutMs),
    };
    const request = { account_id: accountId, percent, percent_before: percentBefore, day: utcDay(at) };
    try {
      await notify.reportQuotaUse(request, call);
    } catch (error) {
      logger.warn({ account_id: accountId, percent, err: error }, 'the use of a quota could not be reported');
      throw error;
    }
  };
}
