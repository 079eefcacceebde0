/**
 * How long the endpoints of discovery take over HTTP, against a bare Express answer of the same bytes in the same run:
 * trust the ratios, not the numbers. The whole system on the sample store, in this process, one call at a time. For
 * niches a second niche service and gateway beside it, before which scripted services have as many terms as are wanted:
 * so its times are those of the analysis itself, without any store's.
 *
 *   npm run discovery-times [-- --calls 20]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countries } from '@shelfwise/facts/country';
import { toNicheTerms } from '@shelfwise/niche/analysis/to-niche-terms';
import { clusterTerms, prepareTerms } from '@shelfwise/niche/domain/cluster-terms';
import type { Api, ApiAnswer } from '../testing/system/api.ts';
import { minCpuMs } from './lib/cpu-time.ts';
import { createCallers } from './lib/create-callers.ts';
import { nLogN } from './lib/n-log-n.ts';
import { startSampleSystem } from './lib/start-sample-system.ts';
import { type ScriptedNiche, startScriptedNiche } from './lib/start-scripted-niche.ts';
import { createTimesTable, shownMs, type TimesTable } from './lib/times-table.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '20' }, help: { type: 'boolean' } },
});
const calls = Number(values.calls);
if (values.help || !(Number.isInteger(calls) && calls >= 5 && calls <= 100)) {
  console.log('usage: npm run discovery-times [-- --calls 20]\n  5 to 100 calls of each.');
  process.exit(values.help ? 0 : 2);
}

const sizes = [100, 500, 2000];
const relations = 10;
/** What one page of a history holds by default. */
const historyRows = 50;
const chartRows = 200;
const appId = '9005997251';
const keywords = ['habit tracker', 'daily planner', 'routine'];
const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const inMarket = new URLSearchParams(market);
const scoresWaitMs = 60_000;

const onSample = await startSampleSystem('discovery-times');
const table = createTimesTable(calls);

try {
  const scripted = await startScriptedNiche(onSample);
  const { system } = onSample;
  const { apis } = await createCallers(system.accounts, system.url);
  const { apis: nicheApis } = await createCallers(scripted.accounts, scripted.url);
  await Promise.all(apis.map(trackApp));
  const queries = numbered((index) => `/autocomplete?prefix=habit%20${index}&${inMarket}`);
  await Promise.all(apis.map((api) => callAll(api, queries)));

  table.showHeader();
  const growth = await showNiches(table, nicheApis, scripted);
  await showCharts(table, apis);
  await showRest(table, apis);
  showGrowth(growth);
} finally {
  table.close();
  await onSample.stop();
}

/** An app with its competitors, once their scores are there. */
async function trackApp(api: Api): Promise<void> {
  const id = (await ask(api, 'POST', '/applications', { app_id: appId, ...market })).data.id;
  await ask(api, 'POST', '/keywords', { keywords, app_id: id, ...market });
  const page = await ask(api, 'GET', `/keywords/inspect?keyword=habit%20tracker&${inMarket}`);
  const rivals: string[] = page.data.ranking.map((app: { app_id: string }) => app.app_id);
  for (const competitorAppId of rivals.filter((rival) => rival !== appId).slice(0, relations))
    await ask(api, 'POST', '/competitors', { app_id: id, competitor_app_id: competitorAppId, ...market });
  const givenUpAt = Date.now() + scoresWaitMs;
  while (!hasScores((await ask(api, 'GET', `/competitors?app_id=${id}`)).data)) {
    if (Date.now() > givenUpAt) throw new Error('The competitors have no scores.');
    await sleep(500);
  }
}

function hasScores(rows: { app_score: number | null; competitor_score: number | null }[]): boolean {
  return (
    rows.length === relations && rows.every((row) => row.app_score != null && row.competitor_score != null)
  );
}

/** What there is to say of the growth with the terms. */
type Growth = { size: number; p50: number; cpuMs: number; pairwiseMs: number };

async function showNiches(table: TimesTable, apis: readonly Api[], scripted: ScriptedNiche) {
  const growth: Growth[] = [];
  const nichePath = (topic: string) => `/niches?${new URLSearchParams({ topic, ...market })}`;
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
      isRight: ({ data, meta }) =>
        meta?.cached === false &&
        meta.candidates === size &&
        meta.left_out === 0 &&
        data.totalKeywords === size,
    });
    growth.push({ size, p50, cpuMs, pairwiseMs: pairwiseMs(topic, scripted) });
  }
  const kept = nichePath(topic);
  await Promise.all(apis.map((api) => ask(api, 'GET', kept)));
  await table.show(`#22 niche, kept, ${sizes.at(-1)?.toLocaleString('en')} terms`, apis, {
    method: 'GET',
    path: kept,
    isRight: ({ meta }) => meta?.cached === true,
  });
  scripted.script('history', 10);
  const topics = numbered((index) => nichePath(`history ${index}`));
  await Promise.all(apis.map((api) => callAll(api, topics)));
  await table.show(`#23 niche history, ${historyRows} rows`, apis, {
    method: 'GET',
    path: '/niches/history',
    isRight: ({ data }) => data.length === historyRows,
  });
  return growth;
}

/** Processor time of the pairwise step alone, on the terms of the last analysis. */
function pairwiseMs(topic: string, { scored }: ScriptedNiche): number {
  const terms = prepareTerms(toNicheTerms(topic, scored), market.lang);
  return minCpuMs(() => clusterTerms(terms));
}

async function showCharts(table: TimesTable, apis: readonly Api[]): Promise<void> {
  const chartPath = (country: string) => `/top-charts?store=GPLAY&country=${country}&limit=${chartRows}`;
  const others = [...countries.GPLAY].filter((country) => country !== 'US');
  let next = 0;
  const chart = {
    method: 'GET' as const,
    isRight: ({ data }: { data?: { rows: unknown[] } }) => data?.rows.length === chartRows,
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

async function showRest(table: TimesTable, apis: readonly Api[]): Promise<void> {
  const prefix = `/autocomplete?prefix=habit&${inMarket}`;
  await table.show('#20 autocomplete', apis, { method: 'GET', path: prefix });
  await table.show(`#21 autocomplete history, ${historyRows} rows`, apis, {
    method: 'GET',
    path: '/autocomplete/history',
    isRight: ({ data }) => data.length === historyRows,
  });
  await table.show(`#12 competitors (${relations} relations)`, apis, {
    method: 'GET',
    path: '/competitors',
    isRight: ({ data }) => hasScores(data),
  });
}

function showGrowth(growth: readonly Growth[]): void {
  const row = (cells: readonly string[]) => console.log(cells.map((cell) => cell.padStart(15)).join(''));
  console.log();
  row(['niche, fresh', 'p50', 'per n log n', 'processor', 'per n log n', 'pairwise step', 'of processor']);
  const [first] = growth;
  for (const { size, p50, cpuMs, pairwiseMs } of growth) {
    const grown = (ms: number, from = ms) =>
      `x${(ms / from / (nLogN(size) / nLogN(first?.size ?? size))).toFixed(2)}`;
    row([
      ...[`${size.toLocaleString('en')} terms`, shownMs(p50), grown(p50, first?.p50)],
      ...[shownMs(cpuMs), grown(cpuMs, first?.cpuMs)],
      ...[shownMs(pairwiseMs), `${((100 * pairwiseMs) / cpuMs).toFixed(1)} %`],
    ]);
  }
  console.log(
    'per n log n: how often as long as at the first size, for each of n log n; 1 grows as n log n. processor: the\n' +
      'whole process for one analysis, the scripted services and the caller too, which the load of the machine moves least.',
  );
}

function numbered(toPath: (index: number) => string): string[] {
  return Array.from({ length: historyRows }, (_, index) => toPath(index));
}

async function callAll(api: Api, paths: readonly string[]): Promise<void> {
  for (const path of paths) await ask(api, 'GET', path);
}

/** @throws when the answer is not a success */
async function ask(api: Api, ...request: Parameters<Api>): Promise<ApiAnswer['body']> {
  const { status, body } = await api(...request);
  if (status >= 300) throw new Error(`${request.join(' ')}: ${status} ${JSON.stringify(body)}`);
  return body;
}
