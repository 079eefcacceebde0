import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { alreadyTracked } from '@shelfwise/tracking/keywords/keyword-attempt';
import type { Api } from '../../testing/system/api.ts';
import { startBareRun } from './bare-run.ts';
import type { Expectations } from './expectations.ts';
import { type CallTimes, mostWithin } from './most-within.ts';

type ExpectThat = Expectations['expectThat'];

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const keywords = 'habit tracker,routine,daily planner,goals,mood,streak,reminder,focus,journal,to do'.split(
  ',',
);
const mostTries = 5;

/** Tracks an app and keywords of the sample, waits for scores and the audit, reads niches and a chart. Returns the id of the app. */
export async function doMainJob(api: Api, expectThat: ExpectThat): Promise<number> {
  console.log(`\n# an app and ${keywords.length} keywords`);
  const tracked = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
  const id = Number(tracked.body.data?.id);
  expectThat(tracked.status === 200, `the app is tracked (${Math.round(tracked.ms)} ms)`);
  expectThat(await trackAll(api, id, keywords), 'the keywords are tracked');
  await expectScores(api, id, expectThat);
  const audited = await until(async () => {
    const { body } = await api('GET', `/applications?app_id=${id}`);
    return body.data?.[0]?.aso_health !== null;
  });
  expectThat(audited !== null, `the audit is in the list of applications after ${audited} s`);
  const report = await api('GET', `/applications/${id}/aso-health`);
  expectThat(report.status === 200, `the audit (${Math.round(report.ms)} ms)`);
  const niches = await api('GET', '/niches?topic=habit+tracker&store=ITUNES&country=US&lang=en-US');
  expectThat(
    niches.status === 200 && niches.body.data.clusters.length > 0,
    `niches (${Math.round(niches.ms)} ms)`,
  );
  const chart = await api('GET', '/top-charts?store=ITUNES&country=US&collection=free');
  expectThat(chart.status === 200, `a top chart (${chart.status} ${chart.body.error ?? ''})`);
  return id;
}

/** As a client does: what was not read in time, because the machine was busy, is asked for again. Errors are printed. */
export async function trackAll(api: Api, id: number, texts: readonly string[]): Promise<boolean> {
  let left = texts;
  for (let tries = 0; tries < mostTries && left.length > 0; tries++) {
    const request = { keywords: left, app_id: id, ...storefront };
    const { status, body, ms } = await api('POST', '/keywords', request);
    const results: { keyword: string; error?: string }[] =
      body.data?.results ?? left.map((keyword) => ({ keyword, error: body.code }));
    const failed = results.filter(({ error }) => error !== undefined && error !== alreadyTracked);
    console.log(`  ${status} after ${Math.round(ms)} ms, failed: ${JSON.stringify(failed)}`);
    left = failed.map(({ keyword }) => keyword);
  }
  return left.length === 0;
}

/** Scores reach the list as events: tracking -> scoring -> tracking. */
async function expectScores(api: Api, id: number, expectThat: ExpectThat): Promise<void> {
  const { length: count } = keywords;
  const seconds = await until(async () => {
    const { body } = await api('GET', `/keywords?app_id=${id}&per_page=100`);
    const rows = body.data as { traffic_score: number | null; difficulty_score: number | null }[];
    return rows.filter((row) => row.traffic_score !== null && row.difficulty_score !== null).length === count;
  });
  expectThat(seconds !== null, `all ${count} keywords have their scores in the list after ${seconds} s`);
}

/** Through every gateway at once, to assistant servers that do not know of each other's calls. */
export async function askAssistants(
  urls: readonly string[],
  key: string,
  expectThat: ExpectThat,
): Promise<void> {
  console.log('\n# eight calls of a tool at once, over every gateway');
  const headers = { Authorization: `Bearer ${key}` };
  const answers = await Promise.all(
    urls.map(async (url) => {
      const client = new Client({ name: 'distributed', version: '1.0.0' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
      );
      const call = () => client.callTool({ name: 'list_applications', arguments: {} });
      const results = await Promise.all(Array.from({ length: 8 }, call));
      await client.close();
      return results;
    }),
  );
  const [first, ...others] = answers.flat();
  expectThat(
    first?.isError !== true && others.every((one) => isDeepStrictEqual(one.content, first?.content)),
    `all ${answers.flat().length} have the same answer`,
  );
}

/** Redis sometimes answers late. */
const mostLocalShare = 0.005;
/** A gateway decides without Redis after this time. */
const redisAnswerMs = 50;
/** What one key may call in a minute. */
const callsOfAMinute = 59;

/**
 * @param key of an account that nothing else uses
 * @param countLocal the decisions that gateways have made without Redis, because it did not answer within 50 ms: each may
 *   admit one call more
 */
export async function attack(
  urls: readonly string[],
  key: string,
  { expectThat, expectOnMachine }: Pick<Expectations, 'expectThat' | 'expectOnMachine'>,
  countLocal: () => Promise<number>,
): Promise<void> {
  console.log('\n# an attack on the rate windows, over all gateways at once');
  const before = await countLocal();
  const bareRun = await startBareRun();
  const attacked = await attackWindows({ urls, key, ms: 20_000, leastAdmitted: callsOfAMinute });
  const bare = await bareRun.stop();
  const { sent, admitted, mostInASecond, mostInAMinute, unexpected } = attacked;
  const local = (await countLocal()) - before;
  console.log(
    `  ${sent} calls, ${admitted} admitted, at most ${mostInASecond} in a second; ${local} decisions without Redis`,
  );
  const mostLocal = Math.ceil(sent * mostLocalShare);
  expectThat(2 * local < sent, 'Redis has decided most calls');
  expectOnMachine(
    { isMet: local <= mostLocal, limitMs: redisAnswerMs, bare },
    `Redis has decided all but ${local} calls, at most ${mostLocal}`,
  );
  expectThat(
    admitted >= callsOfAMinute && mostInAMinute <= callsOfAMinute + local,
    `${mostInAMinute} calls are admitted in 60 s, at most ${callsOfAMinute + local}`,
  );
  expectThat(
    mostInASecond <= 5 + local,
    `at most ${mostInASecond} calls are admitted in any second, of ${5 + local}`,
  );
  expectThat(unexpected.length === 0, `every other call is 429 ${unexpected.slice(0, 3).join(', ')}`);
}

/** A way out for what never comes; far longer than a busy machine needs. */
const giveUpSeconds = 300;

/** The seconds until `isTrue`, asked every 300 ms; null when it never is. */
export async function until(isTrue: () => Promise<boolean>): Promise<number | null> {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  while (elapsed() < giveUpSeconds) {
    if (await isTrue()) return Math.round(10 * elapsed()) / 10;
    await sleep(300);
  }
  return null;
}

/** Calls in flight per gateway. */
const inFlight = 6;

/** A way out where nothing is admitted. */
const giveUpMs = 60_000;

/**
 * Calls all gateways with one key as fast as they answer: for `ms`, and then until `leastAdmitted` calls were admitted.
 * `mostInASecond` and `mostInAMinute`: see `mostWithin`.
 */
async function attackWindows(options: {
  urls: readonly string[];
  key: string;
  ms: number;
  leastAdmitted: number;
}) {
  const { urls, key, ms, leastAdmitted } = options;
  const startedAt = performance.now();
  const admitted: CallTimes[] = [];
  const unexpected: string[] = [];
  let sent = 0;

  function isOver(): boolean {
    const passedMs = performance.now() - startedAt;
    return passedMs >= (admitted.length < leastAdmitted ? giveUpMs : ms);
  }

  async function callUntilEnd(url: string): Promise<void> {
    while (!isOver()) {
      const sentAt = performance.now();
      sent++;
      const response = await fetch(`${url}/api/v1/account/usage`, { headers: { 'x-api-key': key } });
      const text = await response.text();
      if (response.status === 200) admitted.push({ sentAt, answeredAt: performance.now() });
      else if (response.status !== 429) unexpected.push(`${response.status} ${text.slice(0, 200)}`);
    }
  }

  await Promise.all(urls.flatMap((url) => Array.from({ length: inFlight }, () => callUntilEnd(url))));
  return {
    sent,
    admitted: admitted.length,
    mostInASecond: mostWithin(admitted, 1000),
    mostInAMinute: mostWithin(admitted, 60_000),
    unexpected,
  };
}
