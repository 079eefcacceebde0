import { trackedKeyword, trackedListing } from '../../gateway/test/harness/sample-replies.ts';
import { useGateway } from '../../gateway/test/harness/use-gateway.ts';
import { runCliHere } from './harness/run-cli-here.ts';

const gateway = useGateway();
/** The keywords that are tracked, in their normal form. */
const tracked = new Set<string>();
/** The calls that tracked keywords. */
let calls: string[][] = [];

function track(options: Parameters<typeof runCliHere>[1], args: string[] = []) {
  return runCliHere(['track', '42', ...args], {
    env: { SHELFWISE_API_KEY: gateway.key, SHELFWISE_BASE_URL: gateway.url },
    onPause: (ms) => gateway.clock.advance(ms),
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

beforeEach(() => {
  tracked.clear();
  calls = [];
  gateway.tracking.answer({
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

test('lines are tracked in calls of 20, each with its result, and waits for the rate limit are kept', async () => {
  const input = `\ufeff${words(105).join('\r\n')}\r\n\r\nword 1\n`;
  const { code, stdout, stderr } = await track({ input });
  expect(code).toBe(0);
  expect(calls.map(({ length }) => length)).toEqual([20, 20, 20, 20, 20, 5]);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(105);
  expect(lines[0]).toBe('tracked  Evernote ranks 3rd for “word 1”.');
  expect(stderr).toMatch(/105 tracked, 0 tracked before, 0 failed\.\n$/);
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

test('after an interruption the same command goes on where it ended', async () => {
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
    /40 of 60 keywords are done\. Run the same command again to go on\.\nInterrupted\.\n$/,
  );
  calls = [];
  const { code, stderr } = await track({ input });
  expect(code).toBe(0);
  expect(calls).toEqual([words(60).slice(40)]);
  expect(stderr).toMatch(/20 tracked, 40 tracked before, 0 failed\.\n$/);
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
