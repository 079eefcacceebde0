/**
 * Keeps a server busy, in a process of its own: each connection sends its next request as soon as the last one is answered. Plain
 * sockets cost less than what they call. An order is a message of the parent process; its counts go back.
 */
import { connect } from 'node:net';
import { createAnswerReader } from './answer-reader.ts';

export type SaturateOrder = {
  port: number;
  /** whole requests of HTTP/1.1, one after another, again and again */
  requests: string[];
  connections: number;
  ms: number;
};

/** `ms`: from the first request to the last answer. */
export type SaturateCounts = { answered: number; failed: number; ms: number };

async function run({ port, requests, connections, ms }: SaturateOrder): Promise<SaturateCounts> {
  const counts: SaturateCounts = { answered: 0, failed: 0, ms: 0 };
  const startedAt = performance.now();
  let next = 0;
  const useConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const send = () => socket.write(requests[next++ % requests.length] as string);
      const isWhole = createAnswerReader((status) => {
        if (status === '200') counts.answered++;
        else counts.failed++;
      });
      socket.setNoDelay(true).once('connect', send).once('error', reject).once('close', resolve);
      socket.on('data', (chunk) => {
        if (!isWhole(chunk)) return;
        if (performance.now() - startedAt < ms) send();
        else socket.end();
      });
    });
  await Promise.all(Array.from({ length: connections }, useConnection));
  counts.ms = performance.now() - startedAt;
  return counts;
}

process.on('message', (order: SaturateOrder) => {
  run(order).then(
    (counts) => process.send?.(counts),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit(0));
