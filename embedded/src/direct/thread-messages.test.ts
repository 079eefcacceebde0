import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { handOver, ownBytes } from './thread-messages.ts';

test.each([
  [10, 'copied', 10],
  [200_000, 'handed over', 0],
])('a message of %d bytes is %s', async (size, _, left) => {
  const { port1, port2 } = new MessageChannel();
  try {
    const bytes = ownBytes(Buffer.alloc(size, 7));
    const received = once(port2, 'message');
    port1.postMessage(bytes, handOver(bytes));
    expect(bytes.byteLength).toBe(left);
    const [message] = await received;
    expect(Buffer.from(message).equals(Buffer.alloc(size, 7))).toBe(true);
  } finally {
    port1.close();
  }
});
