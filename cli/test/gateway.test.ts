import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NicheOrigin } from '@shelfwise/proto/niche/v1/niche';
import { beginNiche, failWith } from '../../gateway/test/harness/fake-answers.ts';
import {
  asoReport,
  chartCategoriesReply,
  competitorRelation,
  nicheAnalysis,
  simulateReply,
  topChartReply,
  trackedKeyword,
  trackedListing,
} from '../../gateway/test/harness/sample-replies.ts';
import { useGateway } from '../../gateway/test/harness/use-gateway.ts';
import { runCliHere } from './harness/run-cli-here.ts';

const gateway = useGateway();
const niche = ['niches', 'notes', '--store', 'ITUNES', '--country', 'US', '--lang', 'en-US'];
const draft = ['simulate', '--app', '42', '--title', 'Notes'];

type Options = NonNullable<Parameters<typeof runCliHere>[1]>;

/** With the key of the account of this file. A pause moves the clock of the gateway. */
function run(args: readonly string[], { env, ...options }: Options = {}) {
  return runCliHere(args, {
    env: { SHELFWISE_API_KEY: gateway.key, SHELFWISE_BASE_URL: gateway.url, ...env },
    onPause: (ms) => gateway.clock.advance(ms),
    ...options,
  });
}

function answerKeywords(rows = [trackedKeyword], total = rows.length) {
  gateway.tracking.answer({ listKeywords: async () => ({ keywords: rows, total }) });
}

/** What the API itself answers. */
async function ask(path: string, accept: string): Promise<string> {
  const headers = { 'x-api-key': gateway.key, accept };
  return (await fetch(`${gateway.url}${path}`, { headers })).text();
}

describe('the output', () => {
  test('is the answer of the API with --json, and its CSV with --csv', async () => {
    answerKeywords();
    const json = await run(['keywords', '--json']);
    expect(json).toEqual({ code: 0, stdout: `${await ask('/api/v1/keywords', '*/*')}\n`, stderr: '' });
    const csv = await run(['keywords', '--csv']);
    expect(csv).toEqual({ code: 0, stdout: await ask('/api/v1/keywords', 'text/csv'), stderr: '' });
  });

  test('shows missing ranks and scores as – with the reason, never as 0', async () => {
    const scores = { traffic_score: null, difficulty_score: null, kei_score: null };
    const missing = { ...scores, current_rank: null, is_favorite: false };
    answerKeywords([
      { ...trackedKeyword, keyword: 'notes', traffic_score: 0 },
      { ...trackedKeyword, ...missing, keyword: 'lists', snapshot_depth: 30 },
      { ...trackedKeyword, keyword: 'old', is_partial: true, snapshot_date: '2026-06-01' },
    ]);
    const { stdout } = await run(['keywords']);
    const lines = stdout.split('\n');
    expect(lines[1]).toMatch(/notes .* 0 /);
    expect(lines[2]).toMatch(/lists +– +2026-06-15 +– +– +– +rank: not among the 30 results; /);
    expect(lines[2]).toContain('traffic, difficulty, KEI: not measured yet');
    expect(lines[3]).toMatch(/2026-06-01 \(stale\).*traffic: without the suggestions of the store/);
  });

  test('makes control characters of a store harmless', async () => {
    answerKeywords([{ ...trackedKeyword, keyword: '\u001b[31mred\u202e' }]);
    for (const option of ['--json', '--csv', '--favorites']) {
      const { stdout } = await run(['keywords', option], { columns: 80 });
      expect(stdout).toContain('red');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
      expect(stdout).not.toMatch(/[\u001b\u202e]/);
    }
  });

  test('goes through all pages with --all, in each format', async () => {
    gateway.tracking.answer({
      listKeywords: async ({ page }) => ({
        keywords: [{ ...trackedKeyword, keyword: `word ${page}` }],
        total: 3,
      }),
    });
    const args = ['keywords', '--all', '--per-page', '1'];
    expect((await run(args)).stdout.match(/word \d/g)).toEqual(['word 1', 'word 2', 'word 3']);
    const csv = (await run([...args, '--csv'])).stdout.trim().split('\r\n');
    expect(csv.map((line) => /word \d/.exec(line)?.[0])).toEqual([undefined, 'word 1', 'word 2', 'word 3']);
    const json = (await run([...args, '--json'])).stdout.trim().split('\n');
    expect(json.map((line) => JSON.parse(line).meta.page)).toEqual([1, 2, 3]);
    gateway.clock.advance(60_000);
    const cut = await run(['keywords', '--per-page', '1']);
    expect(cut.stderr).toBe('1 of 3 rows. All of them: --all\n');
  });
});

describe('each command', () => {
  beforeEach(() => {
    const { tracking, scoring, chart, notify } = gateway;
    answerKeywords();
    tracking.answer({
      listApplications: async () => ({
        applications: [{ listing: trackedListing, keyword_count: 1, aso_health: null }],
        total: 1,
      }),
      getTrackedListing: async () => ({ listing: trackedListing }),
      listCompetitors: async () => ({ relations: [competitorRelation], total: 1 }),
      listRankHistories: async () => ({
        keywords: [
          {
            keyword_id: 7,
            keyword: 'notes',
            least_depth: 100,
            apps: [
              {
                app_id: '281796108',
                title: 'Evernote',
                is_own: true,
                history: [
                  { date: '2026-06-10', rank: 9 },
                  { date: '2026-06-12', rank: 3 },
                  { date: '2026-06-15', rank: null },
                ],
              },
            ],
          },
        ],
        total: 1,
      }),
    });
    scoring.answer({
      simulateListing: async () => simulateReply,
      checkMetadata: async () => ({
        valid: false,
        fields: [
          {
            field: 'title',
            store_field: 'Name',
            indexed: true,
            length: 31,
            limit: 30,
            remaining: -1,
            over: true,
            warnings: [{ level: 'error', message: 'It is too long.', rule: null }],
          },
        ],
        keywords: null,
        notes: [],
      }),
      listKeywordGap: async () => ({
        terms: [],
        total: 0,
        kept: { pages: 3, oldest_page: '2026-06-15', unread: 2, truncated: false },
        reason: 'too_shallow',
      }),
    });
    chart.answer({
      getTopChart: async () => topChartReply,
      listChartCategories: async () => chartCategoriesReply,
    });
    notify.answer({ listAlerts: async () => ({ alerts: [], total: 0 }) });
  });

  test('apps shows an app without an audit, and that this is no 0', async () => {
    const { stdout, stderr } = await run(['apps']);
    expect(stdout.split('\n')[1]).toMatch(/^42 +Evernote .* – +– +– +health: not enough of its words/);
    expect(stderr).toMatch(/^warning: The audit is pending/);
  });

  test('ranks compares the days that were read, and a null is not a number', async () => {
    const { code, stdout } = await run(['ranks', '42']);
    expect(code).toBe(0);
    expect(stdout.split('\n')[1]).toMatch(
      /^ *7 +notes +2026-06-10 +9 +2026-06-15 +– +– +3 +3 +last: not ranked on that day$/,
    );
  });

  test('gap says why nothing is found, and what could not be judged', async () => {
    const { code, stdout, stderr } = await run(['gap', '42']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/lower --own-min-rank\.\n2 terms could not be judged/);
  });

  test('check ends with 6 when the store would refuse the draft', async () => {
    const { code, stdout } = await run(['check', '--store', 'ITUNES', '--title', 'x'.repeat(31)]);
    expect(code).toBe(6);
    expect(stdout).toMatch(/would refuse the draft[\s\S]*error, Name: It is too long\./);
  });

  test('simulate sends what was given, with numbers as numbers', async () => {
    const args = [...draft, '--context', 'rating=4.6', '--context', 'has_video=true'];
    expect((await run(args)).code).toBe(0);
    const { request } = gateway.scoring.requests.at(-1) ?? {};
    expect(request).toMatchObject({
      draft: { title: 'Notes' },
      context: { rating: { value: 4.6 }, has_video: true },
    });
  });

  test('simulate, charts and alerts print what they got', async () => {
    expect((await run(draft)).stdout).toMatch(/^A draft for Evernote, saved as run \d+/);
    expect((await run(['charts', '--store', 'ITUNES', '--country', 'US'])).stdout).toMatch(/^rank +change/);
    expect((await run(['charts', '--categories'])).stdout).toMatch(/^store +category/);
    expect(await run(['alerts', '--since', '0'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no such alerts.\n',
    });
  });

  test('audit shows the report, and without one that it is not a score of 0', async () => {
    const reply = { timeline: [], is_pending: false, is_partial: false, pending: null };
    gateway.scoring.answer({ getAsoHealth: async () => ({ ...reply, report: asoReport }) });
    expect((await run(['audit', '42'])).stdout).toMatch(/^Evernote: 62 of 100 \(coverage 71, /);
    gateway.scoring.answer({
      getAsoHealth: async () => ({
        ...reply,
        report: null,
        is_pending: true,
        pending: { words: 5, words_read: 2, next_look_at: null, fields: [] },
      }),
    });
    const { stdout, stderr } = await run(['audit', '42']);
    expect(stdout).toMatch(/^Evernote: – \(there is no audit yet.*\n2 of 5 words are read\./);
    expect(stderr).toMatch(/^warning: The audit is pending/);
  });

  test('audit tells a stop word from one that is not read yet, and hints are lines of their own', async () => {
    const unread = { traffic: null, difficulty: null, counts: null };
    const words = [
      { ...unread, name: 'that', status: 'not-searched' },
      { ...unread, name: 'later', status: 'pending' },
    ];
    const field = { label: 'Name', hint: 'Room for 9 more characters.', score: 74, state: 'scored', words };
    const report = {
      global: 62,
      tier_label: 'Growing',
      computed_at: '2026-06-15T00:00:00Z',
      axes: [],
      flags: [],
    };
    const data = {
      app: { title: 'Notes', app_id: '1', unlisted_since: null },
      report: { ...report, fields: [{ ...field, length: 21, limit: 30 }], targeting: { keywords: [] } },
      pending: null,
    };
    const send = async () => new Response(JSON.stringify({ data, meta: {} }));
    const { stdout } = await run(['audit', '1', '--words'], { fetch: send });
    expect(stdout).toMatch(/\n\nName: Room for 9 more characters\.\n\n/);
    expect(stdout).toMatch(/that .* traffic, difficulty: not measured: a stop word;/);
    expect(stdout).toMatch(/later .* traffic, difficulty: not measured yet;/);
  });

  test('niches shows its clusters', async () => {
    gateway.niche.answer({
      analyzeNiche: beginNiche(async () => ({
        analysis: nicheAnalysis,
        origin: NicheOrigin.FRESH,
        is_saved: true,
      })),
    });
    const { code, stdout } = await run(niche);
    expect(code).toBe(0);
    expect(stdout).toMatch(/clusters, \d+ keywords; analyzed on \d{4}-/);
  });
});

describe('the exit code', () => {
  test.each([
    ['STORE_FETCH_FAILED', draft, 5],
    ['ANALYSIS_FAILED', niche, 5],
    ['INTERNAL_ERROR', draft, 1],
  ] as const)('of %s is that of the table', async (code, args, expected) => {
    gateway.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
    failWith(gateway.services, code);
    const result = await run(args);
    expect(result).toMatchObject({ code: expected, stdout: '' });
    expect(result.stderr).toMatch(new RegExp(`^${code}: `));
  });

  test('is 2 for a parameter that the API refuses, and names it', async () => {
    expect(await run(['keywords', '--min-traffic', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^INVALID_PARAMS: min_traffic /),
    });
  });

  test('is 3 without a valid key or plan, and the key is never printed', async () => {
    const wrong = `sw_live_${'0'.repeat(43)}`;
    const { key: free } = await gateway.createKey('free');
    for (const key of ['', wrong, free]) {
      const result = await run(['apps'], { env: { SHELFWISE_API_KEY: key } });
      expect(result).toMatchObject({ code: 3, stdout: '' });
      if (key !== '') expect(result.stderr).not.toContain(key);
    }
  });

  test('is 4 for a spent quota', async () => {
    const send = async () =>
      new Response(JSON.stringify({ error: 'All are spent.', code: 'QUOTA_EXCEEDED' }), { status: 429 });
    expect((await run(['audit', '1'], { fetch: send })).code).toBe(4);
  });

  test('is 1 for an app that the store does not have, without advice about tracked ones', async () => {
    const body = { error: 'The App Store has no app 1 in US.', code: 'APP_NOT_FOUND' };
    const send = async () => new Response(JSON.stringify(body), { status: 404 });
    const stderr = 'APP_NOT_FOUND: The App Store has no app 1 in US.\n';
    expect(await run(['apps', '--add', '1'], { fetch: send })).toEqual({ code: 1, stdout: '', stderr });
    expect((await run(['ranks', '1'], { fetch: send })).stderr).toMatch(/are in: shelfwise apps\n$/);
  });

  test('is 1 when nothing answers, and says where it looked', async () => {
    const result = await run(['apps'], { env: { SHELFWISE_BASE_URL: 'http://127.0.0.1:1' } });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/The API at http:\/\/127\.0\.0\.1:1 cannot be reached/);
  });

  test('is 2 for plain HTTP to another machine, before anything is sent', async () => {
    const send = jest.fn();
    const env = { SHELFWISE_BASE_URL: 'http://shelfwise.example' };
    const result = await run(['apps'], { env, fetch: send });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('without encryption') });
    expect(send).not.toHaveBeenCalled();
  });

  test('is 130 after Ctrl-C while a call waits', async () => {
    const interrupt = new AbortController();
    gateway.tracking.answer({
      listKeywords: () => {
        interrupt.abort();
        return new Promise(() => {});
      },
    });
    expect(await run(['keywords'], { signal: interrupt.signal })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Interrupted.\n',
    });
  });

  test.each([
    [['unknown'], /There is no command unknown/],
    [['ranks'], /APP is missing/],
    [['ranks', '1', '2'], /one word too many/],
    [['ranks', '..'], /APP must be an id/],
    [['audit', '1', '--csv'], /Unknown option '--csv'/],
    [['keywords', '--json', '--csv'], /not both/],
    [['apps', '--timeout', '0'], /--timeout must be/],
  ])('of %p is 2', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('a rate limit', () => {
  test('is waited for as long as the API asks', async () => {
    answerKeywords();
    const { key } = await gateway.createKey();
    const env = { SHELFWISE_API_KEY: key };
    for (let call = 0; call < 5; call++) expect((await run(['keywords'], { env })).code).toBe(0);
    const pauses: number[] = [];
    const onPause = (ms: number) => {
      pauses.push(ms);
      gateway.clock.advance(ms);
    };
    const result = await run(['keywords'], { env, onPause });
    expect(result).toMatchObject({ code: 0, stderr: 'waiting 1 s for the rate limit\n' });
    expect(pauses).toEqual([1000]);
  });
});

describe('the key file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shelfwise-cli-'));
    answerKeywords();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const withoutKey = (env: Record<string, string>) => ({ env: { SHELFWISE_API_KEY: '', ...env } });

  test('may be the default one, or one that is named', async () => {
    mkdirSync(join(folder, 'shelfwise'));
    const file = join(folder, 'shelfwise/key');
    writeFileSync(file, `${gateway.key}\n`, { mode: 0o600 });
    expect((await run(['keywords'], withoutKey({ XDG_CONFIG_HOME: folder }))).code).toBe(0);
    expect((await run(['keywords', '--key-file', file], withoutKey({}))).code).toBe(0);
    expect((await run(['keywords'], withoutKey({ SHELFWISE_KEY_FILE: file }))).code).toBe(0);
  });

  test.each([0o640, 0o604, 0o620])('is refused when others can use it: %s', async (mode) => {
    const file = join(folder, 'key');
    writeFileSync(file, gateway.key);
    chmodSync(file, mode);
    const result = await run(['keywords', '--key-file', file], withoutKey({}));
    expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining(`chmod 600 ${file}`) });
    expect(gateway.tracking.requests).toEqual([]);
  });

  test('that is missing is named with what to do', async () => {
    const result = await run(['keywords'], withoutKey({ XDG_CONFIG_HOME: folder }));
    expect(result).toMatchObject({ code: 3, stderr: expect.stringMatching(/^There is no API key\./) });
  });
});
