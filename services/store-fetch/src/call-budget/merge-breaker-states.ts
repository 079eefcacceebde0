import { type BreakerState, isOpen } from './breaker-state.ts';
import { streakLength } from './store-failure-streak.ts';

/**
 * One state of two that copies of the service reached without knowing of each other. A success outdates earlier
 * failures; otherwise the stricter state is right, because each copy has seen its failures itself. Both have the same
 * probe.
 */
export function mergeBreakerStates(own: BreakerState, shared: BreakerState): BreakerState {
  const succeededAtMs = Math.max(own.succeededAtMs, shared.succeededAtMs);
  const [one, other] = [own, shared].filter(({ failedAtMs }) => failedAtMs > succeededAtMs);
  if (!one) return own.succeededAtMs > shared.succeededAtMs ? own : shared;
  return { ...(other ? stricterOf(one, other) : one), succeededAtMs };
}

function stricterOf(a: BreakerState, b: BreakerState): BreakerState {
  const [stricter, other] = isStricter(a, b) ? [a, b] : [b, a];
  return {
    ...stricter,
    barred: new Map([...other.barred, ...stricter.barred]),
    isInDoubt: stricter.isInDoubt && (other.isInDoubt || !isOpen(other)),
    failedAtMs: Math.max(a.failedAtMs, b.failedAtMs),
  };
}

function isStricter(a: BreakerState, b: BreakerState): boolean {
  if (isOpen(a) !== isOpen(b)) return isOpen(a);
  if (isOpen(a)) return a.openUntilMs > b.openUntilMs;
  return streakLength(a.streak) > streakLength(b.streak);
}
