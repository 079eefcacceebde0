import { createWaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';

/** A call that waits for an analysis. `endsAtMs`: its deadline. */
export type WaitingCall = Pick<CallContext, 'requestId' | 'onStarted'> & {
  accountId: string;
  endsAtMs: number;
};

export type SharedAnalysis = ReturnType<typeof createSharedAnalysis>;

/** What the calls that wait for one analysis share. */
export function createSharedAnalysis() {
  const { callers, join, leave } = createWaitingCallers();
  /** Those that have waited longest first. */
  const calls = new Set<WaitingCall>();
  let starter: WaitingCall | null = null;
  let isRunning = false;
  const aborting = new AbortController();

  return {
    /** The accounts in whose turns the analysis waits. */
    callers,
    isRunning: () => isRunning,
    /** Fires when it is aborted, or when its last call leaves while it waits. */
    signal: aborting.signal,
    abort: (error: Error) => aborting.abort(error),
    /** Whether the analysis was started for this call, which counts as its use. */
    isStarter: (call: WaitingCall) => call === starter,

    /** Lets a call wait, until the returned function is called, once. */
    join(call: WaitingCall): () => void {
      calls.add(call);
      join(call.accountId);
      if (isRunning) call.onStarted?.();
      return () => {
        calls.delete(call);
        if (calls.size === 0 && !isRunning) aborting.abort(new Error('all callers have left'));
        leave(call.accountId);
      };
    },

    /**
     * The analysis runs in the turn of this account, and goes on when all calls leave. Returns the call for which it
     * was started: the account's first one.
     */
    start(accountId: string): WaitingCall {
      const waiting = [...calls];
      starter ??= waiting.find((call) => call.accountId === accountId) ?? waiting[0] ?? null;
      if (!starter) throw new Error('an analysis was started for which no call waits');
      isRunning = true;
      for (const call of waiting) call.onStarted?.();
      return starter;
    },
  };
}
