import { join } from 'node:path';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { feedKinds } from '@shelfwise/facts/alerts/alert-kinds';
import { createFakeReceivers } from '../services/notify/test/fake-receivers.ts';
import { playYear } from '../services/notify/test/play-year.ts';
import { drawYear, trueAlerts, type YearDay, yearFaults } from '../services/notify/test/year-of-faults.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { readOptions } from './lib/options.ts';
import { startNotifyCopies } from './lib/start-notify-copies.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const { days, years, seed } = readOptions(
  'npm run alert-year',
  `Plays years of days to two copies of notify, with changes of every kind and faults of every kind, and compares the feed with what
the generator changed above the usual thresholds: every true change that was read must be told once (recall 1), and nothing else
(precision 1). Prints the counts.`,
  {
    days: [365, 'of a year', [10, 390]],
    years: [1, 'each of other days', [1, 100]],
    seed: [1, 'of the first year'],
  },
);
const from = '2026-01-01';

/** By what it is counted: true changes, alerts, and those that only one side has. */
type Row = { changes: number; told: number; missed: number; invented: number };
const byKind = new Map<string, Row>();
const byFault = new Map<string, Row & { days: number }>();

for (let year = 0; year < years; year++) {
  const drawn = drawYear({ seed: seed + year, from, days });
  const clock = createManualClock(`${from}T00:00:00Z`);
  const receivers = createFakeReceivers();
  const folder = join(temporaryFolder('alert-year'), 'data');
  const { copies, stop } = await startNotifyCopies({ count: 2, dataDir: folder, clock, receivers });
  const [one, other] = copies;
  if (!one || !other) throw new Error('there are two copies');
  const told = await playYear(drawn, { copies: [one, other], clock, receivers });
  await stop();
  count(drawn, trueAlerts(drawn), told);
}

const sums = [...byKind.values()].reduce((sum, row) => add(sum, row), noRow());
print('kind', byKind, feedKinds);
print('what happened on the day of the reading', byFault, yearFaults);
const precision = (sums.told - sums.invented) / sums.told;
const recall = (sums.changes - sums.missed) / sums.changes;
console.log(
  `${years} years of ${days} days: ${sums.changes} true changes that were read, ${sums.told} alerts; precision ${precision}, recall ${recall}`,
);
const unplayed = feedKinds.filter((kind) => !byKind.has(kind));
if (unplayed.length > 0) console.log(`not played: ${unplayed.join(', ')}`);
process.exit(precision === 1 && recall === 1 ? 0 : 1);

function noRow(): Row {
  return { changes: 0, told: 0, missed: 0, invented: 0 };
}

function add(one: Row, other: Row): Row {
  return {
    changes: one.changes + other.changes,
    told: one.told + other.told,
    missed: one.missed + other.missed,
    invented: one.invented + other.invented,
  };
}

/** An alert that was told twice is there twice. */
function count(drawn: readonly YearDay[], expected: readonly string[], told: readonly string[]): void {
  const faultOf = new Map(drawn.map(({ date, fault }) => [date, fault]));
  for (const { fault } of drawn) {
    const row = byFault.get(fault) ?? { ...noRow(), days: 0 };
    byFault.set(fault, { ...row, days: row.days + 1 });
  }
  for (const alert of new Set([...expected, ...told])) {
    const [kind = '', , date = ''] = alert.split(' ');
    const [changes, times] = [expected, told].map((list) => list.filter((one) => one === alert).length) as [
      number,
      number,
    ];
    const row = {
      changes,
      told: times,
      missed: Math.max(0, changes - times),
      invented: Math.max(0, times - changes),
    };
    byKind.set(kind, add(byKind.get(kind) ?? noRow(), row));
    const fault = faultOf.get(date) ?? 'none';
    const ofFault = byFault.get(fault) ?? { ...noRow(), days: 0 };
    byFault.set(fault, { ...add(ofFault, row), days: ofFault.days });
    if (row.missed + row.invented > 0) console.log(`${row.missed > 0 ? 'missed' : 'invented'}: ${alert}`);
  }
}

function print(head: string, rows: ReadonlyMap<string, Row & { days?: number }>, order: readonly string[]) {
  const names = order.filter((name) => rows.has(name));
  const cells = names.map((name) => {
    const row: Row & { days?: number } = rows.get(name) ?? noRow();
    const { days: ofFault, changes, told, missed, invented } = row;
    return [name, ...[ofFault ?? '', changes, told, missed, invented].map(String)];
  });
  console.log(`\n${formatTable([head, 'days', 'true changes', 'told', 'missed', 'invented'], cells)}\n`);
}
