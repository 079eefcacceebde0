import type { AppError } from '@shelfwise/runtime/errors';
import type { Span } from '@shelfwise/runtime/tracing/tracing';
import type { Response } from 'express';
import type { Session } from '../dashboard/sessions.ts';
import type { LimitDecision } from '../limits/limit-decider.ts';
import type { AccessToken } from '../oauth/access-tokens.ts';
import type { CredentialCall } from '../oauth/call-credentials.ts';
import type { Slot } from '../overload/service-slots.ts';
import type { Caller } from '../routes/route/define-route.ts';

/** What the steps of the pipeline know about one request. Each step adds its part. */
export type RequestContext = {
  requestId: string;
  /** The route's path as the route definition writes it; the real path would create a metric series for every id. */
  route: string;
  caller?: Caller;
  /** of a call of the dashboard */
  session?: Session;
  /** of a request of /mcp without a key */
  accessToken?: AccessToken;
  /** of a call of the assistant server for a connection: good for this call only */
  credential?: CredentialCall;
  /** Its hash, once this call has used it up. */
  usedCredential?: string;
  /** What WWW-Authenticate says if the answer is 401. */
  challenge?: string;
  /** What is wrong with the request: detected early, answered only after the rate windows have admitted the call. */
  problem?: AppError;
  /** Among the calls in progress of the services that the route calls. */
  slot?: Slot;
  input?: Input;
  /** Absent: JSON. Errors are never CSV. */
  format?: 'csv';
  /** Warnings for the meta of a successful answer: query parameters that the endpoint does not have. */
  warnings?: readonly string[];
  admission?: Admission;
  /** The span of the whole request; absent while tracing is off. */
  span?: Span;
  /** Why the request is answered with an error. */
  failure?: AppError;
  /** Answers an error to a browser that opens a page; absent: errors are JSON. */
  sendProblem?: SendProblem;
  /** Refused because its address sends too many calls without a key: such calls have no log line each. */
  isFlood?: boolean;
  /** The failure is ours, and the line of the request is the only one that says so: it is a warning. */
  isWarning?: boolean;
};

/** Its status and headers are set; `message` is without secrets. */
export type SendProblem = (message: string) => void;

/** The parts of a request after validation. */
export type Input = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown };

/** The one decision on limits, and what it cost. */
export type Admission = { decision: LimitDecision; quotaCost: 0 | 1; at: Date };

export function getRequestContext(response: Response): RequestContext {
  return response.locals.context;
}

export function setRequestContext(response: Response, context: RequestContext): void {
  response.locals.context = context;
}

/** A part that an earlier step has added. @throws when the steps are in the wrong order */
export function requireFromContext<Name extends 'caller' | 'session' | 'input' | 'admission'>(
  response: Response,
  name: Name,
): NonNullable<RequestContext[Name]> {
  const part = getRequestContext(response)[name];
  if (part === undefined) throw new Error(`no earlier step of the pipeline has set the ${name}`);
  return part as NonNullable<RequestContext[Name]>;
}
