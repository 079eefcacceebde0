import type { AppError, ErrorCode } from '@shelfwise/runtime/errors';
import type { Response } from 'express';
import type { Caller } from '../define-route.ts';
import type { LimitDecision } from '../limits/limit-decider.ts';

/** What the steps of the pipeline know of one request; each step adds its part. */
export type Exchange = {
  requestId: string;
  /** The route's path as the list of routes writes it; the real path would make a metric of every id. */
  route: string;
  caller?: Caller;
  /** What is wrong with the request: found early, answered only once the rate windows have admitted the call. */
  problem?: AppError;
  input?: Input;
  admission?: Admission;
  /** What the request was refused with. */
  code?: ErrorCode;
};

/** The parts of a request, checked. */
export type Input = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown };

/** The one decision on limits, and what it cost. */
type Admission = { decision: LimitDecision; quotaCost: 0 | 1; at: Date };

export function exchangeOf(response: Response): Exchange {
  return response.locals.exchange;
}

export function openExchange(response: Response, exchange: Exchange): void {
  response.locals.exchange = exchange;
}

/** A part that an earlier step has added. @throws when the steps stand in a wrong order */
export function required<Name extends 'caller' | 'input' | 'admission'>(
  response: Response,
  name: Name,
): NonNullable<Exchange[Name]> {
  const part = exchangeOf(response)[name];
  if (part === undefined) throw new Error(`the pipeline has no ${name} yet`);
  return part as NonNullable<Exchange[Name]>;
}
