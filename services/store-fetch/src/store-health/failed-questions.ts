import { LRUCache } from 'lru-cache';
import type { SharedSection } from '../cache/shared-answers.ts';
import type { Endpoint } from './endpoints.ts';
import { type FailureFacts, fromFailureFacts } from './failure-facts.ts';
import type { Question } from './question.ts';
import type { StoreFailure } from './store-failure.ts';
import { timeOfDay } from './time-of-day.ts';

/** How long a question is not asked again after the store has failed to answer it for good. */
export const rememberedMs = 5 * 60_000;
/** A question takes up to 2 KiB, so that all take 10 MiB at most. */
const maxQuestions = 5_000;
/** The message of a malformed answer may quote the store. */
const maxMessageLength = 500;

export type FailedQuestions = ReturnType<typeof createFailedQuestions>;

/**
 * Remembers questions that a store lastingly fails to answer (`concernsItem`), each for five minutes, and others for as
 * long as `rememberFor` says. They are not asked again in that time, with `shared` by no copy: their failure takes no
 * call slot and no budget. At most 5,000 are remembered in this process, the most recently used ones.
 */
export function createFailedQuestions(now: () => Date, shared?: SharedSection<FailureFacts> | null) {
  const remembered = new LRUCache<string, { failure: StoreFailure; untilMs: number }>({ max: maxQuestions });

  function findOwn(key: string): StoreFailure | null {
    const found = remembered.get(key);
    if (!found) return null;
    const leftMs = found.untilMs - now().getTime();
    // A clock that was set back must not extend the time.
    if (leftMs > 0 && leftMs <= rememberedMs) return found.failure;
    remembered.delete(key);
    return null;
  }

  function rememberFor(ms: number, endpoint: Endpoint, question: Question, failure: StoreFailure): void {
    const until = new Date(now().getTime() + ms);
    const facts = toRemembered(failure, until);
    remembered.set(keyOf(endpoint, question), { failure: fromFailureFacts(facts), untilMs: until.getTime() });
    shared?.save(keyOf(endpoint, question), facts, until);
  }

  return {
    /** Remembers any failure for this long, at most five minutes. */
    rememberFor,

    /** Remembers the failure if it is a lasting one. */
    remember(endpoint: Endpoint, question: Question, failure: StoreFailure): void {
      if (failure.concernsItem) rememberFor(rememberedMs, endpoint, question, failure);
    },

    /**
     * The remembered failure, whose message says until when it is remembered; null when the question can be asked.
     * Never rejects.
     */
    async find(endpoint: Endpoint, question: Question): Promise<StoreFailure | null> {
      const own = findOwn(keyOf(endpoint, question));
      if (own || !shared) return own;
      const found = await shared.find(keyOf(endpoint, question));
      return found ? fromFailureFacts(found.answer) : null;
    },
  };
}

/** Without the cause, which may hold the whole answer. */
function toRemembered({ kind, message, userMessage, isPermanent }: StoreFailure, until: Date): FailureFacts {
  const explain = (reason: string) =>
    `${reason.slice(0, maxMessageLength)}; it is not called for this again until ${timeOfDay(until)} UTC`;
  return { kind, message: explain(message), userMessage: explain(userMessage), isPermanent };
}

function keyOf(endpoint: Endpoint, { key }: Question): string {
  return `${endpoint} ${key}`;
}
