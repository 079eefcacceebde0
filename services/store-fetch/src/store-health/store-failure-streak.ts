import { z } from 'zod';
import { failureFactsSchema, toFailureFacts } from './failure-facts.ts';
import { itemKey, itemKeySchema, type Question } from './question.ts';
import type { StoreFailure } from './store-failure.ts';

/** The probe that then tells the store from the questions is the fifth. */
const failuresToOpen = 4;
/**
 * Refusals (`blocked`, `captcha`). One, because further calls could turn a warning into a ban: the probe is the second.
 */
const refusalsToOpen = 1;
/** Lasting failures that may concern only an item count when this many questions without a common item have them. */
const questionsToCount = 3;

const countSchema = z.number().int().min(0);

/** The consecutive failures of a breaker's calls. */
export const streakSchema = z.strictObject({
  ofStore: countSchema,
  ofItems: countSchema,
  refusals: countSchema,
  /** The last failure that counted. */
  last: failureFactsSchema.nullable(),
  /** The number of questions without a common item among `ofItems`, at most `questionsToCount`. */
  differentQuestions: countSchema,
  /** The keys of the items of these questions. */
  failedItems: z.array(itemKeySchema).max(100),
});

export type StoreFailureStreak = z.output<typeof streakSchema>;

export const noStreak: StoreFailureStreak = {
  ofStore: 0,
  ofItems: 0,
  refusals: 0,
  last: null,
  differentQuestions: 0,
  failedItems: [],
};

/** Adds a failure. `isCounted` is false when it does not count yet, because it may concern only the item. */
export function addFailure(
  streak: StoreFailureStreak,
  question: Question,
  failure: StoreFailure,
): { streak: StoreFailureStreak; isCounted: boolean } {
  const refusals = isRefusal(failure) ? streak.refusals + 1 : 0;
  const added = failure.concernsItem
    ? { ...withQuestion(streak, question), ofItems: streak.ofItems + 1, refusals }
    : { ...streak, ofStore: streak.ofStore + 1, refusals };
  const isCounted = !failure.concernsItem || added.differentQuestions >= questionsToCount;
  return { streak: isCounted ? { ...added, last: toFailureFacts(failure) } : added, isCounted };
}

/** Whether the failures are enough to open the breaker. */
export function isTripped(streak: StoreFailureStreak): boolean {
  return streakLength(streak) >= failuresToOpen || streak.refusals >= refusalsToOpen;
}

/** The number of failures that count. */
export function streakLength({ ofStore, ofItems, differentQuestions }: StoreFailureStreak): number {
  return differentQuestions >= questionsToCount ? ofStore + ofItems : ofStore;
}

function withQuestion(streak: StoreFailureStreak, { items }: Question): StoreFailureStreak {
  const { differentQuestions, failedItems } = streak;
  const keys = items.map(itemKey);
  if (differentQuestions >= questionsToCount || keys.some((key) => failedItems.includes(key))) return streak;
  return { ...streak, differentQuestions: differentQuestions + 1, failedItems: [...failedItems, ...keys] };
}

function isRefusal({ kind }: StoreFailure): boolean {
  return kind === 'blocked' || kind === 'captcha';
}
