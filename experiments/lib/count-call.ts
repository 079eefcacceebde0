import type { CountingTracing } from './counting-tracing.ts';

const quietMs = 400;
const rounds = 3;

/** Commands of the database and RPCs until the answer. */
export type CallCost = { commands: number; rpcs: number };

/** The least of some rounds: what happens to run at the same time only adds to it. */
export async function countCall(counting: CountingTracing, call: () => Promise<void>): Promise<CallCost> {
  const costs: CallCost[] = [];
  for (let round = 0; round < rounds; round++) {
    await counting.untilQuiet(quietMs);
    counting.take();
    await call();
    await counting.untilQuiet(quietMs);
    const { commands, rpcs } = counting.take();
    costs.push({ commands: commands.call, rpcs });
  }
  const least = (name: keyof CallCost) => Math.min(...costs.map((cost) => cost[name]));
  return { commands: least('commands'), rpcs: least('rpcs') };
}
