import { createFakeClock } from '../../test/fake-clock.ts';
import { StoreFailure, type StoreFailureKind } from '../sources/store-failure.ts';
import { createBreaker } from './breaker.ts';
import { createBreakers } from './breakers.ts';

const failure = (kind: StoreFailureKind = 'error') => new StoreFailure(kind, `failed (${kind})`);

function open() {
  const clock = createFakeClock();
  const breaker = createBreaker(clock.now);
  const fail = (...kinds: StoreFailureKind[]) => {
    for (const kind of kinds) breaker.enter().fail(failure(kind));
  };
  const isOpen = () => breaker.usableAtMs() > clock.now().getTime();
  return { clock, breaker, fail, isOpen };
}

test('five failures in a row open it, a success among them does not', () => {
  const { breaker, fail, isOpen } = open();
  fail('error', 'silence', 'garbage', 'unreachable');
  breaker.enter().succeed();
  fail('error', 'error', 'error', 'error');
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
});

test.each([['blocked'], ['captcha']] as const)('two %s in a row open it', (kind) => {
  const { fail, isOpen } = open();
  fail(kind, 'error', kind);
  expect(isOpen()).toBe(false);
  fail(kind);
  expect(isOpen()).toBe(true);
});

test('a call that was given up counts neither way', () => {
  const { breaker, fail, isOpen } = open();
  fail('error', 'error', 'error', 'error');
  breaker.enter().leave();
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
});

test('after 15 s one call finds out; while it does, nobody else gets through; its success closes', async () => {
  const { clock, breaker, fail, isOpen } = open();
  fail('blocked', 'blocked');
  await clock.advance(14_999);
  expect(isOpen()).toBe(true);
  await clock.advance(1);
  expect(isOpen()).toBe(false);
  const probe = breaker.enter();
  expect(breaker.usableAtMs()).toBe(Number.POSITIVE_INFINITY);
  probe.succeed();
  expect(breaker.usableAtMs()).toBe(0);
  expect(breaker.rest()).toBeNull();
});

test('each failure of the call that finds out doubles the rest, up to a minute', async () => {
  const { clock, breaker, fail } = open();
  fail('blocked', 'blocked');
  for (const rest of [15_000, 30_000, 60_000, 60_000]) {
    expect(breaker.usableAtMs() - clock.now().getTime()).toBe(rest);
    await clock.advance(rest);
    breaker.enter().fail(failure());
  }
});

test('once closed it begins anew: five failures, 15 s', async () => {
  const { clock, breaker, fail, isOpen } = open();
  fail('blocked', 'blocked');
  await clock.advance(15_000);
  breaker.enter().fail(failure());
  await clock.advance(30_000);
  breaker.enter().succeed();
  fail('error', 'error', 'error', 'error');
  expect(isOpen()).toBe(false);
  fail('error');
  expect(breaker.usableAtMs() - clock.now().getTime()).toBe(15_000);
});

test('a finding call that is given up leaves the question to the next one', async () => {
  const { clock, breaker, fail, isOpen } = open();
  fail('blocked', 'blocked');
  await clock.advance(15_000);
  breaker.enter().leave();
  expect(isOpen()).toBe(false);
});

test('a clock that is set back while it rests makes no rest longer than it was to be', async () => {
  const { clock, breaker, fail, isOpen } = open();
  fail('blocked', 'blocked');
  clock.setBack(3_600_000);
  expect(breaker.rest()?.until).toEqual(new Date(clock.now().getTime() + 15_000));
  await clock.advance(14_999);
  expect(isOpen()).toBe(true);
  await clock.advance(1);
  expect(isOpen()).toBe(false);
});

test('calls that were under way when it opened change nothing when they end', async () => {
  const { clock, breaker, fail } = open();
  const [early, late] = [breaker.enter(), breaker.enter()];
  fail('blocked', 'blocked');
  const until = breaker.usableAtMs();
  early.succeed();
  late.fail(failure());
  expect(breaker.usableAtMs()).toBe(until);
  await clock.advance(15_000);
  const probe = breaker.enter();
  early.succeed();
  expect(breaker.usableAtMs()).toBe(Number.POSITIVE_INFINITY);
  probe.succeed();
  expect(breaker.usableAtMs()).toBe(0);
});

test('an endpoint rests only when it rests on every address; it is told until when and why', async () => {
  const clock = createFakeClock('2026-11-21T12:04:00.200Z');
  const direct = { label: 'direct', dispatcher: undefined };
  const proxy = { label: 'proxy', dispatcher: undefined };
  const breakers = createBreakers([direct, proxy], clock.now);
  const block = (address: typeof direct) => {
    for (let i = 0; i < 2; i++)
      breakers
        .of('itunes-search', address)
        .enter()
        .fail(new StoreFailure('blocked', 'refused the call (HTTP 403)'));
  };
  block(proxy);
  expect(breakers.restingOn('itunes-search')).toBeNull();
  expect(breakers.restingOn('itunes-search', [proxy])?.kind).toBe('resting');
  await clock.advance(5000);
  block(direct);
  expect(breakers.restingOn('itunes-search')?.message).toBe(
    'is not asked until 12:04:16 UTC: the last 2 calls failed, the last of them refused the call (HTTP 403)',
  );
  expect(breakers.restingOn('itunes-lookup')).toBeNull();
  await clock.advance(10_000);
  expect(breakers.restingOn('itunes-search')).toBeNull();
  const probe = breakers.of('itunes-search', proxy).enter();
  expect(breakers.restingOn('itunes-search')?.message).toContain('is not asked until 12:04:21 UTC');
  probe.succeed();
  expect(breakers.restingOn('itunes-search')).toBeNull();
});
