import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertReceivers, Receipt } from './alert-receivers.ts';

/** By the path of a receiver: the subjects of its alerts. */
export type Expected = ReadonlyMap<string, ReadonlySet<string>>;

/** For as long nothing more may come before what is missing counts as lost: a third try comes after a minute, a lost claim ends after one. */
const patienceMs = 200_000;

/** What receivers got, compared with what they should. All but `expected`, `tries` and `repeated` should be 0. */
export type DeliveryCounts = {
  /** Alerts, each for each of its receivers. */
  expected: number;
  /** Those that no receiver has taken: an answer that hangs, 500 or a redirect takes nothing. */
  lost: number;
  /** Alerts that nothing was the cause of. */
  invented: number;
  /** Alerts that came under a second webhook-id. */
  underTwoIds: number;
  /** Messages that came before an earlier one of their receiver. */
  outOfOrder: number;
  /** Messages that came again with other alerts. */
  changed: number;
  /** Messages, all tries. */
  tries: number;
  /** Tries after the first of their message: at least once means that there may be some. */
  repeated: number;
};

export function checkDeliveries(receipts: readonly Receipt[], expected: Expected): DeliveryCounts {
  const counts: DeliveryCounts = {
    expected: [...expected.values()].reduce((sum, { size }) => sum + size, 0),
    lost: 0,
    invented: 0,
    underTwoIds: 0,
    outOfOrder: 0,
    changed: 0,
    tries: receipts.length,
    repeated: 0,
  };
  const paths = new Set([...expected.keys(), ...receipts.map(({ to }) => to)]);
  for (const path of paths) {
    const got = receipts.filter(({ to }) => to === path);
    checkReceiver(got, expected.get(path) ?? new Set(), counts);
  }
  return counts;
}

function checkReceiver(got: readonly Receipt[], expected: ReadonlySet<string>, counts: DeliveryCounts): void {
  /** By webhook-id: the alerts of its first try. */
  const firsts = new Map<string, string>();
  /** By alert: its webhook-id. */
  const idOf = new Map<string, string>();
  const delivered = new Set<string>();
  let last = 0;
  for (const { id, mode, events } of got) {
    if (mode === 'ok') for (const { subject } of events) delivered.add(subject);
    const content = events.map((event) => event.id).join();
    const known = firsts.get(id);
    if (known !== undefined) {
      counts.repeated++;
      if (known !== content) counts.changed++;
      continue;
    }
    firsts.set(id, content);
    const [first] = events;
    if (first && first.id < last) counts.outOfOrder++;
    for (const { id: alertId, subject } of events) {
      last = Math.max(last, alertId);
      if (idOf.has(subject)) counts.underTwoIds++;
      else if (!expected.has(subject)) counts.invented++;
      idOf.set(subject, id);
    }
  }
  counts.lost += [...expected].filter((subject) => !delivered.has(subject)).length;
}

/** Whether every alert came, under one id, in order, and nothing else. */
export function areAllDelivered(counts: DeliveryCounts): boolean {
  const { lost, invented, underTwoIds, outOfOrder, changed } = counts;
  return counts.expected > 0 && lost + invented + underTwoIds + outOfOrder + changed === 0;
}

export function describeDeliveries(counts: DeliveryCounts): string {
  const { expected, lost, invented, underTwoIds, outOfOrder, changed, tries, repeated } = counts;
  return `${expected} alerts for receivers: ${lost} lost, ${invented} without a cause, ${underTwoIds} under a second webhook-id, ${outOfOrder} messages out of order, ${changed} changed; ${tries} tries, ${repeated} of them again`;
}

/** Waits until nothing is lost any more, or nothing has come for long. */
export async function untilDelivered(
  receivers: Pick<AlertReceivers, 'read'>,
  expected: readonly Expected[],
): Promise<DeliveryCounts> {
  const all: Expected = new Map(expected.flatMap((one) => [...one]));
  const lookMs = 500;
  let tries = 0;
  for (let waitedMs = 0; ; waitedMs += lookMs) {
    const counts = checkDeliveries(receivers.read(), all);
    if (counts.tries !== tries) waitedMs = 0;
    tries = counts.tries;
    if (counts.lost === 0 || waitedMs > patienceMs) return counts;
    await sleep(lookMs);
  }
}
