import { readFileSync } from 'node:fs';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { setTracing } from '@shelfwise/runtime/tracing/tracing';
import { type Api, createApi } from '../../testing/system/api.ts';
import { signIn } from '../../testing/system/sign-in.ts';
import { type SampleSystem, startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { until } from '../../testing/until.ts';
import { type CallCost, countCall } from '../lib/count-call.ts';
import { createCountingTracing } from '../lib/counting-tracing.ts';
import { defineTimes } from './define-times.ts';
import { onSample, storefront } from './on-sample.ts';
import { seedHistory, seedLists } from './seed-lists.ts';

/** The goal of each page, on an idle machine. */
const goalP95Ms = 60;
/** Read from the sample, with scores; the account with few keywords has only these. */
const scoredKeywords = ['habit tracker', 'daily planner', 'routine'];
/** An app of the sample that ranks for them. */
const rivalId = '9048598736';

/** What a page may cost at most. */
const limits: Readonly<Record<string, CallCost>> = JSON.parse(
  readFileSync(new URL('dashboard.json', import.meta.url), 'utf8'),
);

/** An account with its browser, its app and a keyword that has scores. */
type Visitor = { open: Api; api: Api; accountId: string; listingId: number; keywordId: number };

export const times = defineTimes({
  name: 'dashboard',
  question: 'How long do the pages of the dashboard take, and what do they cost, whatever their rows?',
  options: {
    calls: [25, 'times that each page is opened', [5, 500]],
    keywords: [200, 'tracked keywords of the account', [10, 1000]],
    days: [90, 'days of history of each keyword', [1, 400]],
  },
  async run({ calls, keywords, days }) {
    await countCosts({ keywords, days });
    await onSample('dashboard-times', calls, async ({ sample, table }) => {
      const [many] = await seedVisitors(sample, { keywords, days });
      let slowest = 0;
      for (const [name, path] of pagesOf(many)) {
        const { p95 } = await table.show(name, { apis: [many.open] }, { path });
        slowest = Math.max(slowest, p95);
      }
      const isReached = slowest <= goalP95Ms;
      console.log(`  goal of a p95 of ${goalP95Ms} ms at most ${isReached ? 'reached' : 'MISSED'}`);
    });
  },
});

function pagesOf({ listingId, keywordId }: Visitor): [name: string, path: string][] {
  const app = `/apps/${listingId}`;
  return [
    ['overview', ''],
    ['app', app],
    ['keywords', `${app}/keywords`],
    ['keyword', `${app}/keywords/${keywordId}`],
    ['rivals', `${app}/rivals`],
    ['account', '/account'],
  ];
}

/** Two accounts with the same app: the first one with many keywords, the other one with three of them. */
async function seedVisitors(
  sample: SampleSystem,
  { keywords, days }: { keywords: number; days: number },
): Promise<[many: Visitor, few: Visitor]> {
  const { accounts, url } = sample.system;
  const created = [];
  for (const name of ['many', 'few']) {
    const { id, key } = await accounts.create({ email: `${name}@example.com`, plan: 'unlimited' });
    created.push({
      accountId: id,
      api: createApi(url, key, { isPlain: true }),
      open: await openAs(url, key),
    });
  }
  const callers = {
    apis: created.map(({ api }) => api),
    accountIds: created.map(({ accountId }) => accountId),
  };
  const rows = keywords - scoredKeywords.length;
  const { listingId } = await seedLists(sample, callers, { rows });
  for (const { api } of created) {
    const inApp = { app_id: listingId, ...storefront };
    await api('POST', '/keywords', { keywords: scoredKeywords, ...inApp });
    await api('POST', '/competitors', { competitor_app_id: rivalId, ...inApp });
  }
  await seedHistory(sample, { accountId: created[0]?.accountId ?? '', listingId }, days);
  const visitors: Visitor[] = [];
  for (const account of created)
    visitors.push({ ...account, listingId, keywordId: await untilScored(account.api, listingId) });
  return visitors as [Visitor, Visitor];
}

/** Waits for the audit and the scores. Returns the id of a keyword. */
async function untilScored(api: Api, listingId: number): Promise<number> {
  const { body } = await api('GET', `/keywords?search=${encodeURIComponent(scoredKeywords[0] ?? '')}`);
  const keywordId = body.data[0].keyword_id as number;
  await until(async () => (await api('GET', `/keywords/${keywordId}/scores`)).status === 200);
  await until(async () => {
    const { status, body } = await api('GET', `/applications/${listingId}/aso-health`);
    return status === 200 && body.data.report !== null;
  });
  return keywordId;
}

/** Opens pages as the browser of an account. One that is refused because it comes too soon is opened again. */
async function openAs(url: string, key: string): Promise<Api> {
  const cookie = await signIn(url, key);
  const headers = { cookie, accept: 'text/html', 'accept-encoding': 'identity' };
  return async (_method, path) => {
    for (;;) {
      const startedAt = performance.now();
      const response = await fetch(`${url}/dashboard${path}`, { headers, redirect: 'manual' });
      const html = await response.text();
      const ms = performance.now() - startedAt;
      const [, data = 'null'] = /id="data">([^<]*)</.exec(html) ?? [];
      if (response.status !== 429) return { status: response.status, body: JSON.parse(data), ms };
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
}

/**
 * Prints what each page costs with three keywords and with many. More than dashboard.json allows is a failure. The account with many
 * also has keywords without an earlier day, for which movements look back: up to eight queries more, whatever their number.
 */
async function countCosts(size: { keywords: number; days: number }): Promise<void> {
  const counting = createCountingTracing();
  setTracing(counting.tracing);
  const sample = await startSampleSystem('dashboard-costs');
  const costOf = (open: Api, path: string) =>
    countCall(counting, async () => {
      const { status } = await open('GET', path);
      if (status !== 200) throw new Error(`${path}: ${status}`);
    });
  try {
    const [many, few] = await seedVisitors(sample, size);
    const rows: string[][] = [];
    let exceeded = 0;
    for (const [index, [name, path]] of pagesOf(many).entries()) {
      const small = await costOf(few.open, pagesOf(few)[index]?.[1] ?? '');
      const large = await costOf(many.open, path);
      rows.push([name, ...[small.commands, large.commands, small.rpcs, large.rpcs].map(String)]);
      const limit = limits[name];
      if (limit && large.commands <= limit.commands && large.rpcs <= limit.rpcs) continue;
      exceeded++;
      console.log(
        `MORE than allowed: ${name}: ${JSON.stringify({ small, large })}, allowed ${JSON.stringify(limit ?? null)}`,
      );
    }
    const [least, most] = [scoredKeywords.length, size.keywords];
    const head = ['page', `commands, ${least} keywords`, `${most}`, `RPCs, ${least} keywords`, `${most}`];
    console.log(formatTable(head, rows));
    console.log(`${rows.length - exceeded} pages as dashboard.json allows, ${exceeded} not\n`);
    if (exceeded > 0) process.exitCode = 1;
  } finally {
    await sample.stop();
    setTracing(null);
  }
}
