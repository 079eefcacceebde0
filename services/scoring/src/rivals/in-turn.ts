import { createFairTurns } from '@shelfwise/runtime/concurrency/fair-turns';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';

/**
 * Handlers of lists that are made from many kept pages, some .15 s of CPU each: one at a time within this process, and accounts in
 * turn. Many of one account at once would make the audits and lists of all others miss their deadlines.
 */
export function createInTurn() {
  const take = createFairTurns();
  return <Deps, Request extends { account_id: string }, Reply>(
    handle: (deps: Deps, request: Request) => Promise<Reply>,
  ) =>
    (deps: Deps, request: Request, { signal }: CallContext): Promise<Reply> =>
      take(request.account_id, signal, () => handle(deps, request));
}
