import { z } from 'zod';
import { rememberedMs } from './failed-questions.ts';
import { itemKey, itemKeySchema, type Question } from './question.ts';
import type { StoreFailure } from './store-failure.ts';

/** The latest are kept. A breaker opens after five calls of up to 20 items, unless they fail for one common item. */
const maxBarredItems = 200;

/**
 * The items and the callers of a breaker's failed calls, by their keys: until when, in epoch milliseconds. A question
 * about such an item is no probe for `usualMs`, or five minutes after a lasting failure of the item. A caller is
 * remembered for five minutes.
 */
export const barredItemsSchema = z
  .array(z.tuple([itemKeySchema, z.number().int().min(0)]))
  .max(maxBarredItems);

export type BarredItems = z.output<typeof barredItemsSchema>;

export function addBarred(
  barred: BarredItems,
  { items, callers = [] }: Question,
  { failure, nowMs, usualMs }: { failure: StoreFailure; nowMs: number; usualMs: number },
): BarredItems {
  const itemMs = nowMs + (failure.concernsItem ? rememberedMs : usualMs);
  const added = new Map([
    ...items.map((item) => [itemKey(item), itemMs] as const),
    ...callers.map((caller) => [callerKey(caller), nowMs + rememberedMs] as const),
  ]);
  const others = barred.filter(([key, until]) => isBarred(until, nowMs) && !added.has(key));
  return [...others, ...added].slice(-maxBarredItems);
}

/** Until when the question is no probe, in epoch milliseconds; 0 when it may be one. */
export function barredUntilMs(barred: BarredItems, { items }: Question, nowMs: number): number {
  return latestOf(barred, items.map(itemKey), nowMs);
}

/**
 * When a call of one of the question's callers last failed, in epoch milliseconds; null when none has in the last five
 * minutes.
 */
export function callersFailedAtMs(
  barred: BarredItems,
  { callers = [] }: Question,
  nowMs: number,
): number | null {
  const untilMs = latestOf(barred, callers.map(callerKey), nowMs);
  return untilMs === 0 ? null : untilMs - rememberedMs;
}

function latestOf(barred: BarredItems, keys: readonly string[], nowMs: number): number {
  const wanted = new Set(keys);
  const found = barred.filter(([key, until]) => wanted.has(key) && isBarred(until, nowMs));
  return Math.max(0, ...found.map(([, until]) => until));
}

function callerKey(caller: string): string {
  return itemKey(`caller ${caller}`);
}

/** At most as long as any failure bars, even if the clock has been set back. */
function isBarred(untilMs: number, nowMs: number): boolean {
  const leftMs = untilMs - nowMs;
  return leftMs > 0 && leftMs <= rememberedMs;
}
