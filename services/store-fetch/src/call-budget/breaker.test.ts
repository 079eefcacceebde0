import { createFakeClock } from '../../test/fake-clock.ts';
import { StoreFailure, type StoreFailureKind } from '../store-failure.ts';
import { createBreaker } from './breaker.ts';
import { createBreakers } from './breakers.ts';

const failure = (kind: StoreFailureKind = 'error') => new StoreFailure(kind, `failed (${kind})`);

function start() {
  const clock = createFakeClock();
  const breaker = createBreaker(clock.now);
  const fail = (...kinds: StoreFailureKind[]) => {
    for (const kind of kinds) breaker.startCall().fail(failure(kind));
  };
  const isOpen = () => breaker.usableAtMs() > clock.now().getTime();
  return { clock, breaker, fail, isOpen };
}

test('five failures in a row open the breaker; a success in between restarts the count', () => {
  const { breaker, fail, isOpen } = start();
  fail('error', 'timeout', 'malformed', 'unreachable');
  breaker.startCall().succeed();
  fail('error', 'error', 'error', 'error');
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
});

test.each([['blocked'], ['captcha']] as const)('two %s in a row open the breaker', (kind) => {
  const { fail, isOpen } = start();
  fail(kind, 'error', kind);
  expect(isOpen()).toBe(false);
  fail(kind);
  expect(isOpen()).toBe(true);
});

test('an abandoned call counts neither as a success nor as a failure', () => {
  const { breaker, fail, isOpen } = start();
  fail('error', 'error', 'error', 'error');
  breaker.startCall().abandon();
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
});

test('after 15 s the breaker lets a single probe through, and the success of the probe closes it', async () => {
  const { clock, breaker, fail, isOpen } = start();
  fail('blocked', 'blocked');
  await clock.advance(14_999);
  expect(isOpen()).toBe(true);
  await clock.advance(1);
  expect(isOpen()).toBe(false);
  const probe = breaker.startCall();
  expect(breaker.usableAtMs()).toBe(Number.POSITIVE_INFINITY);
  probe.succeed();
  expect(breaker.usableAtMs()).toBe(0);
  expect(breaker.openState()).toBeNull();
});

test('each failed probe doubles the open time, up to a minute', async () => {
  const { clock, breaker, fail } = start();
  fail('blocked', 'blocked');
  for (const openMs of [15_000, 30_000, 60_000, 60_000]) {
    expect(breaker.usableAtMs() - clock.now().getTime()).toBe(openMs);
    await clock.advance(openMs);
    breaker.startCall().fail(failure());
  }
});

test('a breaker that has closed starts over: five failures to open, 15 s open', async () => {
  const { clock, breaker, fail, isOpen } = start();
  fail('blocked', 'blocked');
  await clock.advance(15_000);
  breaker.startCall().fail(failure());
  await clock.advance(30_000);
  breaker.startCall().succeed();
  fail('error', 'error', 'error', 'error');
  expect(isOpen()).toBe(false);
  fail('error');
  expect(breaker.usableAtMs() - clock.now().getTime()).toBe(15_000);
});

test('after an abandoned probe the next call is the probe', async () => {
  const { clock, breaker, fail, isOpen } = start();
  fail('blocked', 'blocked');
  await clock.advance(15_000);
  breaker.startCall().abandon();
  expect(isOpen()).toBe(false);
});

test('setting the clock back does not extend the open time', async () => {
  const { clock, breaker, fail, isOpen } = start();
  fail('blocked', 'blocked');
  clock.setBack(3_600_000);
  expect(breaker.openState()?.until).toEqual(new Date(clock.now().getTime() + 15_000));
  await clock.advance(14_999);
  expect(isOpen()).toBe(true);
  await clock.advance(1);
  expect(isOpen()).toBe(false);
});

test('calls that started before the breaker opened do not change it when they end', async () => {
  const { clock, breaker, fail } = start();
  const [early, late] = [breaker.startCall(), breaker.startCall()];
  fail('blocked', 'blocked');
  const until = breaker.usableAtMs();
  early.succeed();
  late.fail(failure());
  expect(breaker.usableAtMs()).toBe(until);
  await clock.advance(15_000);
  const probe = breaker.startCall();
  early.succeed();
  expect(breaker.usableAtMs()).toBe(Number.POSITIVE_INFINITY);
  probe.succeed();
  expect(breaker.usableAtMs()).toBe(0);
});

test('an endpoint is refused only when its breaker is open on every address; the failure says until when and why', async () => {
  const clock = createFakeClock('2026-11-21T12:04:00.200Z');
  const direct = { label: 'direct', dispatcher: undefined };
  const proxy = { label: 'proxy', dispatcher: undefined };
  const breakers = createBreakers([direct, proxy], clock.now);
  const block = (address: typeof direct) => {
    for (let i = 0; i < 2; i++)
      breakers
        .get('itunes-search', address)
        .startCall()
        .fail(new StoreFailure('blocked', 'refused the call (HTTP 403)'));
  };
  block(proxy);
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
  expect(breakers.circuitOpenFailure('itunes-search', [proxy])?.kind).toBe('circuit_open');
  await clock.advance(5000);
  block(direct);
  expect(breakers.circuitOpenFailure('itunes-search')?.message).toBe(
    'is not called until 12:04:16 UTC: the last 2 calls failed, most recently because it refused the call (HTTP 403)',
  );
  expect(breakers.circuitOpenFailure('itunes-lookup')).toBeNull();
  await clock.advance(10_000);
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
  const probe = breakers.get('itunes-search', proxy).startCall();
  expect(breakers.circuitOpenFailure('itunes-search')?.message).toContain('is not called until 12:04:21 UTC');
  probe.succeed();
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
});
