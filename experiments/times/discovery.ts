import { setTimeout as sleep } from 'node:timers/promises';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { countries } from '@shelfwise/facts/stores/country';
import { toNicheTerms } from '@shelfwise/niche/analysis/to-niche-terms';
import { clusterTerms, prepareTerms } from '@shelfwise/niche/domain/cluster-terms';
import { splitLargeClusters } from '@shelfwise/niche/domain/split-large-clusters';
import type { Api, ApiAnswer } from '../../testing/system/api.ts';
import { minCpuMs, nLogN } from '../lib/cpu-time.ts';
import { defineTimes } from './define-times.ts';
import {
  appId,
  type Callers,
  createCallers,
  inStorefront,
  onSample,
  storefront,
  type TimesTable,
} from './on-sample.ts';
import { type ScriptedNiche, startScriptedNiche } from './scripted-niche.ts';

const sizes = [100, 500, 2000];
const competitorCount = 10;
/** The default page size of a history. */
const historyRows = 50;
const chartRows = 200;
const keywords = ['habit tracker', 'daily planner', 'routine'];
const scoresWaitMs = 60_000;

/**
 * Niches use a second niche service and gateway in front of scripted services with any number of terms, so that their times exclude
 * the store.
 */
export const times = defineTimes({
  name: 'discovery',
  question: 'How long do niches, charts and autocompletes take, and how does a niche grow with its terms?',
  options: { calls: [20, 'calls per endpoint', [5, 100]] },
  run: ({ calls }) =>
    onSample('discovery-times', calls, async ({ sample, callers, table }) => {
      const scripted = await startScriptedNiche(sample);
      const nicheCallers = await createCallers(scripted.accounts, scripted.url);
      await Promise.all(callers.apis.map(trackApp));
      const queries = createPaths((index) => `/autocomplete?prefix=habit%20${index}&${inStorefront}`);
      await Promise.all(callers.apis.map((api) => callAll(api, queries)));
      const growth = await showNiches(table, nicheCallers, scripted);
      await showCharts(table, callers);
      await showOthers(table, callers);
      showGrowth(growth);
    }),
});

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

async function showNiches(table: TimesTable, callers: Callers, scripted: ScriptedNiche) {
  const growth: Growth[] = [];
  const nichePath = (topic: string) => `/niches?${new URLSearchParams({ topic, ...storefront })}`;
  let analyses = 0;
  let topic = '';
  for (const size of sizes) {
    const { p50, cpuMs } = await table.show(`#22 niche, fresh, ${size.toLocaleString('en')} terms`, callers, {
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
  await Promise.all(callers.apis.map((api) => callApi(api, 'GET', cachedPath)));
  await table.show(`#22 niche, cached, ${sizes.at(-1)?.toLocaleString('en')} terms`, callers, {
    path: cachedPath,
    isExpected: ({ meta }) => meta?.cached === true,
  });
  scripted.script('history', 10);
  const topics = createPaths((index) => nichePath(`history ${index}`));
  await Promise.all(callers.apis.map((api) => callAll(api, topics)));
  await table.show(`#23 niche history, ${historyRows} rows`, callers, {
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

async function showCharts(table: TimesTable, callers: Callers): Promise<void> {
  const chartPath = (country: string) => `/top-charts?store=GPLAY&country=${country}&limit=${chartRows}`;
  const others = [...countries.GPLAY].filter((country) => country !== 'US');
  let next = 0;
  const chart = {
    isExpected: ({ data }: { data?: { rows: unknown[] } }) => data?.rows.length === chartRows,
  };
  await table.show(`#24 chart, ${chartRows} rows, today's snapshot`, callers, {
    ...chart,
    path: chartPath('US'),
  });
  await table.show(`#24 chart, ${chartRows} rows, first of the day`, callers, {
    ...chart,
    path: () => chartPath(others[next++] ?? ''),
  });
  await table.show('#25 chart categories', callers, { path: '/top-charts/categories' });
}

async function showOthers(table: TimesTable, callers: Callers): Promise<void> {
  const prefix = `/autocomplete?prefix=habit&${inStorefront}`;
  await table.show('#20 autocomplete', callers, { path: prefix });
  await table.show(`#21 autocomplete history, ${historyRows} rows`, callers, {
    path: '/autocomplete/history',
    isExpected: ({ data }) => data.length === historyRows,
  });
  await table.show(`#12 competitors (${competitorCount} rows)`, callers, {
    path: '/competitors',
    isExpected: ({ data }) => hasScores(data),
  });
}

/** `per n log n`: growth since the first size, divided by that of n log n. CPU: of this process, the least sensitive to other load. */
function showGrowth(growth: readonly Growth[]): void {
  const [first] = growth;
  const rows = growth.map(({ size, p50, cpuMs, pairwiseMs }) => {
    const grown = (ms: number, from = ms) =>
      `x${(ms / from / (nLogN(size) / nLogN(first?.size ?? size))).toFixed(2)}`;
    return [
      ...[`${size.toLocaleString('en')} terms`, p50.toFixed(1), grown(p50, first?.p50)],
      ...[cpuMs.toFixed(1), grown(cpuMs, first?.cpuMs)],
      ...[pairwiseMs.toFixed(1), `${((100 * pairwiseMs) / cpuMs).toFixed(1)} %`],
    ];
  });
  const head = ['niche, fresh', 'p50 ms', 'per n log n', 'CPU ms', 'per n log n', 'pairwise ms', 'of CPU'];
  console.log(`\n${formatTable(head, rows)}`);
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
