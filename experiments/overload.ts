import { startSystemProcess } from '../testing/system/system-process.ts';
import { describeOverload, judgeOverload, runOverload } from './faults/overload.ts';
import { createSpentRequests } from './faults/spent-requests.ts';
import { startBalancer } from './lib/balancer.ts';
import { createAccounts } from './lib/create-accounts.ts';
import { worstOutcome } from './lib/judge-on-machine.ts';
import { embeddedDatabaseUri } from './lib/open-embedded-database.ts';
import { readOptions } from './lib/options.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

readOptions(
  'npm run overload',
  `Three times the capacity, then half of it, for npm start: one process with everything in it. Takes about three minutes. Ends with 1 when
a goal is missed on a machine that was fast enough. npm run faults -- --only 15 does the same with every part in two processes.`,
  {},
);
const dataDir = temporaryFolder('overload');
const system = await startSystemProcess({ METRICS_PORT: '0', SHELFWISE_DATA_DIR: dataDir });
const balancer = startBalancer([system.url]);
try {
  const createKeys = async (count: number) =>
    (await createAccounts(embeddedDatabaseUri(dataDir), count)).map(({ key }) => key);
  const readMetrics = async () => {
    const response = await fetch(`${system.opsUrl}/metrics`);
    return new Map([['all-in-one', await response.text()]]);
  };
  const result = await runOverload({
    balancer,
    createKeys,
    readMetrics,
    spent: createSpentRequests(() => new Date()),
  });
  console.log(describeOverload(result));
  process.exitCode = worstOutcome(judgeOverload(result)) === 'missed' ? 1 : 0;
} finally {
  await balancer.stop();
  await system.end('SIGTERM');
}
process.exit();
