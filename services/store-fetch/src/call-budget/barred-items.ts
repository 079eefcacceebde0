import type { StoreFailure } from '../store-failure.ts';
import { rememberedMs } from './failed-questions.ts';
import type { Question } from './question.ts';

/**
 * The items of a breaker's failed calls. A question about one of them is no probe: not for five minutes if the failure
 * is a lasting one that may concern the item, otherwise not for `usualMs`.
 */
export function createBarredItems(now: () => Date, usualMs: number) {
  const untilMsOf = new Map<string, number>();

  /** At most as long as any failure bars, even if the clock has been set back. */
  function isBarred(untilMs: number): boolean {
    const leftMs = untilMs - now().getTime();
    return leftMs > 0 && leftMs <= rememberedMs;
  }

  return {
    add({ items }: Question, { concernsItem }: StoreFailure): void {
      for (const [item, untilMs] of untilMsOf) if (!isBarred(untilMs)) untilMsOf.delete(item);
      const untilMs = now().getTime() + (concernsItem ? rememberedMs : usualMs);
      for (const item of items) untilMsOf.set(item, untilMs);
    },

    /** Until when the question is no probe, in epoch milliseconds; 0 when it may be one. */
    untilMs: ({ items }: Question): number =>
      Math.max(0, ...items.map((item) => untilMsOf.get(item) ?? 0).filter(isBarred)),

    clear: () => untilMsOf.clear(),
  };
}
