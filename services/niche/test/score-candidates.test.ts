import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { scoreCandidates } from '../src/analysis/score-candidates.ts';
import { createFakeScoring } from './fake-scoring.ts';
import { habitTerms, us } from './start-niche.ts';

const niche = { storefront: us, topic: 'habit' };

/**
 * Starts scoring against a store that reads one term at a time, as a call budget does, and takes `secondsPerTerm` for
 * each.
 */
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
  const start = (candidates: readonly string[]) =>
    scoreCandidates(scoring.client, niche, candidates, {
      requestId: 'request-1',
      signal,
      limited: timeUp.signal,
      now: clock.now,
      msLeft: () => endsAt - clock.at.getTime(),
      onRead: (count) => counts.push(count),
    });
  /** Scores while the clock advances; fires the time limit at the end of the analysis time. */
  async function score(candidates: readonly string[]) {
    const work = start(candidates);
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
    return work;
  }
  return { clock, scoring, start, score, inFlight, counts };
}

test('a fast store reads up to twenty terms at a time', async () => {
  const { score, scoring, inFlight } = startScoring();
  expect((await score(habitTerms(500))).scored.size).toBe(500);
  expect(inFlight.max).toBeLessThanOrEqual(20);
  expect(inFlight.max).toBeGreaterThan(8);
  expect(scoring.requests.every((request) => request.known_only || request.keywords.length <= 20)).toBe(true);
});

test('a slow store reads few terms at a time, so that other callers are served in between', async () => {
  const { score, inFlight } = startScoring({ secondsPerTerm: 4 });
  const { scored, refused } = await score(habitTerms(500));
  expect(inFlight.max).toBeLessThanOrEqual(3);
  expect(scored.size).toBeGreaterThanOrEqual(40);
  expect(refused).toBe(0);
});

test('known terms are looked up in batches of 400 and not read again', async () => {
  const { score, scoring, counts } = startScoring();
  const candidates = habitTerms(900);
  await score(candidates.slice(0, 300));
  scoring.requests.length = 0;
  await score(candidates);
  const lookedUp = scoring.requests.filter((request) => request.known_only);
  expect(lookedUp.map(({ keywords }) => keywords.length)).toEqual([400, 400, 100]);
  expect([...scoring.requestedTerms()].sort()).toEqual(candidates.slice(300).sort());
  expect(counts.at(-1)).toEqual({ read: 900, left: 0 });
});

test('terms are read in order, the best first', async () => {
  const { score, scoring } = startScoring();
  const candidates = habitTerms(60);
  await score(candidates);
  expect(scoring.requestedTerms()).toEqual(candidates);
});

test('three refusals in a row stop the reading, and all remaining terms count as refused', async () => {
  const { score, scoring } = startScoring();
  const candidates = habitTerms(100);
  scoring.refusal.of = (keyword) => (scoring.known.size >= 10 ? `${keyword}: blocked` : null);
  const { scored, refused, refusal } = await score(candidates);
  expect(refused).toBe(100 - scored.size);
  expect(scoring.requestedTerms().length).toBeLessThan(40);
  expect(refusal).toMatchObject({ message: expect.stringContaining('blocked') });
});

test('a term that fails because the time is up does not count as refused', async () => {
  const { score, scoring, clock } = startScoring({ seconds: 10 });
  scoring.refusal.of = () => 'too late';
  scoring.hooks.beforeAnswer = (keywords) =>
    keywords.length > 0 ? clock.sleep(8000, new AbortController().signal) : Promise.resolve();
  expect(await score(habitTerms(5))).toMatchObject({ refused: 0, refusal: null });
});

test('an unexpected error is thrown and does not count as a refusal', async () => {
  const { start, scoring } = startScoring();
  scoring.hooks.beforeAnswer = () => Promise.reject(new Error('a bug'));
  await expect(start(habitTerms(50))).rejects.toThrow('a bug');
});
