import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { endpoints } from '../api/endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Column, formatTable } from '../print/format-table.ts';
import { printWarnings, toDay } from '../print/print-warnings.ts';
import { defineCommand, toQuery } from './define-command.ts';
import { storefrontOptions } from './storefront-options.ts';

type Keyword = { name: string; trafficScore: number; difficultyScore: number; scoredAt: string | null };

type Cluster = {
  name: string;
  appConcept: string;
  intentType: string;
  opportunityScore: number;
  keywords: Keyword[];
};

type Analysis = { topic: string; totalKeywords: number; analyzedAt: string; clusters: Cluster[] };

const columns: Column<Keyword>[] = [
  { title: '  keyword', value: (row) => `  ${row.name}`, isLong: true },
  { title: 'traffic', value: (row) => row.trafficScore },
  { title: 'difficulty', value: (row) => row.difficultyScore },
  { title: 'scored on', value: (row) => row.scoredAt && toDay(row.scoredAt) },
];

/** Analyzes a niche. */
export const niches = defineCommand({
  name: 'niches',
  summary: 'Analyze a niche: the search terms around a topic, in clusters',
  words: ['TOPIC'],
  endpoint: endpoints.analyzeNiche,
  options: storefrontOptions,
  details:
    'The most opportunity comes first. Spends one API request. A new analysis can take a few minutes; interrupted, it goes on in Shelfwise, and the same command shows it later.',
  example: "niches 'habit tracker' --store ITUNES --country US --lang en-US",
  async run(run, values, [topic = '']) {
    const { text, data, meta } = await run.api.call<Analysis>(endpoints.analyzeNiche, {
      query: { topic, ...toQuery(storefrontOptions, values) },
    });
    if (run.format === 'json') {
      await run.printJson(text);
      return exitCodes.ok;
    }
    await run.print(format(data, run.width));
    const { left_out: leftOut } = meta as { left_out?: number };
    if (leftOut) run.note(`${leftOut} more terms were found and have no scores.`);
    printWarnings(run, meta);
    return exitCodes.ok;
  },
});

function format({ topic, totalKeywords, analyzedAt, clusters }: Analysis, width: number | null): string {
  const head = `${topic}: ${clusters.length} clusters, ${totalKeywords} keywords; analyzed on ${toDay(analyzedAt)}`;
  return [toPrintableLine(head), ...clusters.map((cluster) => formatCluster(cluster, width))].join('\n\n');
}

function formatCluster(cluster: Cluster, width: number | null): string {
  const { name, intentType, opportunityScore, appConcept, keywords } = cluster;
  return [
    toPrintableLine(`${name}: opportunity ${opportunityScore}, ${intentType}`),
    toPrintableLine(`  ${appConcept}`),
    formatTable(columns, keywords, width),
  ].join('\n');
}
