import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { type Account, visitsOfCycle } from '../../load-tests/k6/journey.ts';
import { prepareAccounts, warmUp } from '../../load-tests/lib/warm-up.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { createAccounts } from '../lib/create-accounts.ts';
import { embeddedDatabaseUri } from '../lib/open-embedded-database.ts';
import { readUsage } from '../lib/process-figures.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { defineTimes } from './define-times.ts';

/** The goal: how many times the CPU of warm calls the first cycle takes. */
const maxRatio = 2;

export const times = defineTimes({
  name: 'first-calls',
  question: 'What do the first 900 calls of a new process take, compared with those of a warm one?',
  // A fifth would send more messages than an account may in an hour.
  options: { cycles: [4, 'cycles of visits, of some 900 calls each', [2, 4]] },
  async run({ cycles }) {
    const dataDir = temporaryFolder('first-calls');
    const accounts = await fillDatabase(dataDir);
    const system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir });
    try {
      const rows: { calls: number; cpuMs: number }[] = [];
      for (let cycle = 0; cycle < cycles; cycle++) {
        const before = readUsage(system.pid).cpuMs;
        const { calls } = await warmUp([system.url], accounts);
        rows.push({ calls: calls.length, cpuMs: (readUsage(system.pid).cpuMs - before) / calls.length });
      }
      print(rows);
    } finally {
      await system.end('SIGTERM');
    }
  },
});

/** Another process makes the same visits first, so that the first calls of the new one find the same as the later ones. */
async function fillDatabase(dataDir: string): Promise<Account[]> {
  const system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir });
  try {
    const created = await createAccounts(embeddedDatabaseUri(dataDir), visitsOfCycle);
    const accounts = await prepareAccounts(
      [system.url],
      created.map(({ key }) => key),
    );
    await warmUp([system.url], accounts);
    return accounts;
  } finally {
    await system.end('SIGTERM');
  }
}

function print(rows: readonly { calls: number; cpuMs: number }[]): void {
  const warm = rows.at(-1)?.cpuMs ?? Number.NaN;
  const cells = rows.map(({ calls, cpuMs }, cycle) => [
    String(cycle + 1),
    String(calls),
    cpuMs.toFixed(1),
    `x${(cpuMs / warm).toFixed(2)}`,
  ]);
  console.log(formatTable(['cycle', 'calls', 'CPU ms a call', 'of the last cycle'], cells));
  const ratio = (rows[0]?.cpuMs ?? Number.NaN) / warm;
  console.log(`goal of at most ${maxRatio} times: ${ratio <= maxRatio ? 'reached' : 'MISSED'}`);
}
