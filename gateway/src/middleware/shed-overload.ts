import { AppError } from '@shelfwise/runtime/errors';
import type { RequestHandler } from 'express';
import type { ServiceName } from '../clients.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { Slots } from '../overload/slots.ts';
import { getRequestContext, requireFromContext } from './request-context.ts';
import { sendError } from './send-error.ts';

type Deps = { slots: Pick<Slots, 'findFull' | 'take'>; metrics: Pick<GatewayMetrics, 'shedCalls'> };

/**
 * 503 while a service that the route calls has too many calls in progress. It is answered before the body is read and the limits
 * are decided, so that a refused call costs little, counts in no rate window and spends no quota.
 */
export function shedOverload(services: readonly ServiceName[], { slots, metrics }: Deps): RequestHandler {
  return (_request, response, next) => {
    const full = slots.findFull(services, requireFromContext(response, 'caller').account.id);
    if (full === undefined) return next();
    metrics.shedCalls.inc({ service: full });
    sendError(response, overloaded());
  };
}

/** After the body has been read: a client that sends it slowly, or never, takes no slot from others. */
export function takeSlot(services: readonly ServiceName[], { slots, metrics }: Deps): RequestHandler {
  return (_request, response, next) => {
    const taken = slots.take(services, requireFromContext(response, 'caller').account.id);
    if ('full' in taken) {
      metrics.shedCalls.inc({ service: taken.full });
      return sendError(response, overloaded());
    }
    const { slot } = taken;
    getRequestContext(response).slot = slot;
    response.once('close', slot.free);
    if (response.closed) slot.free();
    next();
  };
}

export function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'Too many calls are in progress. Try again in some seconds.');
}
