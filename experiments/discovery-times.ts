/**
 * The times of the discovery endpoints over HTTP, compared with a bare Express answer of the same bytes in the same
 * run: trust the ratios, not the times. The whole system runs on the sample store in this process, with one call at a
 * time. Niches use a second niche service and gateway in front of scripted services with any number of terms, so that
 * their times exclude the store.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countries } from '@shelfwise/facts/stores/country';
import { toNicheTerms } from '@shelfwise/niche/analysis/to-niche-terms';
import { clusterTerms, prepareTerms } from '@shelfwise/niche/domain/cluster-terms';
import { splitLargeClusters } from '@shelfwise/niche/domain/split-large-clusters';
import type { Api, ApiAnswer } from '../testing/system/api.ts';
import { startSampleSystem } from '../testing/system/start-sample-system.ts';
import { minCpuMs, nLogN } from './lib/cpu-time.ts';
import { createCallers } from './lib/create-callers.ts';
import { type ScriptedNiche, startScriptedNiche } from './lib/start-scripted-niche.ts';
import { createTimesTable, formatMs, type TimesTable } from './lib/times-table.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '20' }, help: { type: 'boolean' } },
});
const calls = Number(values.calls);
if (values.help || !(Number.isInteger(calls) && calls >= 5 && calls <= 100)) {
  console.log('Usage: npm run discovery-times [-- --calls 20]\n\n  --calls N   calls per endpoint, 5 to 100');
  process.exit(values.help ? 0 : 2);
}

const sizes = [100, 500, 2000];
const competitorCount = 10;
/** The default page size of a history. */
const historyRows = 50;
const chartRows = 200;
const appId = '9005997251';
const keywords = ['habit tracker', 'daily planner', 'routine'];
const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const inStorefront = new URLSearchParams(storefront);
const scoresWaitMs = 60_000;

const sampleSystem = await startSampleSystem('discovery-times');
const table = createTimesTable(calls);

try {
  const scripted = await startScriptedNiche(sampleSystem);
  const { system } = sampleSystem;
  const { apis } = await createCallers(system.accounts, system.url);
  const { apis: nicheApis } = await createCallers(scripted.accounts, scripted.url);
  await Promise.all(apis.map(trackApp));
  const queries = createPaths((index) => `/autocomplete?prefix=habit%20${index}&${inStorefront}`);
  await Promise.all(apis.map((api) => callAll(api, queries)));

  table.showHeader();
  const growth = await showNiches(table, nicheApis, scripted);
  await showCharts(table, apis);
  await showOthers(table, apis);
  showGrowth(growth);
} finally {
  table.close();
  await sampleSystem.stop();
}

/** Tracks an app with keywords and competitors, and waits for the scores of the competitors. */
async function trackApp(api: Api): Promise<void> {
  const id = (await callApi(api, 'POST', '/applications', { app_id: appId, ...storefront })).data.id;
  await callApi(api, 'POST', '/keywords', { keywords, app_id: id, ...storefront });
  const page = await callApi(api, 'GET', `/keywords/inspect?keyword=habit%20tracker&${inStorefront}`);
  const competitorIds: string[] = page.data.ranking.map((app: { app_id: string }) => app.app_id);
  for (const competitorAppId of competitorIds
    .filter((competitorId) => competitorId !== appId)
    .slice(0, competitorCount))
    await callApi(api, 'POST', '/competitors', {
      app_id: id,
      competitor_app_id: competitorAppId,
      ...storefront,
    });
  const giveUpAt = Date.now() + scoresWaitMs;
  while (!hasScores((await callApi(api, 'GET', `/competitors?app_id=${id}`)).data)) {
    if (Date.now() > giveUpAt) throw new Error('The competitors have no scores.');
    await sleep(500);
  }
}

function hasScores(rows: { app_score: number | null; competitor_score: number | null }[]): boolean {
  return (
    rows.length === competitorCount &&
    rows.every((row) => row.app_score != null && row.competitor_score != null)
  );
}

/** The times of a fresh niche analysis with `size` terms. */
type Growth = { size: number; p50: number; cpuMs: number; pairwiseMs: number };

async function showNiches(table: TimesTable, apis: readonly Api[], scripted: ScriptedNiche) {
  const growth: Growth[] = [];
  const nichePath = (topic: string) => `/niches?${new URLSearchParams({ topic, ...storefront })}`;
  let analyses = 0;
  let topic = '';
  for (const size of sizes) {
    const { p50, cpuMs } = await table.show(`#22 niche, fresh, ${size.toLocaleString('en')} terms`, apis, {
      method: 'GET',
      path() {
        topic = `topic${++analyses}`;
        scripted.script(topic, size);
        return nichePath(topic);
      },
      isExpected: ({ data, meta }) =>
        meta?.cached === false &&
        meta.candidates === size &&
        meta.left_out === 0 &&
        data.totalKeywords === size,
    });
    growth.push({ size, p50, cpuMs, pairwiseMs: pairwiseMs(scripted) });
  }
  const cachedPath = nichePath(topic);
  await Promise.all(apis.map((api) => callApi(api, 'GET', cachedPath)));
  await table.show(`#22 niche, cached, ${sizes.at(-1)?.toLocaleString('en')} terms`, apis, {
    method: 'GET',
    path: cachedPath,
    isExpected: ({ meta }) => meta?.cached === true,
  });
  scripted.script('history', 10);
  const topics = createPaths((index) => nichePath(`history ${index}`));
  await Promise.all(apis.map((api) => callAll(api, topics)));
  await table.show(`#23 niche history, ${historyRows} rows`, apis, {
    method: 'GET',
    path: '/niches/history',
    isExpected: ({ data }) => data.length === historyRows,
  });
  return growth;
}

/** The CPU time of the pairwise step, on the terms of the last analysis. */
function pairwiseMs({ scored }: ScriptedNiche): number {
  const terms = prepareTerms(toNicheTerms(scored), storefront.lang);
  return minCpuMs(() => splitLargeClusters(clusterTerms(terms)));
}

async function showCharts(table: TimesTable, apis: readonly Api[]): Promise<void> {
  const chartPath = (country: string) => `/top-charts?store=GPLAY&country=${country}&limit=${chartRows}`;
  const others = [...countries.GPLAY].filter((country) => country !== 'US');
  let next = 0;
  const chart = {
    method: 'GET' as const,
    isExpected: ({ data }: { data?: { rows: unknown[] } }) => data?.rows.length === chartRows,
  };
  await table.show(`#24 chart, ${chartRows} rows, today's snapshot`, apis, {
    ...chart,
    path: chartPath('US'),
  });
  await table.show(`#24 chart, ${chartRows} rows, first of the day`, apis, {
    ...chart,
    path: () => chartPath(others[next++] ?? ''),
  });
  await table.show('#25 chart categories', apis, { method: 'GET', path: '/top-charts/categories' });
}

async function showOthers(table: TimesTable, apis: readonly Api[]): Promise<void> {
  const prefix = `/autocomplete?prefix=habit&${inStorefront}`;
  await table.show('#20 autocomplete', apis, { method: 'GET', path: prefix });
  await table.show(`#21 autocomplete history, ${historyRows} rows`, apis, {
    method: 'GET',
    path: '/autocomplete/history',
    isExpected: ({ data }) => data.length === historyRows,
  });
  await table.show(`#12 competitors (${competitorCount} rows)`, apis, {
    method: 'GET',
    path: '/competitors',
    isExpected: ({ data }) => hasScores(data),
  });
}

function showGrowth(growth: readonly Growth[]): void {
  const row = (cells: readonly string[]) => console.log(cells.map((cell) => cell.padStart(15)).join(''));
  console.log();
  row(['niche, fresh', 'p50', 'per n log n', 'CPU', 'per n log n', 'pairwise step', 'of CPU']);
  const [first] = growth;
  for (const { size, p50, cpuMs, pairwiseMs } of growth) {
    const grown = (ms: number, from = ms) =>
      `x${(ms / from / (nLogN(size) / nLogN(first?.size ?? size))).toFixed(2)}`;
    row([
      ...[`${size.toLocaleString('en')} terms`, formatMs(p50), grown(p50, first?.p50)],
      ...[formatMs(cpuMs), grown(cpuMs, first?.cpuMs)],
      ...[formatMs(pairwiseMs), `${((100 * pairwiseMs) / cpuMs).toFixed(1)} %`],
    ]);
  }
  console.log(
    'per n log n: growth since the first size, divided by the growth of n log n; 1 grows as n log n. CPU: the whole\n' +
      'process per analysis, including the scripted services and the caller; the least sensitive to other load.',
  );
}

function createPaths(toPath: (index: number) => string): string[] {
  return Array.from({ length: historyRows }, (_, index) => toPath(index));
}

async function callAll(api: Api, paths: readonly string[]): Promise<void> {
  for (const path of paths) await callApi(api, 'GET', path);
}

/** @throws when the answer is not a success */
async function callApi(api: Api, ...request: Parameters<Api>): Promise<ApiAnswer['body']> {
  const { status, body } = await api(...request);
  if (status >= 300) throw new Error(`${request.join(' ')}: ${status} ${JSON.stringify(body)}`);
  return body;
}
