import { checkAll, PartState, type PartStatus, worstState } from './status.ts';

const part = (state: PartStatus['state']): PartStatus => ({
  name: 'x',
  state,
  detail: '',
  is_embedded: false,
});

test('a part whose check fails is down, with the reason', async () => {
  const parts = await checkAll({
    fine: async () => part(PartState.OK),
    broken: async () => {
      throw new Error('connection refused');
    },
  });
  expect(parts.map(({ state }) => state)).toEqual([PartState.OK, PartState.DOWN]);
  expect(parts[1]).toMatchObject({ name: 'broken', detail: 'connection refused' });
});

test('a part that does not answer within a second is down', async () => {
  jest.useFakeTimers();
  const statuses = checkAll({ silent: () => new Promise(() => {}) });
  await jest.advanceTimersByTimeAsync(1000);
  expect((await statuses)[0]).toMatchObject({
    state: PartState.DOWN,
    detail: 'did not answer within a second',
  });
  jest.useRealTimers();
});

test('the overall state is that of the worst part', () => {
  expect(worstState([part(PartState.OK)])).toBe('ok');
  expect(worstState([part(PartState.OK), part(PartState.DEGRADED)])).toBe('degraded');
  expect(worstState([part(PartState.DEGRADED), part(PartState.DOWN)])).toBe('down');
});
