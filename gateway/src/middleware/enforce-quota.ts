import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import type { QuotaUsage } from '../limits/limit-decider.ts';
import { requireFromContext } from './request-context.ts';
import { sendError } from './send-error.ts';

/** 429 with the usage of the month, once the plan's API requests are spent. */
export const enforceQuota: RequestHandler = (_request, response, next) => {
  const { decision } = requireFromContext(response, 'admission');
  if (decision.outcome !== 'quota-exceeded') return next();
  const { usage } = decision;
  sendError(response, new AppError('QUOTA_EXCEEDED', explainQuotaExceeded(usage)), { usage });
};

/** The error message when the month has no API request left. */
export function explainQuotaExceeded({
  api_requests_per_month: cap,
  renews_at: renewsAt,
}: QuotaUsage): string {
  if (cap === 0) return 'Your plan has no API requests (api_requests_per_month is 0).';
  const spent =
    cap === 1 ? 'The one API request of this month is' : `All ${cap} API requests of this month are`;
  return `${spent} spent. The next month begins at ${renewsAt}.`;
}
