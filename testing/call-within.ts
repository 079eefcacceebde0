import type {
  CallOptions,
  GrpcClient,
  ReplyOf,
  RequestOf,
  ServiceTable,
} from '@shelfwise/runtime/grpc/grpc-types';

/** The context of a call that a test makes. The deadline is a way out, unless the test is about deadlines. */
export function callWithin(ms = 60_000): { requestId: string; deadline: Date } {
  return { requestId: 'request-1', deadline: new Date(Date.now() + ms) };
}

/** A client whose calls are made with `callWithin()`, unless a test gives a context. */
export function withContext<Service extends ServiceTable>(client: GrpcClient<Service>) {
  type Call = (request: never, context: CallOptions) => Promise<unknown>;
  const calls = Object.entries<Call>(client).map(([rpc, call]) => [
    rpc,
    (request: never, context = callWithin()) => call(request, context),
  ]);
  return Object.fromEntries(calls) as {
    [Name in keyof Service]: (
      request: RequestOf<Service[Name]>,
      context?: CallOptions,
    ) => Promise<ReplyOf<Service[Name]>>;
  };
}

/** The code of the error with which a call is refused; `OK` if it is answered. */
export async function codeOf(call: PromiseLike<unknown>): Promise<string> {
  try {
    await call;
    return 'OK';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** How many of the calls are answered (`OK`), and how many are refused with each code. */
export async function countCodes(calls: readonly PromiseLike<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of await Promise.all(calls.map(codeOf))) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** Waits for the deadline. Timers fire in the order of their times, so what ends before it ends first on a busy machine, too. */
export function passDeadline({ deadline }: { deadline: Date }): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, deadline.getTime() - Date.now()));
}
