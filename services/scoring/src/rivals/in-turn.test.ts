import { setImmediate as tick } from 'node:timers/promises';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { createInTurn } from './in-turn.ts';

test('lists of all kinds are made one at a time, and an account with many does not hold up another', async () => {
  const inTurn = createInTurn();
  const order: string[] = [];
  let running = 0;
  const handle = async (kind: string, { account_id: account }: { account_id: string }) => {
    running++;
    expect(running).toBe(1);
    await tick();
    running--;
    order.push(`${account} ${kind}`);
  };
  const [gap, ranked] = [inTurn(handle), inTurn(handle)];
  const call = { signal: new AbortController().signal } as CallContext;
  const ann = { account_id: 'ann' };
  await Promise.all([
    gap('gap 1', ann, call),
    gap('gap 2', ann, call),
    gap('gap 3', ann, call),
    ranked('ranked', { account_id: 'ben' }, call),
  ]);
  expect(order).toEqual(['ann gap 1', 'ben ranked', 'ann gap 2', 'ann gap 3']);
});
