import { AppError } from '@shelfwise/runtime/errors';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Clients } from '../clients.ts';
import { unexpectedFailure } from '../http/gateway-errors.ts';
import { type CallHandlerDeps, noteAnswer, runRoute } from '../middleware/call-handler.ts';
import { checkInput } from '../middleware/parse-input.ts';
import { getRequestContext, type Input, requireFromContext } from '../middleware/request-context.ts';
import { overloaded } from '../middleware/shed-overload.ts';
import type { Slots } from '../overload/slots.ts';
import type { Route } from '../routes/route/define-route.ts';
import { shareReads } from './share-reads.ts';

/** What a page shows of a call: its answer, or why it has none. A page may show its other parts. `meta` null: there is none. */
export type SessionAnswer<Data, Meta = unknown> = { data: Data; meta: Meta } | { failure: AppError };

/** The parts of a request as a client of the API sends them. */
type Sent = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };

type AnyRoute<Data extends z.ZodType, Meta extends z.ZodType | null> = Route<
  z.ZodObject,
  z.ZodObject,
  z.ZodType | null,
  Data,
  Meta
>;

type MetaOf<Meta extends z.ZodType | null> = Meta extends z.ZodType ? z.output<Meta> : null;

/** `CallAsSession` for one response. */
export type CallForPage = <Data extends z.ZodType, Meta extends z.ZodType | null>(
  route: AnyRoute<Data, Meta>,
  sent?: Sent,
) => Promise<SessionAnswer<z.output<Data>, MetaOf<Meta>>>;

export type CallAsSession = (response: Response) => CallForPage;

/**
 * Calls a route for a page, in process, with the validation and refusals of a call with a key. It shows what is kept, so it spends no
 * request; the page itself counts in the windows of the sessions. The work is aborted when the browser of the response, which has
 * a session, disconnects. Calls for one response share what they read (`shareReads`).
 */
export function createCallAsSession(deps: CallHandlerDeps & { slots: Pick<Slots, 'take'> }): CallAsSession {
  const { slots, logger } = deps;

  /** @throws why the call is refused, or has failed */
  async function run(response: Response, route: Route, input: Input, clients: Clients) {
    try {
      return await runRoute(route, { input, response }, { ...deps, clients });
    } catch (error) {
      const failure = error instanceof AppError ? error : unexpectedFailure(error);
      const { requestId } = getRequestContext(response);
      if (failure.code === 'INTERNAL_ERROR')
        logger.error({ request_id: requestId, route: route.path, err: error }, 'call of a page failed');
      throw failure;
    }
  }

  const call = async (
    response: Response,
    clients: Clients,
    route: Route,
    { params = {}, query = {}, body = {} }: Sent,
  ): Promise<SessionAnswer<unknown>> => {
    const { account } = requireFromContext(response, 'caller');
    const taken = slots.take(route.services, account.id);
    if ('full' in taken) return { failure: overloaded() };
    try {
      const checked = checkInput(route, { params, query, body });
      if (checked.problem) return { failure: checked.problem };
      const { data, meta = null } = await run(response, route, checked.input as Input, clients);
      noteAnswer(route, taken.slot);
      return { data, meta };
    } catch (error) {
      if (error instanceof AppError) return { failure: error };
      throw error;
    } finally {
      taken.slot.free();
    }
  };
  return (response) => {
    // Each call of a page notices when its browser disconnects.
    response.setMaxListeners(30);
    const clients = shareReads(deps.clients);
    return ((route: Route, sent: Sent = {}) => call(response, clients, route, sent)) as CallForPage;
  };
}
