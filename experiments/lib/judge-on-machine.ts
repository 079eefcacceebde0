import type { BareFigures } from './bare-run.ts';

/** 'not judged': missed, on a machine that was too slow to tell why. */
export type Outcome = 'met' | 'missed' | 'not judged';

/** By their names in a message. */
const figureNames = { p99: 'p99', max: 'slowest call', held: 'longest hold of the event loop' } as const;
type Figure = keyof typeof figureNames;

/** A goal that a slow machine can miss. */
export type MachineGoal = {
  isMet: boolean;
  /** The time that the goal leaves for work, in ms: without what a fault or a timer takes itself. */
  limitMs: number;
  /** Of the same minute. */
  bare: BareFigures;
  /** Which time of the bare server is compared: 'max' for a goal that a single call can miss, 'held' for an event loop. */
  figure?: Figure;
};

/** A goal as it is printed, with its outcome. */
export type Judged = { text: string; outcome: Outcome };

/**
 * A call of the system passes a gateway, Redis, a service and a database, there and back, and some of them more than once:
 * it waits for a processor about ten times as often as a call of the bare server. A bare time over a tenth of the limit
 * means that waiting alone may have taken the whole limit.
 */
const mostShareOfLimit = 0.1;

/** The shortest deadline of a route of the gateway, in ms. */
const callDeadlineMs = 5000;

/** A missed goal counts as missed only if the bare server was fast enough. A bare run without calls excuses nothing. */
export function judgeOnMachine({ isMet, limitMs, bare, figure = 'p99' }: MachineGoal): Outcome {
  if (isMet) return 'met';
  return bare[figure] > mostShareOfLimit * limitMs ? 'not judged' : 'missed';
}

/** The same, with its text. One that is not judged says how slow the machine was. */
export function judgeGoal(text: string, goal: MachineGoal): Judged {
  const outcome = judgeOnMachine(goal);
  if (outcome !== 'not judged') return { text, outcome };
  const { bare, figure = 'p99' } = goal;
  const name = figureNames[figure];
  return {
    text: `${text} (a bare server's ${name} in the same minute: ${Math.round(bare[figure])} ms)`,
    outcome,
  };
}

/**
 * No call may fail. A slow machine excuses a 503, with which the gateway gives up a call, and a call that had no answer
 * within its deadline; it excuses no other status and no refused connection.
 */
export function noFailedCall(
  failed: readonly { status: number | null; ms: number }[],
  bare: BareFigures,
): MachineGoal {
  const isLate = ({ status, ms }: (typeof failed)[number]) =>
    status === 503 || (status === null && ms >= callDeadlineMs);
  const limitMs = failed.every(isLate) ? callDeadlineMs : Number.POSITIVE_INFINITY;
  return { isMet: failed.length === 0, limitMs, bare, figure: 'max' };
}

/** Of something that no machine excuses. */
export function outcomeOf(isMet: boolean): Outcome {
  return isMet ? 'met' : 'missed';
}

/** Missed if one is missed; else not judged if one is not. */
export function worstOutcome(goals: readonly { outcome: Outcome }[]): Outcome {
  const has = (wanted: Outcome) => goals.some(({ outcome }) => outcome === wanted);
  if (has('missed')) return 'missed';
  return has('not judged') ? 'not judged' : 'met';
}

const marks: Readonly<Record<Outcome, string>> = {
  met: 'ok  ',
  missed: 'FAIL',
  'not judged': 'not judged: machine:',
};

/** A line for the terminal. */
export function formatOutcome({ text, outcome }: Judged): string {
  return `  ${marks[outcome]} ${text}`;
}
