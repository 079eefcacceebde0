import { createRequestTurns } from './request-turns.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a burst of requests starts in order, with a maximum in one turn of the event loop', async () => {
  const turns = createRequestTurns(10);
  const started: number[] = [];
  for (let number = 0; number < 25; number++) turns.start(() => started.push(number));
  expect(started).toHaveLength(10);
  await nextTurn();
  expect(started).toHaveLength(20);
  turns.start(() => started.push(25));
  expect(started).toHaveLength(20);
  await nextTurn();
  expect(started).toEqual(Array.from({ length: 26 }, (_, number) => number));
});

test('requests of different turns start at once', async () => {
  const turns = createRequestTurns(1);
  for (let turn = 0; turn < 3; turn++) {
    let isStarted = false;
    turns.start(() => {
      isStarted = true;
    });
    expect(isStarted).toBe(true);
    await nextTurn();
  }
});
