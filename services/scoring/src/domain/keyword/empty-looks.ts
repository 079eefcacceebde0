import type { EmptyLook } from './keyword-reading.ts';

/** An empty list is believed when another look, at least this long after the first one, finds it empty again. */
const betweenLooksMs = 10 * 60_000;
/** A first look older than this no longer counts. */
const maxAgeMs = 24 * 60 * 60_000;
/** More than a keyword has probes. */
const maxLooks = 16;

/** Whether a look at `readAt` is the second one at this prefix, so that an empty list is believed. */
export function isSecondLook(looks: readonly EmptyLook[], prefix: string, readAt: Date): boolean {
  const first = looks.find((look) => look.prefix === prefix);
  if (!first) return false;
  const ageMs = readAt.getTime() - first.read_at.getTime();
  return ageMs >= betweenLooksMs && ageMs < maxAgeMs;
}

/**
 * The first looks after some new ones, which replace only looks that no longer count: at most 16, the newest last.
 */
export function addLooks(known: readonly EmptyLook[], added: readonly EmptyLook[], now: Date): EmptyLook[] {
  const counting = known.filter((look) => now.getTime() - look.read_at.getTime() < maxAgeMs);
  const isNew = ({ prefix }: EmptyLook) => !counting.some((look) => look.prefix === prefix);
  return [...counting, ...added.filter(isNew)].slice(-maxLooks);
}

/**
 * When all of the first looks that count can have their second one; null when there are none. A time in the past means
 * now.
 */
export function secondLookAt(looks: readonly EmptyLook[], now: Date): Date | null {
  const counting = addLooks(looks, [], now);
  if (counting.length === 0) return null;
  return new Date(Math.max(...counting.map((look) => look.read_at.getTime())) + betweenLooksMs);
}
