import { AppError } from '@shelfwise/runtime/errors';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { Response } from 'express';
import type { z } from 'zod';
import { sessionRequired, unexpectedFailure } from '../http/gateway-errors.ts';
import { type CallHandlerDeps, noteAnswer, runRoute } from '../middleware/call-handler.ts';
import { decideCall, type LimitDeps } from '../middleware/decide-limits.ts';
import { explainQuotaExceeded } from '../middleware/enforce-quota.ts';
import { rateLimited, retryAfterSeconds } from '../middleware/enforce-rate.ts';
import { isRefunded, refund } from '../middleware/handle-errors.ts';
import { checkInput } from '../middleware/parse-input.ts';
import {
  type Admission,
  getRequestContext,
  type Input,
  requireFromContext,
} from '../middleware/request-context.ts';
import { overloaded } from '../middleware/shed-overload.ts';
import { addWarnings } from '../middleware/unknown-parameters.ts';
import type { Slots } from '../overload/slots.ts';
import type { Caller, Route } from '../routes/route/define-route.ts';

/** What a page shows of a call: its answer, or why it has none. A page may show its other parts. */
export type SessionAnswer<Data> =
  | { data: Data; meta?: unknown }
  | { failure: AppError; retryAfterSeconds: number | null };

/** The parts of a request as a client of the API sends them. */
type Sent = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };

type AnyRoute<Data extends z.ZodType> = Route<z.ZodObject, z.ZodObject, z.ZodType | null, Data>;

export type CallAsSession = <Data extends z.ZodType>(
  response: Response,
  route: AnyRoute<Data>,
  sent?: Sent,
) => Promise<SessionAnswer<z.output<Data>>>;

/**
 * Calls a route for a page, in process: with the validation, caps, counters and refusals of a call with a key, in the windows
 * of the sessions. The work is aborted when the browser of the response, which has a session, disconnects.
 */
export function createCallAsSession(
  deps: LimitDeps & CallHandlerDeps & { slots: Pick<Slots, 'take'>; diskSpace: DiskSpace | undefined },
): CallAsSession {
  const { slots, diskSpace, logger } = deps;

  function findProblem(route: Route, checked: { problem?: AppError }): AppError | undefined {
    return route.method !== 'get' && diskSpace?.isLow() ? diskSpace.refusal() : checked.problem;
  }

  /** @throws why the call is refused, or has failed */
  async function run(response: Response, route: Route, input: Input, admission: Admission, caller: Caller) {
    try {
      return await runRoute(route, { input, response }, deps);
    } catch (error) {
      const failure = error instanceof AppError ? error : unexpectedFailure(error);
      const { requestId } = getRequestContext(response);
      if (failure.code === 'INTERNAL_ERROR')
        logger.error({ request_id: requestId, route: route.path, err: error }, 'call of a page failed');
      if (isRefunded(failure) && !response.closed) await refund(caller, admission, { ...deps, requestId });
      throw failure;
    }
  }

  return async (response, route, { params = {}, query = {}, body = {} } = {}) => {
    const caller = requireFromContext(response, 'caller');
    const taken = slots.take(route.services, caller.account.id);
    if ('full' in taken) return refused(overloaded());
    try {
      const checked = checkInput(route, { params, query, body });
      const problem = findProblem(route, checked);
      const admission = await decideCall(caller, problem ? 0 : route.cost, deps);
      const { decision } = admission;
      if (decision.outcome === 'key-replaced') return refused(sessionRequired());
      if (decision.outcome === 'rate-limited')
        return refused(rateLimited(decision), retryAfterSeconds(decision));
      if (problem) return refused(problem);
      if (decision.outcome === 'quota-exceeded')
        return refused(new AppError('QUOTA_EXCEEDED', explainQuotaExceeded(decision.usage)));
      const { data, meta: own } = await run(response, route, checked.input as Input, admission, caller);
      noteAnswer(route, taken.slot);
      const meta = addWarnings(own, checked.warnings ?? []);
      return meta === undefined ? { data } : { data, meta };
    } catch (error) {
      if (error instanceof AppError) return refused(error);
      throw error;
    } finally {
      taken.slot.free();
    }
  };
}

function refused(failure: AppError, seconds: number | null = null) {
  return { failure, retryAfterSeconds: seconds };
}
