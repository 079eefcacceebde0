import { PartState, type PartStatus } from '@shelfwise/runtime/process/status';
import { createReadiness, type Readiness } from './readiness.ts';

const database = (state: PartStatus['state']): PartStatus => ({
  name: 'database',
  state,
  detail: '',
  is_embedded: false,
});

/** A gateway with one service, whose status calls are counted. */
function createProbe(check: () => Promise<PartStatus> = async () => database(PartState.OK)) {
  const probe = {
    nowMs: 0,
    calls: 0,
    isDraining: false,
    /** How the service answers. */
    answer: async () => ({ parts: [database(PartState.OK)] }),
    readReadiness: async (): Promise<Pick<Readiness, 'status' | 'services'>> => ({
      status: 'down',
      services: {},
    }),
  };
  const status = {
    getStatus: () => {
      probe.calls += 1;
      return probe.answer();
    },
  };
  probe.readReadiness = createReadiness({
    checks: { database: check },
    services: { tracking: status } as unknown as Parameters<typeof createReadiness>[0]['services'],
    settings: {},
    isDraining: () => probe.isDraining,
    monotonicMs: () => probe.nowMs,
  });
  return probe;
}

test('many page views within a second ask each service once, and a drain shows at once', async () => {
  const probe = createProbe();
  for (let view = 0; view < 50; view++) expect((await probe.readReadiness()).status).toBe('ready');
  expect(probe.calls).toBe(1);
  probe.isDraining = true;
  expect((await probe.readReadiness()).status).toBe('draining');
  probe.isDraining = false;
  probe.nowMs = 1000;
  await probe.readReadiness();
  expect(probe.calls).toBe(2);
});

test('a frozen service does not hold up the page', async () => {
  const probe = createProbe();
  await probe.readReadiness();
  const tracking = async () => (await probe.readReadiness()).services.tracking?.map(({ state }) => state);
  let fail = (_: Error) => {};
  const frozen = new Promise<never>((_, reject) => {
    fail = reject;
  });
  probe.answer = () => frozen;
  probe.nowMs = 1000;
  expect(await tracking()).toEqual(['ok']);
  fail(new Error('the deadline has passed'));
  await frozen.catch(() => {});
  probe.answer = () => new Promise(() => {});
  probe.nowMs = 2000;
  expect(await tracking()).toEqual(['down']);
});

test('a slow check of the own database leaves the gateway ready for calls', async () => {
  jest.useFakeTimers();
  const reading = createProbe(() => new Promise(() => {})).readReadiness();
  await jest.advanceTimersByTimeAsync(600);
  jest.useRealTimers();
  expect((await reading).status).toBe('degraded');
});
