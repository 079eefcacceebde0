import type { ErrorCode } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { z } from 'zod';
import type { Account } from './accounts/accounts.ts';
import type { Clients } from './clients.ts';
import type { CountUse, NoteUse } from './limits/count-use.ts';
import type { UsageCounters } from './limits/usage-counters.ts';
import type { Plan } from './plans/plans.ts';

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** Who calls, and on which plan. */
export type Caller = { account: Account; plan: Plan };

/** What a handler works with: checked input and the services to ask. */
type RouteCall<Params, Query, Body> = Caller & {
  params: Params;
  query: Query;
  body: Body;
  clients: Clients;
  counters: Pick<UsageCounters, 'readMonth'>;
  /** for work that a plan may cap by the month */
  countUse: CountUse;
  noteUse: NoteUse;
  /** request id and deadline, for every call of a service */
  call: CallOptions;
  now: Date;
};

/**
 * One endpoint as data. Validation, quota cost, deadline and the OpenAPI document come from it.
 */
export type Route<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
  Data extends z.ZodType = z.ZodType,
  Meta extends z.ZodType | null = z.ZodType | null,
> = {
  method: Method;
  /** as OpenAPI writes it: /api/v1/applications/{id} */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** API requests of the monthly quota that a call spends */
  cost: 0 | 1;
  /** A service that has not answered by then is given up: 503. */
  deadlineMs: number;
  params: Params;
  query: Query;
  /** null: the endpoint takes no body */
  body: Body;
  data: Data;
  meta: Meta;
  /**
   * A call and what it was answered, for the document: what the schemas take and give. `cut` says how its lists were
   * cut short; absent: they are whole.
   */
  example: { body?: unknown; data: unknown; meta?: unknown; cut?: string };
  /** The codes that this endpoint adds to those that every endpoint can answer, each with what it says then. */
  errors: Readonly<Partial<Record<ErrorCode, string>>>;
  // Written as a method, because only a method's parameters may be narrower than those of the list of all routes.
  handler(
    call: RouteCall<z.output<Params>, z.output<Query>, Body extends z.ZodType ? z.output<Body> : null>,
  ): Promise<RouteAnswer<Data, Meta>>;
};

type RouteAnswer<Data extends z.ZodType, Meta extends z.ZodType | null> = {
  data: z.output<Data>;
} & (Meta extends z.ZodType ? { meta: z.output<Meta> } : { meta?: never });

/** Ties a handler's input and answer to the schemas of its route. */
export function defineRoute<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType | null,
  Data extends z.ZodType,
  Meta extends z.ZodType | null,
>(route: Route<Params, Query, Body, Data, Meta>): Route<Params, Query, Body, Data, Meta> {
  return route;
}
