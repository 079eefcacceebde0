import { createFakeClock } from '../../test/fake-clock.ts';
import { StoreFailure, type StoreFailureKind } from '../sources/store-failure.ts';
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

test('five failures in a row open it, a success among them does not', () => {
  const { breaker, fail, isOpen } = start();
  fail('error', 'timeout', 'malformed', 'unreachable');
  breaker.startCall().succeed();
  fail('error', 'error', 'error', 'error');
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
});

test.each([['blocked'], ['captcha']] as const)('two %s in a row open it', (kind) => {
  const { fail, isOpen } = start();
  fail(kind, 'error', kind);
  expect(isOpen()).toBe(false);
  fail(kind);
  expect(isOpen()).toBe(true);
});

test('a call that was given up counts neither way', () => {
  const { breaker, fail, isOpen } = start();
  fail('error', 'error', 'error', 'error');
  breaker.startCall().abandon();
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
});

test('after 15 s one probe is let through, and no other call with it; its success closes the breaker', async () => {
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

test('once closed it starts again: five failures, 15 s', async () => {
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

test('an abandoned probe leaves the check to the next call', async () => {
  const { clock, breaker, fail, isOpen } = start();
  fail('blocked', 'blocked');
  await clock.advance(15_000);
  breaker.startCall().abandon();
  expect(isOpen()).toBe(false);
});

test('a clock that is set back while it is open makes the open time no longer', async () => {
  const { clock, breaker, fail, isOpen } = start();
  fail('blocked', 'blocked');
  clock.setBack(3_600_000);
  expect(breaker.openState()?.until).toEqual(new Date(clock.now().getTime() + 15_000));
  await clock.advance(14_999);
  expect(isOpen()).toBe(true);
  await clock.advance(1);
  expect(isOpen()).toBe(false);
});

test('calls that were under way when it opened change nothing when they end', async () => {
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
    'is not asked until 12:04:16 UTC: the last 2 calls failed, the last of them refused the call (HTTP 403)',
  );
  expect(breakers.circuitOpenFailure('itunes-lookup')).toBeNull();
  await clock.advance(10_000);
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
  const probe = breakers.get('itunes-search', proxy).startCall();
  expect(breakers.circuitOpenFailure('itunes-search')?.message).toContain('is not asked until 12:04:21 UTC');
  probe.succeed();
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
});
