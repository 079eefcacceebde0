import { createKeyQueues } from './key-queues.ts';

function manualClock() {
  let now = 0;
  const advance = (ms: number) => {
    now += ms;
  };
  return { clock: { nowMs: () => now, after: () => () => {} }, advance };
}

const options = { signal: new AbortController().signal };

test('all requests of a key share its queue, and keys do not share one', () => {
  const queueOf = createKeyQueues(manualClock().clock);
  expect(queueOf('a')).toBe(queueOf('a'));
  expect(queueOf('a')).not.toBe(queueOf('b'));
});

test('queues that count nothing are dropped when there are many', async () => {
  const { clock, advance } = manualClock();
  const queueOf = createKeyQueues(clock);
  const idle = queueOf('idle');
  const used = queueOf('used');
  const end = await used.takeSlot(options);
  advance(120_000);
  for (let index = 0; index < 1000; index++) queueOf(`key ${index}`);
  expect(queueOf('used')).toBe(used);
  expect(queueOf('idle')).not.toBe(idle);
  end();
});
