import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { sendError } from './envelope.ts';
import { required } from './exchange.ts';

/** 429 with how the month stands, once the plan's API requests are spent. */
export const enforceQuota: RequestHandler = (_request, response, next) => {
  const { decision } = required(response, 'admission');
  if (decision.outcome !== 'quota-exceeded') return next();
  const { usage } = decision;
  sendError(
    response,
    new AppError(
      'QUOTA_EXCEEDED',
      `All ${usage.api_requests_per_month} API requests of this month are spent. The next month begins at ${usage.renews_at}.`,
    ),
    { usage },
  );
};
