import type { CallContext, GrpcHandlers, ReplyOf, RequestOf, ServiceTable } from '../grpc-types.ts';

/** One handler per RPC, with what it uses as the first argument. */
export type HandlersWithDeps<Service extends ServiceTable, Deps> = {
  [Name in keyof Service]: (
    deps: Deps,
    request: RequestOf<Service[Name]>,
    call: CallContext,
  ) => Promise<ReplyOf<Service[Name]>>;
};

/** A service and its handlers, for `createGrpcServer`. */
export type BoundService = { table: ServiceTable; handlers: GrpcHandlers<ServiceTable> };

/** Gives each handler what it uses. A missing handler or dependency is a compile error. */
export function bindHandlers<Service extends ServiceTable, Deps>(
  table: Service,
  handlers: HandlersWithDeps<Service, Deps>,
  deps: Deps,
): BoundService {
  const bound: BoundService = { table, handlers: {} };
  for (const [name, handler] of Object.entries(handlers as HandlersWithDeps<ServiceTable, Deps>))
    bound.handlers[name] = (request, call) => handler(deps, request as never, call);
  return bound;
}
