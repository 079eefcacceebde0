import type { StoreFailure } from '../store-failure.ts';
import type { Question } from './question.ts';

const failuresToOpen = 5;
/** Refusals (`blocked`, `captcha`) in a row. Few, because further calls could turn a warning into a ban. */
const refusalsToOpen = 2;
/** Lasting failures that may concern only an item count when this many questions without a common item have them. */
const questionsToCount = 3;

/** The consecutive failures of a breaker's calls, and whether they are enough to open it. */
export function createStoreFailureStreak() {
  let ofStore = 0;
  let ofItems = 0;
  let refusals = 0;
  /** The last failure that counted. */
  let last: StoreFailure | null = null;
  /** The number of questions without a common item among `ofItems`, at most `questionsToCount`. */
  let differentQuestions = 0;
  const failedItems = new Set<string>();

  function addQuestion({ items }: Question): void {
    if (differentQuestions >= questionsToCount || items.some((item) => failedItems.has(item))) return;
    differentQuestions++;
    for (const item of items) failedItems.add(item);
  }

  const length = () => (differentQuestions >= questionsToCount ? ofStore + ofItems : ofStore);

  return {
    /** Adds a failure. False when it does not count yet, because it may concern only the item. */
    add(question: Question, failure: StoreFailure): boolean {
      refusals = isRefusal(failure) ? refusals + 1 : 0;
      if (failure.concernsItem) {
        ofItems++;
        addQuestion(question);
      } else ofStore++;
      const isCounted = !failure.concernsItem || differentQuestions >= questionsToCount;
      if (isCounted) last = failure;
      return isCounted;
    },

    end() {
      ofStore = 0;
      ofItems = 0;
      refusals = 0;
      last = null;
      differentQuestions = 0;
      failedItems.clear();
    },

    isTripped: () => length() >= failuresToOpen || refusals >= refusalsToOpen,
    length,
    lastFailure: () => last,
  };
}

function isRefusal({ kind }: StoreFailure): boolean {
  return kind === 'blocked' || kind === 'captcha';
}
