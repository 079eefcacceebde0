import { type Fault, setMode } from '../../testing/system/stand-in.ts';
import type { CountedCall } from './counting-proxy.ts';

type Phase = { fault: Fault; rate: number };

export type FaultPlan = {
  /** Moves on when it is time; to be called a few times a second. */
  tick(): Promise<void>;
  /** What the store plays now. */
  current(): string;
  /** Phases that met fewer calls than they were to meet, by name. */
  unplayed(): string[];
};

/** Calls that must have met a fault before it goes. */
const callsToMeet = 3;

/**
 * Plays one fault after the other on the stand-in, each until a few calls have met it, and in between lets the store
 * answer `callsBetween` times.
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
  let playing: Phase | null = null;
  let since = 0;

  /** Calls that began after the last change and have ended so. */
  const count = (isAnswered: boolean) =>
    calls
      .slice(since)
      .filter(({ outcome }) => outcome !== 'pending' && (outcome === 'answered') === isAnswered).length;

  async function change(phase: Phase | null): Promise<void> {
    await (phase ? setMode(store, phase.fault, phase.rate) : setMode(store, 'ok'));
    playing = phase;
    since = calls.length;
  }

  return {
    async tick() {
      if (playing && count(false) >= callsToMeet) {
        next++;
        await change(null);
      } else if (!playing && next < phases.length && count(true) >= callsBetween) {
        await change(phases[next] ?? null);
      }
    },
    current: () => (playing ? nameOf(playing) : 'ok'),
    unplayed: () => phases.slice(next).map(nameOf),
  };
}

function nameOf({ fault, rate }: Phase): string {
  return rate === 1 ? fault : `${fault} ${rate}`;
}
