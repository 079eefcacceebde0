import { checkAll, PartState, type PartStatus, worstState } from './status.ts';

const part = (state: PartStatus['state']): PartStatus => ({
  name: 'x',
  state,
  detail: '',
  is_embedded: false,
});

test('a part whose check fails is degraded, with the reason: only a check itself says that its process cannot work', async () => {
  const parts = await checkAll({
    fine: async () => part(PartState.OK),
    broken: async () => {
      throw new Error('connection refused');
    },
    unusable: async () => part(PartState.DOWN),
  });
  expect(parts.map(({ state }) => state)).toEqual([PartState.OK, PartState.DEGRADED, PartState.DOWN]);
  expect(parts[1]).toMatchObject({ name: 'broken', detail: 'connection refused' });
});

test('a slow check is degraded after 600 ms, so that one slow check makes no process unready', async () => {
  jest.useFakeTimers();
  const statuses = checkAll({
    fine: async () => part(PartState.OK),
    slow: () => new Promise(() => {}),
  });
  await jest.advanceTimersByTimeAsync(600);
  jest.useRealTimers();
  const parts = await statuses;
  expect(parts[1]).toMatchObject({ state: PartState.DEGRADED, detail: 'did not answer within 600 ms' });
  expect(worstState(parts)).toBe('degraded');
});

test('the overall state is that of the worst part', () => {
  expect(worstState([part(PartState.OK)])).toBe('ok');
  expect(worstState([part(PartState.OK), part(PartState.DEGRADED)])).toBe('degraded');
  expect(worstState([part(PartState.DEGRADED), part(PartState.DOWN)])).toBe('down');
});
