import { setMaxListeners } from 'node:events';
import { createManualTimers } from '../../../testing/manual-timers.ts';
import { createCallQueue, QueueError } from './call-queue.ts';

const signal = new AbortController().signal;
setMaxListeners(100, signal);

describe('the calls of one key', () => {
  it('are sent at most 5 in a second and 59 in a minute, in their order', async () => {
    const clock = createManualTimers();
    const queue = createCallQueue(clock);
    const sent: { index: number; at: number }[] = [];
    const send = async (index: number) => {
      const end = await queue.takeSlot({ signal });
      sent.push({ index, at: clock.nowMs() });
      end();
    };
    const indexes = Array.from({ length: 64 }, (_, index) => index);
    for (const index of indexes.slice(0, 59)) void send(index);
    await clock.advance(54_000);
    // These wait until the window of the first ones is over.
    for (const index of indexes.slice(59)) void send(index);
    await clock.advance(10_000);
    expect(sent.map(({ index }) => index)).toEqual(indexes);
    expect(mostWithin(sent, 1000)).toBe(5);
    expect(mostWithin(sent, 60_000)).toBe(59);
  });

  it('are at most 16 in progress', async () => {
    const clock = createManualTimers();
    const queue = createCallQueue(clock);
    const ends: (() => void)[] = [];
    for (let index = 0; index < 20; index++) void queue.takeSlot({ signal }).then((end) => ends.push(end));
    await clock.advance(30_000);
    expect(ends).toHaveLength(16);
    ends[0]?.();
    await clock.advance(2000);
    expect(ends).toHaveLength(17);
  });

  it('are refused with 64 waiting', async () => {
    const clock = createManualTimers();
    const queue = createCallQueue(clock);
    for (let index = 0; index < 5 + 64; index++) queue.takeSlot({ signal }).catch(() => {});
    await expect(queue.takeSlot({ signal })).rejects.toThrow(/64 calls of this key are waiting/);
    const again = queue.takeSlot({ signal, repeated: { waitedMs: 0 } });
    await expect(Promise.race([again, 'waits'])).resolves.toBe('waits');
  });

  it('are refused after 55 seconds of waiting', async () => {
    const clock = createManualTimers();
    const queue = createCallQueue(clock);
    queue.pause(120_000);
    const refused = queue.takeSlot({ signal }).catch((error: unknown) => error);
    await clock.advance(54_999);
    await expect(Promise.race([refused, 'waits'])).resolves.toBe('waits');
    await clock.advance(1);
    const error = await refused;
    expect(error).toBeInstanceOf(QueueError);
    expect(String(error)).toMatch(/waited 55 seconds .* and was not made/);
    expect(queue.isIdle()).toBe(true);
  });

  it('leave the queue when they are cancelled', async () => {
    const clock = createManualTimers();
    const queue = createCallQueue(clock);
    queue.pause(1000);
    const cancelled = new AbortController();
    const refused = expect(queue.takeSlot({ signal: cancelled.signal })).rejects.toThrow('not needed');
    const next = queue.takeSlot({ signal });
    cancelled.abort(new Error('not needed'));
    await refused;
    await clock.advance(1000);
    (await next)();
  });

  it('wait as long as the API asks, and the call that is made again goes first', async () => {
    const clock = createManualTimers();
    const queue = createCallQueue(clock);
    const order: string[] = [];
    queue.pause(3000);
    const take = async (name: string, repeated: { waitedMs: number } | null) => {
      const end = await queue.takeSlot({ signal, repeated });
      order.push(name);
      end();
    };
    const first = take('new', null);
    const again = take('again', { waitedMs: 100 });
    await clock.advance(2999);
    expect(order).toEqual([]);
    await clock.advance(1);
    await Promise.all([first, again]);
    expect(order).toEqual(['again', 'new']);
  });
});

/** The most calls in any window of that length. */
function mostWithin(sent: readonly { at: number }[], ms: number): number {
  return Math.max(
    ...sent.map(({ at }) => sent.filter((other) => other.at >= at && other.at < at + ms).length),
  );
}
