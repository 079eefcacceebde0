import { type ServiceError, status } from '@grpc/grpc-js';
import { toCallHeaders } from '../call-headers.ts';
import { createCallSignal } from '../call-signal.ts';
import { newServiceError, toServiceError } from '../grpc-errors.ts';
import type { CallOptions, SendCall } from '../grpc-types.ts';
import type { Outcome, ServeCall } from './serve-call.ts';

/** Node.js fires a timer with a longer delay at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The calls of a server by clients in the same process. Messages are encoded, and deadlines, cancellation and errors
 * are those of gRPC, but no socket is involved.
 */
export function createInProcessCalls() {
  const methods = new Map<string, ServeCall>();
  const openCalls = new Set<(failure: ServiceError) => void>();
  let isOpen = false;
  let onIdle = () => {};

  const send: SendCall = async (path, request, options) => {
    const serve = methods.get(path);
    if (!isOpen) throw newServiceError(status.UNAVAILABLE, 'the service does not run');
    if (!serve) throw newServiceError(status.UNIMPLEMENTED, `the service has no method ${path}`);
    if (options.signal?.aborted) throw canceled();
    const ms = options.deadline.getTime() - Date.now();
    if (!(ms > 0)) throw deadlineExceeded();
    return sendOpen(serve, request, options, ms);
  };

  function sendOpen(serve: ServeCall, request: Buffer, options: CallOptions, ms: number): Promise<Buffer> {
    const headers = toCallHeaders(options);
    const signal = createCallSignal();
    return new Promise((resolve, reject) => {
      const end = (): boolean => {
        if (!openCalls.delete(fail)) return false;
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', cancel);
        if (openCalls.size === 0) onIdle();
        return true;
      };
      const fail = (failure: ServiceError) => {
        if (!end()) return;
        reject(failure);
        signal.end();
      };
      const settle = (outcome: Outcome) => {
        if ('failure' in outcome) return fail(toServiceError(outcome.failure));
        if (!end()) return;
        resolve(outcome.reply);
        signal.end();
      };
      const cancel = () => fail(canceled());
      const timer = ms <= maxTimerMs ? setTimeout(() => fail(deadlineExceeded()), ms) : undefined;
      options.signal?.addEventListener('abort', cancel, { once: true });
      openCalls.add(fail);

      let hasStarted = false;
      const sendStarted = () => {
        if (hasStarted) return;
        hasStarted = true;
        // Not at once: the handler must not run the code of its caller.
        queueMicrotask(() => openCalls.has(fail) && options.onStarted?.());
      };
      const header = (name: string) => headers[name];
      const call = { header, deadline: new Date(options.deadline), signal, sendStarted };
      // Not a microtask: a chain of calls must not keep timers and sockets waiting.
      setImmediate(() => {
        if (openCalls.has(fail)) void serve(request, call).then(settle);
      });
    });
  }

  return {
    add: (path: string, serve: ServeCall) => void methods.set(path, serve),
    /** From now on calls are accepted. Before that, and once it drains, they fail as if nothing listened. */
    open() {
      isOpen = true;
    },
    send,
    /** Refuses new calls, waits at most `timeoutMs` for open ones, then aborts them. */
    async drain(timeoutMs: number) {
      isOpen = false;
      if (openCalls.size === 0) return;
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      const timer = setTimeout(() => {
        for (const fail of openCalls) fail(newServiceError(status.UNAVAILABLE, 'the service has stopped'));
      }, timeoutMs);
      await idle;
      clearTimeout(timer);
    },
  };
}

const canceled = () => newServiceError(status.CANCELLED, 'the caller canceled the call');
const deadlineExceeded = () => newServiceError(status.DEADLINE_EXCEEDED, 'the deadline has passed');
