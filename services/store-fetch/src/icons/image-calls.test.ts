import { createGate } from '../../../../testing/gate.ts';
import { createImageCalls, imageBudget, maxRunning, maxWaiting } from './image-calls.ts';

/** Of a caller that stays. */
const stays = () => new AbortController().signal;
const tooMany = { code: 'STORE_FETCH_FAILED', message: expect.stringContaining('Too many icons') };

function create() {
  let at = Date.parse('2026-03-10T09:00:00Z');
  return {
    ...createImageCalls(() => new Date(at)),
    pass: (ms: number) => {
      at += ms;
    },
  };
}

/** Calls that run until `open`. */
function holdCalls({ run }: Pick<ReturnType<typeof create>, 'run'>, count: number) {
  const { opened, open } = createGate();
  const started: number[] = [];
  const done = Promise.all(
    Array.from({ length: count }, (_, index) =>
      run(stays(), async () => {
        started.push(index);
        await opened;
      }),
    ),
  );
  return { started, done, open };
}

test('few calls run at a time, the others in the order of arrival', async () => {
  const calls = holdCalls(create(), maxRunning + 3);
  await new Promise(setImmediate);
  expect(calls.started).toHaveLength(maxRunning);
  calls.open();
  await calls.done;
  expect(calls.started).toEqual(calls.started.toSorted((a, b) => a - b));
});

test('too many that wait are refused; who leaves makes room, and a failure frees its slot', async () => {
  const calls = create();
  const held = holdCalls(calls, maxRunning + maxWaiting - 1);
  const leaver = new AbortController();
  const left = calls.run(leaver.signal, async () => 'never');
  await expect(calls.run(stays(), async () => 1)).rejects.toMatchObject(tooMany);
  leaver.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const failing = calls.run(stays(), async () => {
    throw new Error('broken');
  });
  held.open();
  await expect(failing).rejects.toThrow('broken');
  await held.done;
  expect(await calls.run(stays(), async () => 2)).toBe(2);
});

test('a minute has no more calls than the budget', async () => {
  const { run, pass } = create();
  for (let call = 0; call < imageBudget.perMinute; call++) await run(stays(), async () => call);
  await expect(run(stays(), async () => 1)).rejects.toMatchObject(tooMany);
  pass(60_000 / imageBudget.perMinute);
  expect(await run(stays(), async () => 2)).toBe(2);
  await expect(run(stays(), async () => 3)).rejects.toMatchObject(tooMany);
});

test('a clock that is set back stops nothing', async () => {
  const { run, pass } = create();
  await run(stays(), async () => 1);
  pass(-24 * 3_600_000);
  expect(await run(stays(), async () => 2)).toBe(2);
});
