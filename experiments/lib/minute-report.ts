import { formatRow } from '@shelfwise/app/commands/lib/format-table';
import type { CountedCall } from './counting-proxy.ts';

const head = ['minute', 'store mode', 'App Store', 'Google Play', 'answered', 'refused', 'aborted', 'read'];
const widths = [6, 40, 9, 11, 8, 7, 8, 6];
const minuteMs = 60_000;

/** Prints a table with one row per minute: active faults, calls by budget and outcome, and keywords read. */
export function createMinuteReport(calls: readonly CountedCall[]) {
  let minute = 1;
  let firstCall = 0;
  let modes = new Set<string>();
  console.log(formatRow(head, widths));

  function print(read: number): void {
    const callsOfMinute = calls.slice(firstCall);
    const count = (isCounted: (call: CountedCall) => boolean) =>
      String(callsOfMinute.filter(isCounted).length);
    const row = [
      ...[String(minute), [...modes].join(', ')],
      ...[count(({ budget }) => budget.startsWith('itunes')), count(({ budget }) => budget === 'play')],
      count(({ outcome }) => outcome === 'answered'),
      count(({ outcome }) => outcome === 'refused'),
      count(({ outcome }) => outcome === 'aborted'),
      String(read),
    ];
    console.log(formatRow(row, widths));
  }

  return {
    update(mode: string, read: number, elapsedMs: number, isOver: boolean): void {
      modes.add(mode);
      if (!isOver && elapsedMs < minute * minuteMs) return;
      print(read);
      minute++;
      firstCall = calls.length;
      modes = new Set();
    },
  };
}
