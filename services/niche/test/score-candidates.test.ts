import { createManualClock, until } from '../../../testing/manual-clock.ts';
import { scoreCandidates } from '../src/analysis/score-candidates.ts';
import { createFakeScoring } from './fake-scoring.ts';
import { habitTerms, us } from './start-niche.ts';

const niche = { storefront: us, topic: 'habit' };

/** Candidates before a store that takes some seconds per term, one term after the other, as a budget makes it. */
function startScoring({ secondsPerTerm = 0, seconds = 180 } = {}) {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const scoring = createFakeScoring(clock.now);
  const timeUp = new AbortController();
  const endsAt = clock.at.getTime() + seconds * 1000;
  const inFlight = { count: 0, max: 0 };
  let storeFreeAt = clock.at.getTime();
  scoring.hooks.beforeAnswer = async (keywords) => {
    inFlight.count += keywords.length;
    inFlight.max = Math.max(inFlight.max, inFlight.count);
    storeFreeAt = Math.max(storeFreeAt, clock.at.getTime()) + keywords.length * secondsPerTerm * 1000;
    await clock.sleep(storeFreeAt - clock.at.getTime(), timeUp.signal);
    inFlight.count -= keywords.length;
  };
  const signal = new AbortController().signal;
  const counts: { read: number; left: number }[] = [];
  const score = (candidates: readonly string[]) =>
    scoreCandidates(scoring.client, niche, candidates, {
      requestId: 'request-1',
      signal,
      limited: timeUp.signal,
      now: clock.now,
      msLeft: () => endsAt - clock.at.getTime(),
      onRead: (count) => counts.push(count),
    });
  /** Lets the time go on until the work has ended; it is over when the store's last answer comes too late. */
  async function passUntilDone(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    await until(() => {
      if (clock.sleeping() > 0) clock.advance(500);
      if (clock.at.getTime() >= endsAt) timeUp.abort();
      return isDone;
    });
  }
  return { clock, scoring, score, inFlight, counts, passUntilDone };
}

test('a store that answers at once is asked for up to twenty terms at a time', async () => {
  const { score, scoring, inFlight, passUntilDone } = startScoring();
  const work = score(habitTerms(500));
  await passUntilDone(work);
  expect((await work).scored.size).toBe(500);
  expect(inFlight.max).toBeLessThanOrEqual(20);
  expect(inFlight.max).toBeGreaterThan(8);
  expect(scoring.requests.every((request) => request.known_only || request.keywords.length <= 20)).toBe(true);
});

test('a slow store is asked for few terms at a time, so that calls of others are served in between', async () => {
  const { score, inFlight, passUntilDone } = startScoring({ secondsPerTerm: 4 });
  const work = score(habitTerms(500));
  await passUntilDone(work);
  const { scored, refused } = await work;
  expect(inFlight.max).toBeLessThanOrEqual(3);
  expect(scored.size).toBeGreaterThanOrEqual(40);
  expect(refused).toBe(0);
});

test('what is known is looked up for 400 terms at a time, and read no more', async () => {
  const { score, scoring, counts, passUntilDone } = startScoring();
  const candidates = habitTerms(900);
  const first = score(candidates.slice(0, 300));
  await passUntilDone(first);
  scoring.requests.length = 0;
  const work = score(candidates);
  await passUntilDone(work);
  await work;
  const lookedUp = scoring.requests.filter((request) => request.known_only);
  expect(lookedUp.map(({ keywords }) => keywords.length)).toEqual([400, 400, 100]);
  expect([...scoring.requestedTerms()].sort()).toEqual(candidates.slice(300).sort());
  expect(counts.at(-1)).toEqual({ read: 900, left: 0 });
});

test('terms are read in their order, the best first', async () => {
  const { score, scoring, passUntilDone } = startScoring();
  const candidates = habitTerms(60);
  const work = score(candidates);
  await passUntilDone(work);
  expect(scoring.requestedTerms()).toEqual(candidates);
});

test('three refusals in a row end it, and all that is left counts as refused', async () => {
  const { score, scoring, passUntilDone } = startScoring();
  const candidates = habitTerms(100);
  scoring.refusal.of = (keyword) => (scoring.known.size >= 10 ? `${keyword}: blocked` : null);
  const work = score(candidates);
  await passUntilDone(work);
  const { scored, refused, refusal } = await work;
  expect(refused).toBe(100 - scored.size);
  expect(scoring.requestedTerms().length).toBeLessThan(40);
  expect(refusal).toMatchObject({ message: expect.stringContaining('blocked') });
});

test('what fails because the time is over does not count as refused', async () => {
  const { score, scoring, clock, passUntilDone } = startScoring({ seconds: 10 });
  scoring.refusal.of = () => 'too late';
  scoring.hooks.beforeAnswer = (keywords) =>
    keywords.length > 0 ? clock.sleep(8000, new AbortController().signal) : Promise.resolve();
  const work = score(habitTerms(5));
  await passUntilDone(work);
  expect(await work).toMatchObject({ refused: 0, refusal: null });
});

test('an error that is nobody’s refusal is not taken for one', async () => {
  const { score, scoring } = startScoring();
  scoring.hooks.beforeAnswer = () => Promise.reject(new Error('a bug'));
  await expect(score(habitTerms(50))).rejects.toThrow('a bug');
});
