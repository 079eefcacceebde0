import type { Breaker } from './breaker.ts';
import type { Address, Endpoint } from './endpoints.ts';
import type { FailedQuestions } from './failed-questions.ts';
import type { Question } from './question.ts';
import type { StoreFailure } from './store-failure.ts';

/** A store that answers another question this soon after a failure has failed only for the question. */
const contradictedMs = 15_000;
/** How long such a question is not asked again. */
const rememberedMs = 60_000;
const maxPerEndpoint = 100;

type Suspect = {
  address: Address;
  question: Question;
  failure: StoreFailure;
  failedAtMs: number;
  hasCausedDoubt: boolean;
};

/** One call of a question, and the breaker that has its outcome. */
type Outcome = { endpoint: Endpoint; address: Address; question: Question; breaker: Breaker };

/**
 * Finds the questions that have put a breaker in doubt although the store answers others, and has them remembered for a
 * minute. Without that, a repeated question would cost a probe each time.
 */
export function createSuspectQuestions(deps: { failedQuestions: FailedQuestions; nowMs: () => number }) {
  const { failedQuestions, nowMs } = deps;
  /** What has failed since the last success on its address. */
  const suspects = new Map<Endpoint, readonly Suspect[]>();
  const list = (endpoint: Endpoint) => suspects.get(endpoint) ?? [];

  return {
    /** To be called when the breaker has the failure. */
    failed({ endpoint, address, question, breaker }: Outcome, failure: StoreFailure): void {
      const isOpen = breaker.openState() !== null;
      if (isOpen && !breaker.isInDoubt()) {
        // The store is at fault.
        suspects.set(
          endpoint,
          list(endpoint).filter((each) => each.address !== address),
        );
        return;
      }
      const added = { address, question, failure, failedAtMs: nowMs(), hasCausedDoubt: isOpen };
      const others = list(endpoint)
        .filter((each) => each.address !== address || each.question.key !== question.key)
        .map((each) => (isOpen && each.address === address ? { ...each, hasCausedDoubt: true } : each));
      suspects.set(endpoint, [...others, added].slice(-maxPerEndpoint));
    },

    /** To be called when the breaker has the success. */
    succeeded({ endpoint, address, question, breaker }: Outcome): void {
      const others = list(endpoint).filter((each) => each.question.key !== question.key);
      if (breaker.openState() !== null) {
        suspects.set(endpoint, others);
        return;
      }
      for (const each of others) {
        const ageMs = nowMs() - each.failedAtMs;
        const isContradicted = each.hasCausedDoubt && ageMs >= 0 && ageMs <= contradictedMs;
        if (each.address === address && isContradicted && !each.failure.concernsItem)
          failedQuestions.rememberFor(rememberedMs - ageMs, endpoint, each.question, each.failure);
      }
      suspects.set(
        endpoint,
        others.filter((each) => each.address !== address),
      );
    },
  };
}
