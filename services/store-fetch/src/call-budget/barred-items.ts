import type { StoreFailure } from '../store-failure.ts';
import { rememberedMs } from './failed-questions.ts';
import { itemKey } from './item-key.ts';
import type { Question } from './question.ts';

/**
 * The items of a breaker's failed calls, by their keys: until when, in epoch milliseconds. A question about one of them
 * is no probe: not for five minutes if the failure is a lasting one that may concern the item, otherwise not for
 * `usualMs`.
 */
export type BarredItems = ReadonlyMap<string, number>;

/** The latest are kept. A breaker opens after five calls of up to 20 items, unless they fail for one common item. */
export const maxBarredItems = 200;

export function addBarred(
  barred: BarredItems,
  { items }: Question,
  { failure, nowMs, usualMs }: { failure: StoreFailure; nowMs: number; usualMs: number },
): BarredItems {
  const untilMs = nowMs + (failure.concernsItem ? rememberedMs : usualMs);
  const keys = new Set(items.map(itemKey));
  const others = [...barred].filter(([key, until]) => isBarred(until, nowMs) && !keys.has(key));
  const added = [...keys].map((key) => [key, untilMs] as const);
  return new Map([...others, ...added].slice(-maxBarredItems));
}

/** Until when the question is no probe, in epoch milliseconds; 0 when it may be one. */
export function barredUntilMs(barred: BarredItems, { items }: Question, nowMs: number): number {
  if (barred.size === 0) return 0;
  const untilMs = items.map((item) => barred.get(itemKey(item)) ?? 0);
  return Math.max(0, ...untilMs.filter((until) => isBarred(until, nowMs)));
}

/** At most as long as any failure bars, even if the clock has been set back. */
function isBarred(untilMs: number, nowMs: number): boolean {
  const leftMs = untilMs - nowMs;
  return leftMs > 0 && leftMs <= rememberedMs;
}
