import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import { required } from './exchange.ts';

/** 403 on every route for an account whose plan has no API access. */
export const requirePlan: RequestHandler = (_request, response, next) => {
  const { account, plan } = required(response, 'caller');
  if (plan.api_access) return next();
  throw new AppError('PLAN_REQUIRED', `The plan "${account.plan}" has no API access.`);
};
