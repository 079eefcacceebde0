import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import type { Address } from './addresses.ts';
import type { AnsweredQuestion } from './answered-questions.ts';
import type { Breakers } from './breakers.ts';
import type { CallScheduler } from './call-scheduler.ts';
import type { CallSlot } from './call-slot.ts';
import type { Clock } from './clock.ts';
import { type Attempt, type Budget, type Endpoint, endpoints, type StoreRequest } from './endpoints.ts';
import { forDailyRun, urgent } from './urgency.ts';

/** If nothing reports the end of a probe, such as one of another copy of the service, a request looks this often. */
const lookEveryMs = 1000;

type Waiting = {
  request: StoreRequest;
  /** Not to be used for the request. */
  excludedAddresses: ReadonlySet<Address>;
  /** How long to wait from now on, in milliseconds. */
  maxWaitMs(): number;
};

export type ProbesDeps = {
  addresses: readonly Address[];
  schedulers: Readonly<Record<Budget, CallScheduler>>;
  breakers: Breakers;
  clock: Clock;
  /** The questions that the endpoint has answered, the best probe first. */
  answeredQuestions: (endpoint: Endpoint) => readonly AnsweredQuestion[];
  attemptOnce: (
    request: StoreRequest,
    slot: CallSlot,
    attempt: (attempt: Attempt) => Promise<unknown>,
  ) => Promise<unknown>;
};

/**
 * Asks a question that the store has answered before, when a breaker is in doubt or its open time is over. Requests wait for
 * the outcome. The question comes from a caller without a failure, if there is one.
 */
export function createProbes(deps: ProbesDeps) {
  const { addresses, schedulers, breakers, clock, answeredQuestions, attemptOnce } = deps;
  /** True: a call was made. */
  const probes = createSingleflight<boolean>();
  const listeners = new Map<Endpoint, Set<() => void>>();

  function findProbe(endpoint: Endpoint, address: Address): AnsweredQuestion | undefined {
    const breaker = breakers.get(endpoint, address);
    if (breaker.openState() === null) return undefined;
    const usable = answeredQuestions(endpoint).filter(({ question }) =>
      breakers.isUsable(endpoint, address, question),
    );
    return usable.find(({ question }) => !breaker.hasFailedFor(question)) ?? usable[0];
  }

  /** Resolves when the probe of this address has ended: whether it was made. */
  async function probe(
    address: Address,
    { request, maxWaitMs }: Omit<Waiting, 'excludedAddresses'>,
  ): Promise<boolean> {
    const { endpoint, signal } = request;
    return probes.join(`${endpoint} ${address.label}`, signal, async (sharedSignal) => {
      const answered = findProbe(endpoint, address);
      return (
        answered !== undefined &&
        askAgain({ ...request, signal: sharedSignal }, { address, answered, maxWaitMs })
      );
    });
  }

  /** Asks the question on behalf of no caller, once. The breaker keeps the outcome. */
  async function askAgain(
    request: StoreRequest,
    {
      address,
      answered,
      maxWaitMs,
    }: { address: Address; answered: AnsweredQuestion } & Pick<Waiting, 'maxWaitMs'>,
  ): Promise<boolean> {
    const { question, attempt } = answered;
    const probeRequest = { ...request, question, urgency: request.urgency.isUrgent() ? urgent : forDailyRun };
    const excludedAddresses = new Set(addresses.filter((each) => each !== address));
    let slot: CallSlot;
    try {
      const { budget } = endpoints[request.endpoint];
      slot = await schedulers[budget].acquire({ ...probeRequest, excludedAddresses, maxWaitMs });
    } catch {
      // The requests that wait for the probe get their own error.
      return false;
    }
    await attemptOnce(probeRequest, slot, attempt).catch(() => {});
    return true;
  }

  function canCall({ request: { endpoint, question }, excludedAddresses }: Waiting): boolean {
    return candidates(excludedAddresses).some((address) => breakers.isUsable(endpoint, address, question));
  }

  const candidates = (excluded: ReadonlySet<Address>) =>
    addresses.filter((address) => !excluded.has(address));

  function nextChange(endpoint: Endpoint, signal: AbortSignal, maxMs: number): Promise<void> {
    const waiting = listeners.get(endpoint) ?? new Set();
    listeners.set(endpoint, waiting);
    return new Promise((resolve) => {
      const end = () => {
        stop();
        signal.removeEventListener('abort', end);
        waiting.delete(end);
        resolve();
      };
      const stop = clock.after(Math.min(maxMs, lookEveryMs), end);
      signal.addEventListener('abort', end);
      waiting.add(end);
    });
  }

  return {
    /**
     * For a request that all breakers refuse: probes one after the other, or waits for the probe of another request. True
     * when the request can be made.
     */
    async waitFor(waiting: Waiting): Promise<boolean> {
      const { request, excludedAddresses, maxWaitMs } = waiting;
      const { endpoint, signal } = request;
      while (maxWaitMs() > 0 && !signal.aborted) {
        if (canCall(waiting)) return true;
        const open = candidates(excludedAddresses);
        const address = open.find((each) => findProbe(endpoint, each) !== undefined);
        if (address && (await probe(address, { request, maxWaitMs }))) continue;
        if (canCall(waiting)) return true;
        // Another request or another copy of the service may have been faster.
        if (!open.some((each) => breakers.get(endpoint, each).isProbing())) return false;
        await nextChange(endpoint, signal, maxWaitMs());
      }
      return false;
    },

    /** Probes the addresses that the request cannot use, so that one refused question does not rest them. */
    restoreAddresses({ request, maxWaitMs }: Omit<Waiting, 'excludedAddresses'>): void {
      const { endpoint, question } = request;
      const canUse = (address: Address) => breakers.isUsable(endpoint, address, question);
      if (!addresses.some(canUse)) return;
      // The request may end before the probe.
      const background = { request: { ...request, signal: new AbortController().signal }, maxWaitMs };
      for (const address of addresses)
        if (!canUse(address) && findProbe(endpoint, address)) void probe(address, background);
    },

    /** A breaker of the endpoint may have changed; undefined: of any. */
    notify(endpoint?: Endpoint): void {
      const changed = endpoint ? [endpoint] : [...listeners.keys()];
      for (const each of changed) for (const end of [...(listeners.get(each) ?? [])]) end();
    },
  };
}
