import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryRecords } from '../../test/memory-records.ts';
import { questionAbout } from '../../test/question-about.ts';
import { createBreakers } from './breakers.ts';
import { createProbes } from './probes.ts';
import { createSharedBreakers } from './shared-breakers.ts';
import { StoreFailure } from './store-failure.ts';

const endpoint = 'itunes-search';
const address = { label: 'direct', dispatcher: undefined };

test('a request waits for the probe of a copy that has ended until its lease expires, and at most a second longer', async () => {
  const clock = createFakeClock();
  const { records } = createMemoryRecords(clock);
  const startCopy = () => {
    const shared = createSharedBreakers({ records, scope: 'test', clock });
    shared.start(() => {});
    return { stop: shared.stop, breakers: createBreakers([address], clock.now, shared.backingOf) };
  };
  const [ended, other] = [startCopy(), startCopy()];
  const breaker = ended.breakers.get(endpoint, address);
  for (const item of ['1', '2'])
    (await breaker.claimCall(questionAbout(item)))?.fail(new StoreFailure('blocked', 'failed (blocked)'));
  await clock.advance(15_000);
  expect(await breaker.claimCall(questionAbout('3'))).not.toBeNull();
  ended.stop();
  await clock.advance(20_000);

  const probes = createProbes({
    addresses: [address],
    breakers: other.breakers,
    clock,
    answeredQuestions: () => [],
    askAgain: async () => false,
  });
  const limitAtMs = clock.now().getTime() + 25_000;
  const answers: boolean[] = [];
  const waiting = probes.waitFor({
    request: {
      endpoint,
      question: questionAbout('4'),
      signal: new AbortController().signal,
    },
    excludedAddresses: new Set(),
    maxWaitMs: () => limitAtMs - clock.now().getTime(),
  });
  void waiting.then((answer) => answers.push(answer));
  // The lease takes 35 s.
  await clock.advance(14_000);
  expect(answers).toEqual([]);
  await clock.advance(2_000);
  expect(answers).toEqual([true]);
});
