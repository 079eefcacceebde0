import { withoutRepeats } from '@shelfwise/facts/text/without-repeats';
import type { Job, JobItem } from '@shelfwise/proto/jobs/v1/jobs';
import { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { storefront, trackedKeyword, trackedListing } from '../../gateway/test/harness/sample-replies.ts';
import { useGateway } from '../../gateway/test/harness/use-gateway.ts';
import { runCliHere } from './harness/run-cli-here.ts';

const gateway = useGateway();
/** The keywords that are tracked, in their normal form. */
const tracked = new Set<string>();
/** The calls that tracked keywords. */
let calls: string[][] = [];
/** The jobs, with what has become of their keywords so far. */
let jobs: { id: number; texts: string[]; outcomes: JobItem['outcome'][] }[] = [];
/** The pages of jobs that were read. */
let pages: number[] = [];

function track(options: Parameters<typeof runCliHere>[1], args: string[] = []) {
  return runCliHere(['track', '42', ...args], {
    env: { SHELFWISE_API_KEY: gateway.key, SHELFWISE_BASE_URL: gateway.url },
    onPause(ms) {
      gateway.clock.advance(ms);
      runBatch();
    },
    ...options,
  });
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${index + 1}`);

/** As tracking does: what is tracked is refused, and so are words with “bad” in them. */
function trackOne(keyword: string) {
  const error = tracked.has(keyword)
    ? 'It is tracked already.'
    : keyword.includes('bad')
      ? 'The store failed.'
      : null;
  if (error !== null)
    return { keyword, outcome: { $case: 'error' as const, value: error }, first_rank: null };
  tracked.add(keyword);
  return {
    keyword,
    outcome: { $case: 'success' as const, value: `Evernote ranks 3rd for “${keyword}”.` },
    first_rank: { keyword_id: tracked.size, rank: 3, depth: 87, rank_date: '2026-06-15' },
  };
}

/** The next 20 keywords of each job. */
function runBatch(): void {
  for (const { texts, outcomes } of jobs)
    for (const text of texts.slice(outcomes.length, outcomes.length + 20)) outcomes.push(trackInJob(text));
}

function trackInJob(text: string): JobItem['outcome'] {
  const code = tracked.has(text) ? 'DUPLICATE' : 'STORE_FETCH_FAILED';
  const result = trackOne(text);
  if (result.outcome.$case === 'error')
    return { $case: 'failure', value: { code, message: result.outcome.value } };
  return { $case: 'result', value: Buffer.from(TrackKeywordResult.encode(result).finish()) };
}

function toJob({ id, texts, outcomes }: (typeof jobs)[number]): Job {
  const hasEnded = outcomes.length === texts.length;
  const failed = outcomes.filter((outcome) => outcome?.$case === 'failure').length;
  return {
    id,
    state: hasEnded ? 'DONE' : 'RUNNING',
    target: { app_id: 42, storefront },
    total: texts.length,
    done: outcomes.length - failed,
    failed,
    eta: null,
    created_at: new Date('2026-06-15T12:00:00Z'),
    finished_at: hasEnded ? new Date('2026-06-15T12:10:00Z') : null,
  };
}

beforeEach(() => {
  tracked.clear();
  calls = [];
  jobs = [];
  pages = [];
  gateway.scoring.answer({ listJobs: async () => ({ jobs: [] }) });
  gateway.tracking.answer({
    createJob: async ({ texts }) => {
      const job = { id: 2 * jobs.length + 1, texts: withoutRepeats(texts, storefront.lang), outcomes: [] };
      jobs.push(job);
      return toJob(job);
    },
    listJobs: async () => ({ jobs: jobs.map(toJob) }),
    getJob: async ({ id, page, per_page }) => {
      pages.push(page);
      const job = jobs.find((one) => one.id === id);
      if (!job) throw new Error('there is no such job');
      const items = job.texts.map((text, at) => ({
        position: at + 1,
        text,
        outcome: job.outcomes[at] ?? null,
      }));
      return { job: toJob(job), items: items.slice((page - 1) * per_page, page * per_page) };
    },
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 1, aso_health: null }],
      total: 1,
    }),
    listKeywords: async () => ({
      keywords: [...tracked].map((keyword) => ({ ...trackedKeyword, keyword })),
      total: tracked.size,
    }),
    trackKeywords: async ({ keywords }) => {
      calls.push(keywords);
      return { results: keywords.map(trackOne) };
    },
  });
});

test('up to 20 lines are tracked in a call, each with its result', async () => {
  const { code, stdout, stderr } = await track({ input: `\ufeff${words(20).join('\r\n')}\r\n\r\nword 1\n` });
  expect(code).toBe(0);
  expect([calls, jobs]).toEqual([[words(20)], []]);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(20);
  expect(lines[0]).toBe('tracked  Evernote ranks 3rd for “word 1”.');
  expect(stderr).toMatch(/20 tracked, 0 tracked before, 0 failed\.\n$/);
});

test('more are tracked in a job, and results are shown as they come', async () => {
  const { code, stdout, stderr } = await track({ input: words(245).join('\n') });
  expect(code).toBe(0);
  expect(calls).toEqual([]);
  expect(jobs.map(({ texts }) => texts)).toEqual([words(245)]);
  const lines = stdout.trim().split('\n');
  expect(lines).toEqual(words(245).map((word) => `tracked  Evernote ranks 3rd for “${word}”.`));
  expect(stderr).toContain('Job 1 tracks 245 keywords. It goes on without this command.');
  expect(stderr).toMatch(/245 tracked, 0 tracked before, 0 failed\.\n$/);
  // A page that has ended is not read again.
  const countReads = (of: number) => pages.filter((page) => page === of).length;
  expect(countReads(1)).toBeLessThan(countReads(2));
});

test('a list that is longer than a job is several, one after the other', async () => {
  const { code } = await track({ input: words(520).join('\n') });
  expect(code).toBe(0);
  expect(jobs.map(({ texts }) => texts.length)).toEqual([500, 20]);
  expect(tracked.size).toBe(520);
});

test('in a job, too, each line has its own result', async () => {
  // Tracked meanwhile, by another call.
  gateway.tracking.answer({ listKeywords: async () => ({ keywords: [], total: 0 }) });
  tracked.add('word 3');
  const input = [...words(20), 'bad one', 'x', 'WORD 1'].join('\n');
  const { code, stdout } = await track({ input });
  expect(code).toBe(6);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(23);
  expect(lines.filter((line) => !line.startsWith('tracked')).sort()).toEqual([
    'failed   bad one: The store failed.',
    'failed   x: must have 2 to 100 characters',
    'known    WORD 1',
    'known    word 3',
  ]);
});

test('a word that fails does not affect the others, and the exit code is 6', async () => {
  const { code, stdout } = await track({ input: 'good\nbad one\nx\n' });
  expect(code).toBe(6);
  expect(stdout.trim().split('\n').sort()).toEqual([
    'failed   bad one: The store failed.',
    'failed   x: must have 2 to 100 characters',
    'tracked  Evernote ranks 3rd for “good”.',
  ]);
});

test('after an interruption the same command waits for its job and goes on', async () => {
  const input = words(60).join('\n');
  const interrupt = new AbortController();
  const broken = await track({
    input,
    signal: interrupt.signal,
    fetch: (url, options) => {
      if (tracked.size >= 40) interrupt.abort();
      return fetch(url, options);
    },
  });
  expect(broken.code).toBe(130);
  expect(broken.stderr).toMatch(
    /[24]0 of 60 keywords are done\. Run the same command again to go on\.\nInterrupted\.\n$/,
  );
  const { code, stderr } = await track({ input });
  expect(code).toBe(0);
  expect(jobs).toHaveLength(1);
  expect(stderr).toMatch(/0 tracked, 60 tracked before, 0 failed\.\n$/);
});

test('another spelling of a tracked keyword counts as tracked before', async () => {
  tracked.add('word 1');
  const { code, stdout } = await track({ input: 'WORD\u200b 1\n' }, ['-', '--json']);
  expect(code).toBe(0);
  expect(stdout).toBe('{"keyword":"word 1","known":true}\n');
});

test('one keyword in two spellings is tracked once, and is no failure', async () => {
  const { code, stdout } = await track({ input: 'good word\nGood  Word\n' });
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 0,
    lines: ['tracked  Evernote ranks 3rd for “good word”.', 'known    good word'],
  });
});

test('a busy service is asked again, because that is harmless', async () => {
  let refusals = 2;
  const send: typeof fetch = async (url, options) => {
    if (options?.method !== 'POST' || refusals-- <= 0) return fetch(url, options);
    const body = JSON.stringify({ error: 'It is busy.', code: 'SERVICE_UNAVAILABLE' });
    return new Response(body, { status: 503, headers: { 'retry-after': '1' } });
  };
  expect(await track({ input: 'good', fetch: send })).toMatchObject({ code: 0 });
  expect(calls).toEqual([['good']]);
});

test.each([
  ['', /The input has no keywords/],
  [Buffer.from([0xff, 0xfe, 0x41]), /it is not UTF-8/],
])('input that cannot be used is a usage error: %j', async (input, message) => {
  expect(await track({ input })).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});

test('a file that is not there is named', async () => {
  const result = await track({}, ['/nonexistent/words.txt']);
  expect(result).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/ENOENT.*\/nonexistent\/words\.txt/),
  });
});

test('a terminal is told that lines are awaited', async () => {
  const { code, stderr } = await track({ input: 'word', columns: 80 });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Type keywords, one per line\. Ctrl-D ends the list\.\n/);
  expect((await track({ input: 'word' })).stderr).not.toContain('Ctrl-D');
});
