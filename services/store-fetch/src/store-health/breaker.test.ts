import fc from 'fast-check';
import { createFakeClock } from '../../test/fake-clock.ts';
import { questionAbout } from '../../test/question-about.ts';
import { createBreaker } from './breaker.ts';
import { createBreakers } from './breakers.ts';
import { StoreFailure, type StoreFailureKind } from './store-failure.ts';

/** Each call asks another question unless it says which. */
let calls = 0;

const failure = (kind: StoreFailureKind = 'error') => new StoreFailure(kind, `failed (${kind})`);

function start() {
  const clock = createFakeClock();
  const breaker = createBreaker(clock.now);
  const startCall = () => breaker.startCall(questionAbout(`call ${calls++}`));
  const fail = (...kinds: StoreFailureKind[]) => {
    for (const kind of kinds) startCall().fail(failure(kind));
  };
  const isOpen = () => breaker.usableAtMs() > clock.now().getTime();
  return { clock, breaker, startCall, fail, isOpen };
}

test('four failures in a row open the breaker in doubt, a fifth ends the doubt; a success in between restarts the count', () => {
  const { breaker, fail, isOpen, startCall } = start();
  fail('error', 'timeout', 'unreachable');
  startCall().succeed();
  fail('error', 'error', 'error');
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
  expect(breaker.isInDoubt()).toBe(true);
  fail('error');
  expect(isOpen()).toBe(true);
  expect(breaker.isInDoubt()).toBe(false);
});

test.each(['blocked', 'captcha'] as const)(
  'one %s opens the breaker in doubt, a second ends the doubt',
  (kind) => {
    const { breaker, fail, isOpen } = start();
    for (const isInDoubt of [true, false]) {
      fail(kind);
      expect(isOpen()).toBe(true);
      expect(breaker.isInDoubt()).toBe(isInDoubt);
    }
  },
);

test('an abandoned call counts neither as a success nor as a failure', () => {
  const { fail, isOpen, startCall } = start();
  fail('error', 'error', 'error');
  startCall().abandon();
  expect(isOpen()).toBe(false);
  fail('error');
  expect(isOpen()).toBe(true);
});

test('after 15 s the breaker lets a single probe through, and the success of the probe closes it', async () => {
  const { clock, breaker, fail, isOpen, startCall } = start();
  fail('blocked', 'blocked');
  await clock.advance(14_999);
  expect(isOpen()).toBe(true);
  await clock.advance(1);
  expect(isOpen()).toBe(false);
  const probe = startCall();
  expect(breaker.usableAtMs()).toBe(Number.POSITIVE_INFINITY);
  probe.succeed();
  expect(breaker.usableAtMs()).toBe(0);
  expect(breaker.openState()).toBeNull();
});

test('each failed probe doubles the open time, up to a minute', async () => {
  const { clock, breaker, fail, startCall } = start();
  fail('blocked', 'blocked');
  for (const openMs of [15_000, 30_000, 60_000, 60_000]) {
    expect(breaker.usableAtMs() - clock.now().getTime()).toBe(openMs);
    await clock.advance(openMs);
    startCall().fail(failure());
  }
});

test('a breaker that has closed starts over: four failures to open, 15 s open', async () => {
  const { clock, breaker, fail, isOpen, startCall } = start();
  fail('blocked', 'blocked');
  await clock.advance(15_000);
  startCall().fail(failure());
  await clock.advance(30_000);
  startCall().succeed();
  fail('error', 'error', 'error');
  expect(isOpen()).toBe(false);
  fail('error');
  expect(breaker.usableAtMs() - clock.now().getTime()).toBe(15_000);
});

test('after an abandoned probe the next call is the probe', async () => {
  const { clock, fail, isOpen, startCall } = start();
  fail('blocked', 'blocked');
  await clock.advance(15_000);
  startCall().abandon();
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
  const { clock, breaker, fail, startCall } = start();
  const [early, late] = [startCall(), startCall()];
  fail('blocked', 'blocked');
  const until = breaker.usableAtMs();
  early.succeed();
  late.fail(failure());
  expect(breaker.usableAtMs()).toBe(until);
  await clock.advance(15_000);
  const probe = startCall();
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
        .startCall(questionAbout(`call ${calls++}`))
        .fail(new StoreFailure('blocked', 'refused the call (HTTP 403)'));
  };
  block(proxy);
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
  expect(breakers.circuitOpenFailure('itunes-search', { candidates: [proxy] })?.kind).toBe('circuit_open');
  await clock.advance(5000);
  block(direct);
  expect(breakers.circuitOpenFailure('itunes-search')?.message).toBe(
    'is not called until 12:04:16 UTC: the last 2 calls failed, most recently because it refused the call (HTTP 403)',
  );
  expect(breakers.circuitOpenFailure('itunes-lookup')).toBeNull();
  await clock.advance(10_000);
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
  const probe = breakers.get('itunes-search', proxy).startCall(questionAbout(`call ${calls++}`));
  expect(breakers.circuitOpenFailure('itunes-search')?.message).toContain('is not called until 12:04:21 UTC');
  probe.succeed();
  expect(breakers.circuitOpenFailure('itunes-search')).toBeNull();
});

describe('lasting failures that may concern only an item', () => {
  const unreadable = failure('malformed');
  const badRequest = new StoreFailure('error', 'answered with an error (HTTP 400)', { isPermanent: true });
  const failFor = (breaker: ReturnType<typeof start>['breaker'], items: string[], why = unreadable) =>
    breaker.startCall(questionAbout(...items)).fail(why);

  test.each([
    ['malformed', unreadable],
    ['a lasting 4xx', badRequest],
  ])('any number of them for one item leaves the breaker closed: %s', (_name, why) => {
    const { breaker, isOpen } = start();
    for (let i = 0; i < 50; i++) failFor(breaker, ['1'], why);
    expect(isOpen()).toBe(false);
  });

  test('three different questions open the breaker with their fifth failure', () => {
    const { breaker, isOpen } = start();
    for (const item of ['1', '1', '2', '2']) failFor(breaker, [item]);
    expect(isOpen()).toBe(false);
    failFor(breaker, ['3']);
    expect(isOpen()).toBe(true);
    expect(breaker.openState()).toMatchObject({ failures: 5, lastFailure: { kind: 'malformed' } });
  });

  test('batches with a common item are one question', () => {
    const { breaker, isOpen } = start();
    for (const other of ['1', '2', '3', '4', '5', '6']) failFor(breaker, ['broken', other]);
    expect(isOpen()).toBe(false);
    for (const item of ['7', '8']) failFor(breaker, [item]);
    expect(isOpen()).toBe(true);
  });

  test('a success of another question in between restarts the count', () => {
    const { breaker, isOpen } = start();
    for (const item of ['1', '2', '1', '2']) failFor(breaker, [item]);
    breaker.startCall(questionAbout('4')).succeed();
    for (const item of ['3', '1', '3', '1', '3', '1']) failFor(breaker, [item]);
    expect(isOpen()).toBe(false);
  });

  test.each(['timeout', 'unreachable', 'error'] as const)('%s counts at once, for any question', (kind) => {
    const { breaker, isOpen } = start();
    failFor(breaker, ['1']);
    for (let i = 0; i < 3; i++) failFor(breaker, ['1'], failure(kind));
    expect(isOpen()).toBe(false);
    failFor(breaker, ['1'], failure(kind));
    expect(isOpen()).toBe(true);
  });

  test('one of them as the outcome of a probe neither closes nor opens the breaker; another question probes next', async () => {
    const { breaker, clock, fail, isOpen } = start();
    fail('blocked', 'blocked');
    await clock.advance(15_000);
    failFor(breaker, ['1']);
    expect(breaker.openState()).toMatchObject({ lastFailure: { kind: 'blocked' } });
    expect(breaker.usableAtMs(questionAbout('1'))).toBeGreaterThan(clock.now().getTime());
    expect(isOpen()).toBe(false);
    failFor(breaker, ['2']);
    expect(isOpen()).toBe(false);
    failFor(breaker, ['3']);
    expect(breaker.usableAtMs() - clock.now().getTime()).toBe(30_000);
  });
});

describe('a question that has failed', () => {
  test.each([
    ['timeout', 60_000],
    ['blocked', 60_000],
    ['malformed', 300_000],
  ] as const)('with %s is no probe for %i ms, and any other question is', async (kind, barredMs) => {
    const { breaker, clock } = start();
    const failed = questionAbout('failed', 'other item');
    breaker.startCall(failed).fail(failure(kind));
    for (const item of ['1', '2', '3', '4', '5'])
      if (breaker.usableAtMs() === 0 || breaker.isInDoubt())
        breaker.startCall(questionAbout(item)).fail(failure(kind));
    const isUsable = (items: string[]) =>
      breaker.usableAtMs(questionAbout(...items)) <= clock.now().getTime();
    expect(isUsable(['new'])).toBe(false);
    await clock.advance(15_000);
    expect(isUsable(['new'])).toBe(true);
    expect(isUsable(['failed'])).toBe(false);
    expect(isUsable(['new', 'other item'])).toBe(false);
    await clock.advance(barredMs - 15_000 - 1);
    expect(isUsable(['failed'])).toBe(false);
    await clock.advance(1);
    expect(isUsable(['failed'])).toBe(true);
  });

  test('is as good as any other once a call has succeeded', async () => {
    const { breaker, clock, fail } = start();
    const failed = questionAbout('failed');
    breaker.startCall(failed).fail(failure('blocked'));
    fail('blocked');
    await clock.advance(15_000);
    breaker.startCall(questionAbout('another')).succeed();
    expect(breaker.usableAtMs(failed)).toBe(0);
  });

  test('is no probe either when its call started before the breaker opened', async () => {
    const { breaker, clock, fail } = start();
    const late = breaker.startCall(questionAbout('late'));
    fail('blocked', 'blocked');
    late.fail(failure('timeout'));
    await clock.advance(15_000);
    expect(breaker.usableAtMs(questionAbout('late'))).toBeGreaterThan(clock.now().getTime());
    expect(breaker.usableAtMs()).toBeLessThanOrEqual(clock.now().getTime());
  });

  test('is a probe again in time when the clock is set back', async () => {
    const { breaker, clock, fail } = start();
    breaker.startCall(questionAbout('failed')).fail(failure('malformed'));
    fail('blocked', 'blocked');
    clock.setBack(3_600_000);
    expect(breaker.openState()).toMatchObject({ failures: 2 });
    await clock.advance(15_000);
    expect(breaker.usableAtMs(questionAbout('failed'))).toBeLessThanOrEqual(clock.now().getTime());
  });
});

const anItem = fc.constantFrom('1', '2', '3', '4');
const anOutcome = fc.constantFrom('ok', 'malformed', 'timeout', 'blocked', 'abandoned');
const aStep = fc.record({
  item: anItem,
  outcome: anOutcome,
  isAnswered: fc.boolean(),
  waitMs: fc.constantFrom(0, 1000, 15_000, 60_000, 300_000),
});

/** Makes the calls that the breaker lets through; `onCall` sees each before it is made. */
async function run(
  steps: readonly { item: string; outcome: string; isAnswered: boolean; waitMs: number }[],
  system: ReturnType<typeof start>,
  onCall: (item: string, outcome: string) => void = () => {},
): Promise<void> {
  const { breaker, clock } = system;
  for (const { item, outcome, isAnswered, waitMs } of steps) {
    await clock.advance(waitMs);
    const question = { ...questionAbout(item), isAnswered };
    if (breaker.usableAtMs(question) > clock.now().getTime()) continue;
    onCall(item, outcome);
    const call = breaker.startCall(question);
    if (outcome === 'ok') call.succeed();
    else if (outcome === 'abandoned') call.abandon();
    else call.fail(failure(outcome as StoreFailureKind));
  }
}

test('whatever happens, the breaker never stays closed for other questions: a new one is let through within a minute', () =>
  fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 30 }), async (steps) => {
      const system = start();
      await run(steps, system);
      await system.clock.advance(60_000);
      expect(system.breaker.usableAtMs(questionAbout('new'))).toBeLessThanOrEqual(
        system.clock.now().getTime(),
      );
      await system.clock.advance(240_000);
      for (const item of ['1', '2', '3', '4'])
        expect(system.breaker.usableAtMs(questionAbout(item))).toBeLessThanOrEqual(
          system.clock.now().getTime(),
        );
    }),
  ));

test('whatever happens, two unreadable items alone never open the breaker', () =>
  fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 40 }), async (steps) => {
      const system = start();
      const outcomes = { '1': 'malformed', '2': 'malformed' } as Readonly<Record<string, string>>;
      await run(
        steps.map((step) => ({ ...step, outcome: outcomes[step.item] ?? 'ok' })),
        system,
        () => expect(system.breaker.openState()).toBeNull(),
      );
      expect(system.breaker.openState()).toBeNull();
    }),
  ));

test('whatever happens, the probe is a question that has not failed in the last minute since the last success', () =>
  fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 40 }), async (steps) => {
      const system = start();
      const failedAtMs = new Map<string, number>();
      await run(steps, system, (item, outcome) => {
        const nowMs = system.clock.now().getTime();
        if (system.breaker.openState())
          expect(nowMs - (failedAtMs.get(item) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(60_000);
        if (outcome === 'ok') failedAtMs.clear();
        else if (outcome !== 'abandoned') failedAtMs.set(item, nowMs);
      });
    }),
  ));

describe('when different unreadable items have opened the breaker', () => {
  const answered = { ...questionAbout('answered'), isAnswered: true };
  function openByItems() {
    const system = start();
    for (const item of ['1', '2', '3', '4'])
      system.breaker.startCall(questionAbout(item)).fail(failure('malformed'));
    expect(system.isOpen()).toBe(true);
    return system;
  }

  test('a question that the store has answered before may probe at once; its success closes the breaker', () => {
    const { breaker, clock } = openByItems();
    expect(breaker.usableAtMs(answered)).toBeLessThanOrEqual(clock.now().getTime());
    const probe = breaker.startCall(answered);
    expect(breaker.usableAtMs(answered)).toBe(Number.POSITIVE_INFINITY);
    probe.succeed();
    expect(breaker.openState()).toBeNull();
  });

  test.each(['malformed', 'timeout', 'blocked'] as const)(
    'if that probe fails with %s, the breaker stays open for its 15 s, without another early probe',
    async (kind) => {
      const { breaker, clock } = openByItems();
      const untilMs = clock.now().getTime() + 15_000;
      await clock.advance(5_000);
      breaker.startCall(answered).fail(failure(kind));
      const other = { ...questionAbout('other'), isAnswered: true };
      expect(breaker.usableAtMs(other)).toBe(untilMs);
      await clock.advance(10_000);
      breaker.startCall(questionAbout('new')).fail(failure(kind));
      expect(breaker.usableAtMs() - clock.now().getTime()).toBe(30_000);
    },
  );

  test('an abandoned early probe leaves the next one its turn', () => {
    const { breaker } = openByItems();
    breaker.startCall(answered).abandon();
    expect(breaker.usableAtMs(answered)).toBe(0);
  });
});

test('no early probe for a breaker that refusals or timeouts have opened', () => {
  for (const kind of ['blocked', 'timeout'] as const) {
    const { breaker, clock, fail } = start();
    fail(kind, kind);
    if (kind === 'timeout') fail(kind, kind, kind);
    const answered = { ...questionAbout('answered'), isAnswered: true };
    expect(breaker.usableAtMs(answered) - clock.now().getTime()).toBe(15_000);
  }
});
