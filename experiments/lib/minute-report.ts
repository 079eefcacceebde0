import { formatRow } from '@shelfwise/app/commands/format-table';
import type { CountedCall } from './counting-proxy.ts';

const head = ['minute', 'the store', 'App Store', 'Google Play', 'answered', 'refused', 'given up', 'read'];
const widths = [6, 40, 9, 11, 8, 7, 8, 6];
const minuteMs = 60_000;

/** A table that grows by a row a minute: what the store played, the calls by budget and by outcome, what was read. */
export function createMinuteReport(calls: readonly CountedCall[]) {
  let minute = 1;
  let firstCall = 0;
  let modes = new Set<string>();
  console.log(formatRow(head, widths));

  function print(read: number): void {
    const ofMinute = calls.slice(firstCall);
    const count = (isCounted: (call: CountedCall) => boolean) => String(ofMinute.filter(isCounted).length);
    const row = [
      ...[String(minute), [...modes].join(', ')],
      ...[count(({ budget }) => budget.startsWith('itunes')), count(({ budget }) => budget === 'play')],
      count(({ outcome }) => outcome === 'answered'),
      count(({ outcome }) => outcome === 'refused'),
      count(({ outcome }) => outcome === 'given up'),
      String(read),
    ];
    console.log(formatRow(row, widths));
  }

  return {
    note(mode: string, read: number, passedMs: number, isOver: boolean): void {
      modes.add(mode);
      if (!isOver && passedMs < minute * minuteMs) return;
      print(read);
      minute++;
      firstCall = calls.length;
      modes = new Set();
    },
  };
}
