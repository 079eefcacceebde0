import { type Fault, setMode } from '../../testing/system/stand-in.ts';
import type { CountedCall } from './counting-proxy.ts';

type Phase = { fault: Fault; rate: number };

export type FaultPlan = {
  /** Switches the phase when it is time. Call it a few times per second. */
  tick(): Promise<void>;
  /** The name of the current phase. */
  currentName(): string;
  /** The names of the phases that have not met enough calls. */
  unplayed(): string[];
};

/** A fault stays active until this many calls have failed. */
const minFailedCalls = 3;

/**
 * Activates one fault of the stand-in after the other, each until a few calls have failed. Between two faults the
 * store answers `callsBetween` calls.
 */
export function createFaultPlan(deps: {
  store: string;
  faults: readonly Fault[];
  calls: readonly CountedCall[];
  callsBetween: number;
}): FaultPlan {
  const { store, calls, callsBetween } = deps;
  const phases: Phase[] = [1, 0.3].flatMap((rate) => deps.faults.map((fault) => ({ fault, rate })));
  let next = 0;
  let current: Phase | null = null;
  let firstCall = 0;

  /** Calls of the current phase that have ended, by whether they were answered. */
  const count = (isAnswered: boolean) =>
    calls
      .slice(firstCall)
      .filter(({ outcome }) => outcome !== 'pending' && (outcome === 'answered') === isAnswered).length;

  async function switchTo(phase: Phase | null): Promise<void> {
    await (phase ? setMode(store, phase.fault, phase.rate) : setMode(store, 'ok'));
    current = phase;
    firstCall = calls.length;
  }

  return {
    async tick() {
      if (current && count(false) >= minFailedCalls) {
        next++;
        await switchTo(null);
      } else if (!current && next < phases.length && count(true) >= callsBetween) {
        await switchTo(phases[next] ?? null);
      }
    },
    currentName: () => (current ? nameOf(current) : 'ok'),
    unplayed: () => phases.slice(next).map(nameOf),
  };
}

function nameOf({ fault, rate }: Phase): string {
  return rate === 1 ? fault : `${fault} ${rate}`;
}
