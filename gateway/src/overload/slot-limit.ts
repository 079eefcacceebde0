/** Answers within this time mean that the service has no long queue. */
const usualQuickMs = 500;
/** Later answers are late even where a single call takes long. */
const longestQuickMs = 1000;
/** A limit is chosen for answers within this share of the time that is quick, so that they stay quick while it grows again. */
const aimedShare = 0.6;
/** This many calls may always be in progress. */
const fewest = 8;
/** The limit while nothing is late; more when more calls were answered in a second lately. */
const calmLimit = 100;
/** The rate of answers is measured over this time: many come at once when a pause ends. */
const rateWindowMs = 2000;
/** What is left of the best rate after each measurement. */
const rememberedRate = 0.9;
const windowMs = 200;
/** How much the limit grows per window with quick answers. They show what a higher limit does only after half a second or so. */
const growth = 1.1;
/** A window without enough answers in this time is dropped: they say nothing about the load. */
const longestWindowMs = 1000;
/** A window ends with this many answers at the earliest, because a few late ones mean nothing. */
const leastAnswers = 5;
/**
 * Late windows in a row are a queue that grows when they last so long. Before, they may be a garbage collection, or processes of
 * this machine that start; the limit of calm times then bounds the queue.
 */
const lateForMs = 1500;
/** The same while earlier late answers are not forgotten. */
const lateAgainForMs = 400;
/** Late answers are forgotten when for this time none was late, and no call was refused while answers were quick. */
const forgetAfterMs = 5000;

export type SlotLimit = ReturnType<typeof createSlotLimit>;

type TimedAnswer = {
  ms: number;
  now: number;
  /** How many calls are in progress, with this one. */
  taken: number;
  /** Whether the call may have waited for a store. Then its time says nothing about the service. */
  hasWaited: boolean;
};

/**
 * How many calls of one service may be in progress. When fewer than a quarter of its answers are quick for a while, the limit
 * becomes what the service answers well within the time of a quick answer (Little's law). With quick answers it grows again, by a
 * tenth per window. A service that is slow with few calls, too, is not overloaded: quick then is twice its fastest answer.
 * Times are in ms, of a clock that never goes back.
 */
export function createSlotLimit() {
  let limit = calmLimit;
  let bestPerSecond = 0;
  let fastestCalmMs = 0;
  /** When the first of the late windows in a row began; null while answers are quick. */
  let lateSince: number | null = null;
  /** When an answer was late for long, or a call was refused after that. */
  let lastPressedAt = Number.NEGATIVE_INFINITY;
  let lastQuickAt = Number.NEGATIVE_INFINITY;
  let window = openWindow(Number.NEGATIVE_INFINITY);
  let rate = { openedAt: Number.NEGATIVE_INFINITY, answers: 0 };

  const most = () => Math.max(calmLimit, Math.ceil(bestPerSecond));
  const quickMs = () => Math.min(longestQuickMs, Math.max(usualQuickMs, 2 * fastestCalmMs));

  const isForgotten = (now: number) => now - lastPressedAt > forgetAfterMs;

  function measureRate(answers: number, now: number): void {
    rate.answers += answers;
    const ms = now - rate.openedAt;
    if (ms < rateWindowMs) return;
    bestPerSecond = Math.max((1000 * rate.answers) / ms, rememberedRate * bestPerSecond);
    rate = { openedAt: now, answers: 0 };
  }

  function closeWindow(now: number): void {
    const { openedAt, answers, judged, quick, fastestMs, mostTaken } = window;
    const perMs = answers / (now - openedAt);
    measureRate(answers, now);
    if (mostTaken <= fewest) fastestCalmMs = fastestMs;
    if (quick * 4 < judged) lateSince ??= openedAt;
    else {
      lateSince = null;
      lastQuickAt = now;
    }
    const waitMs = isForgotten(now) ? lateForMs : lateAgainForMs;
    if (lateSince !== null && now - lateSince >= waitMs) {
      limit = Math.min(most(), Math.max(fewest, Math.ceil(perMs * aimedShare * quickMs())));
      lastPressedAt = now;
    } else if (lateSince === null) limit = Math.min(most(), Math.ceil(limit * growth));
    window = openWindow(now);
  }

  return {
    current(now: number): number {
      if (isForgotten(now)) limit = most();
      return limit;
    },
    /** The most that were answered in a second lately. */
    bestPerSecond: () => bestPerSecond,
    /** While answers are quick, refusals show that the limit is needed. */
    onRefusal(now: number): void {
      if (!isForgotten(now) && now - lastQuickAt < longestWindowMs) lastPressedAt = now;
    },
    onAnswer({ ms, now, taken, hasWaited }: TimedAnswer): void {
      if (now - window.openedAt > longestWindowMs) {
        window = openWindow(now);
        rate = { openedAt: now, answers: 0 };
        lateSince = null;
      }
      window.answers++;
      window.mostTaken = Math.max(window.mostTaken, taken);
      if (hasWaited) return;
      window.judged++;
      if (ms <= quickMs()) window.quick++;
      window.fastestMs = Math.min(window.fastestMs, ms);
      if (now - window.openedAt >= windowMs && window.judged >= leastAnswers) closeWindow(now);
    },
  };
}

function openWindow(openedAt: number) {
  return { openedAt, answers: 0, judged: 0, quick: 0, fastestMs: Number.POSITIVE_INFINITY, mostTaken: 0 };
}
