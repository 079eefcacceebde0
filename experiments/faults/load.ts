import type { Answer, Balancer } from '../lib/balancer.ts';
import { startOpenLoop } from '../lib/open-loop.ts';
import type { Client } from './clients.ts';
import type { SeenCall } from './outages.ts';
import type { SpentRequests } from './spent-requests.ts';

/** One call of a client, after its end. */
export type CallRecord = SeenCall & Pick<Answer, 'status' | 'code'> & { client: Client; reason: string };

/** Makes the next call of a client. */
export async function callOnce(
  client: Client,
  { balancer, spent }: { balancer: Balancer; spent: SpentRequests },
): Promise<CallRecord> {
  const { call, cost, onAnswer } = client.next();
  const onSpent = spent.start(client.key, cost);
  const answer = await balancer.call({ ...call, key: client.key });
  onAnswer?.(answer);
  const { status, sentAt, ms } = answer;
  onSpent(status);
  // A keyword whose page was not read is an error among the results.
  const isRefused = answer.body?.data?.error_count > 0;
  const code = isRefused ? 'error of a keyword' : answer.code;
  const reason = String(answer.body?.error ?? code);
  return { client, status, code, reason, sentAt, ms, isGood: status === 200 && !isRefused };
}

/**
 * An open loop: each client makes a call every `everyMs`, whatever became of its last one. The clients begin one after another.
 */
export function startLoad(options: {
  balancer: Balancer;
  clients: readonly Client[];
  everyMs: number;
  /** Counts on from earlier loads. */
  spent: SpentRequests;
}) {
  const { clients, everyMs } = options;
  const records: CallRecord[] = [];
  const { stop } = startOpenLoop(everyMs / clients.length, async (index) => {
    records.push(await callOnce(clients[index % clients.length] as Client, options));
  });
  return { records, stop };
}
