import { Agent, get } from 'node:http';
import { startOpenLoop } from './open-loop.ts';

/** Far longer than a busy machine needs. */
const giveUpMs = 30_000;

/**
 * Calls a page from an address of its own every `everyMs`, whether earlier calls are answered or not, until `stop`: what a
 * client notices while another one attacks. Times in ms; of a call without an answer until it failed.
 */
export function startOtherClient(options: { url: string; from: string; everyMs: number }) {
  const { url, from, everyMs } = options;
  const agent = new Agent({ keepAlive: true, localAddress: from });
  const times: number[] = [];
  let failed = 0;

  async function call(): Promise<void> {
    const sentAt = performance.now();
    const isAnswered = await new Promise<boolean>((resolve) => {
      const sent = get(url, { agent, timeout: giveUpMs }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode === 200));
      });
      sent.once('timeout', () => sent.destroy()).once('error', () => resolve(false));
    });
    if (!isAnswered) failed++;
    times.push(performance.now() - sentAt);
  }

  const loop = startOpenLoop(everyMs, call);
  return {
    async stop(): Promise<{ times: number[]; failed: number }> {
      await loop.stop();
      agent.destroy();
      return { times, failed };
    },
  };
}
