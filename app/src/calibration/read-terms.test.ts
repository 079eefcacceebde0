import type { ScoredTerm, ScoreTermsRequest, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { KnownTerm } from './parse-known-terms.ts';
import { type ReadingProgress, readTerms } from './read-terms.ts';
import type { ScoreName } from './term-reading.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const known = (term: string, country = 'US'): KnownTerm => ({
  term,
  storefront: { ...storefront, country },
  knownValue: 1,
});
const names = (count: number) => Array.from({ length: count }, (_value, index) => `term ${index}`);

const scored = (changes: Partial<ScoredTerm> = {}): TermOutcome['outcome'] => ({
  $case: 'scored',
  value: {
    difficulty: 30,
    traffic: 40,
    kei: 50,
    search_status: 'searched',
    is_navigational: false,
    top: [{ app_id: '1', title: 'One', ratings: 12, updated_at: null }],
    read_at: new Date('2026-03-01T10:00:00Z'),
    scored_at: new Date('2026-03-01T10:00:00Z'),
    source: 'app-store',
    scoring_version: 3,
    suggestions_read_at: null,
    is_partial: false,
    is_second_look_due: false,
    ...changes,
  },
});
const failed = (message: string): TermOutcome['outcome'] => ({
  $case: 'failure',
  value: { code: 'STORE_FETCH_FAILED', message },
});
const secondLookDue = scored({ is_partial: true, is_second_look_due: true });

type Answer = (
  keyword: string,
  call: number,
  request: ScoreTermsRequest,
) => TermOutcome['outcome'] | AppError;

/** Reads from a service that answers each keyword; time passes only while the command waits. */
async function read(
  terms: KnownTerm[],
  answer: Answer,
  options: { score?: ScoreName; stopAtMs?: number } = {},
) {
  const { score = 'traffic', stopAtMs = Number.POSITIVE_INFINITY } = options;
  let nowMs = 0;
  const requests: (ScoreTermsRequest & { atMs: number })[] = [];
  const finished: string[] = [];
  const progress: ReadingProgress[] = [];
  const stop = new AbortController();
  const failures = await readTerms(terms, score, {
    scoring: {
      async scoreTerms(request) {
        requests.push({ ...request, atMs: nowMs });
        const outcomes = request.keywords.map((keyword) => {
          const outcome = answer(keyword, requests.length, request);
          if (outcome instanceof AppError) throw outcome;
          return { keyword, outcome };
        });
        return { outcomes };
      },
    },
    signal: stop.signal,
    pause: async (ms) => {
      nowMs += ms;
      if (nowMs >= stopAtMs) stop.abort();
    },
    nowMs: () => nowMs,
    onFinished: (readings) => finished.push(...readings.map(({ term }) => term)),
    onProgress: (state) => progress.push(state),
  });
  return { failures: [...failures.values()], finished, requests, progress, nowMs };
}

test('terms are asked for in batches of one storefront, in the order of the file', async () => {
  const terms = [...names(7).map((name) => known(name)), known('mood', 'GB'), known('habits')];
  const { requests, finished, failures, progress } = await read(terms, () => scored());
  expect(requests.map(({ storefront: at, keywords }) => [at?.country, keywords.length])).toEqual([
    ['US', 6],
    ['US', 2],
    ['GB', 1],
  ]);
  expect(finished.toSorted()).toEqual(terms.map(({ term }) => term).toSorted());
  expect(failures).toEqual([]);
  expect(progress.at(-1)).toEqual({ done: 9, failed: 0, total: 9, waitsFor: null });
});

test('a failed term is asked for three times, the others once', async () => {
  const answer: Answer = (keyword) =>
    keyword === 'mood' ? failed('The store was not read in time.') : scored();
  const { requests, finished, failures } = await read([known('mood'), known('habits')], answer);
  expect(requests.map(({ keywords }) => keywords)).toEqual([['mood', 'habits'], ['mood'], ['mood']]);
  expect(finished).toEqual(['habits']);
  expect(failures).toEqual(['The store was not read in time.']);
});

test('a term that waits for a second look at its suggestions is asked for again after more than ten minutes', async () => {
  const { requests, finished, failures, progress } = await read([known('mood')], (_keyword, call) =>
    call === 1 ? secondLookDue : scored(),
  );
  expect(requests[1]?.atMs).toBeGreaterThan(10 * 60_000);
  expect({ finished, failures }).toEqual({ finished: ['mood'], failures: [] });
  expect(progress).toContainEqual(
    expect.objectContaining({ failed: 1, waitsFor: expect.stringMatching(/^waiting up to 11 min/) }),
  );
});

test('partial traffic is no traffic, except where the store has no autocomplete; difficulty needs no suggestions', async () => {
  const partial = () => scored({ is_partial: true });
  expect((await read([known('mood')], partial)).failures).toEqual([
    expect.stringMatching(/traffic is partial/),
  ]);
  expect((await read([known('mood')], partial, { score: 'kei' })).failures).toEqual([
    expect.stringMatching(/KEI is partial/),
  ]);
  expect((await read([known('mood')], partial, { score: 'difficulty' })).finished).toEqual(['mood']);
  expect((await read([known('mood', 'KH')], partial)).finished).toEqual(['mood']);
});

test('an unknown score is not 0', async () => {
  const unknown = await read([known('mood')], () => scored({ traffic: undefined, kei: undefined }));
  expect(unknown).toMatchObject({ finished: [], failures: ['the traffic is unknown'] });
});

test('a service that does not answer at first ends the command; later it is asked again', async () => {
  const down = new AppError('SERVICE_UNAVAILABLE', 'The scoring service is down.');
  await expect(read([known('mood')], () => down)).rejects.toBe(down);
  const { finished } = await read(
    names(7).map((name) => known(name)),
    (_keyword, call) => (call === 2 ? down : scored()),
  );
  expect(finished).toHaveLength(7);
  const refused = new AppError('INVALID_PARAMS', 'keywords must be in normal form');
  await expect(
    read(
      names(7).map((name) => known(name)),
      (_keyword, call) => (call === 2 ? refused : scored()),
    ),
  ).rejects.toBe(refused);
});

test('when nothing can be read for long, the command ends instead of trying every term', async () => {
  const terms = names(600).map((name) => known(name));
  let calls = 0;
  const reading = read(terms, () => {
    calls++;
    return failed('The App Store is blocked.');
  });
  await expect(reading).rejects.toThrow(
    /^Nothing could be read 8 times in a row: The App Store is blocked\./,
  );
  expect(calls).toBe(48);
});

test('Ctrl-C ends the waiting', async () => {
  const { requests, nowMs } = await read([known('mood')], () => secondLookDue, { stopAtMs: 1000 });
  expect(requests).toHaveLength(1);
  expect(nowMs).toBeGreaterThanOrEqual(1000);
});
