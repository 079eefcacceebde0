import type { RequestHandler } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createCallsInFlight } from '../http/calls-in-flight.ts';
import { consume } from '../limits/address-limiter.ts';
import { requireFromContext } from '../middleware/request-context.ts';
import { sendMcpError } from './send-mcp-error.ts';

/** Requests of one account that are answered at once: its calls of tools wait there for the rate windows. */
const mostAtOnce = 80;
/** Several times what an assistant sends that makes all the calls it may. Only a flood has more. */
const mostPerMinute = 300;

/**
 * Refuses floods of one account before their bodies are read. Below that, requests of /mcp count in no window: a tool's
 * calls of the API do.
 */
export function limitMcpCalls(): RequestHandler {
  const limiter = new RateLimiterMemory({ points: mostPerMinute, duration: 60 });
  const inFlight = createCallsInFlight(mostAtOnce);
  return async (_request, response, next) => {
    const { account } = requireFromContext(response, 'caller');
    const waitSeconds = await consume(limiter, account.id);
    if (waitSeconds !== null) {
      response.set('Retry-After', String(waitSeconds));
      return sendMcpError(response, 429, `This account sends more than ${mostPerMinute} requests a minute.`);
    }
    if (!inFlight.reserve(account.id, response)) {
      response.set('Retry-After', '5');
      return sendMcpError(
        response,
        503,
        `This account has ${mostAtOnce} requests in progress. Wait until some are answered.`,
      );
    }
    next();
  };
}
