import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import type { AnsweredQuestion } from './answered-questions.ts';
import type { Breakers } from './breakers.ts';
import type { Clock } from './clock.ts';
import type { Address, Endpoint } from './endpoints.ts';
import type { Question } from './question.ts';

/** If nothing reports the end of a probe, such as one of another copy of the service, a request looks this often. */
const lookEveryMs = 1000;

type ProbedRequest = { endpoint: Endpoint; question: Question; signal: AbortSignal };

type Waiting<Request> = {
  request: Request;
  /** Not to be used for the request. */
  excludedAddresses: ReadonlySet<Address>;
  /** How long to wait from now on, in milliseconds. */
  maxWaitMs(): number;
};

/** The question to ask, through which address, and how long it may wait for its slot. */
export type Probe = { address: Address; answered: AnsweredQuestion; maxWaitMs(): number };

export type ProbesDeps<Request> = {
  addresses: readonly Address[];
  breakers: Breakers;
  clock: Clock;
  /** The questions that the endpoint has answered, the best probe first. */
  answeredQuestions: (endpoint: Endpoint) => readonly AnsweredQuestion[];
  /** Makes the probe of the request's endpoint. True: a call was made, whatever its outcome. */
  askAgain: (request: Request, probe: Probe) => Promise<boolean>;
};

/**
 * Asks a question that the store has answered before, when a breaker is in doubt or its open time is over. Requests wait for
 * the outcome. The question comes from a caller without a failure, if there is one.
 */
export function createProbes<Request extends ProbedRequest>(deps: ProbesDeps<Request>) {
  const { addresses, breakers, clock, answeredQuestions, askAgain } = deps;
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
    { request, maxWaitMs }: Omit<Waiting<Request>, 'excludedAddresses'>,
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

  function canCall({ request: { endpoint, question }, excludedAddresses }: Waiting<Request>): boolean {
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
    async waitFor(waiting: Waiting<Request>): Promise<boolean> {
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
    restoreAddresses({ request, maxWaitMs }: Omit<Waiting<Request>, 'excludedAddresses'>): void {
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
