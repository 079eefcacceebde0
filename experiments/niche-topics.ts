/**
 * How the niches of topics separate: `npm start` on the sample store, or on a stand-in with recorded answers, analyzes
 * each topic. Prints keywords, clusters, the share of the largest cluster, and the best opportunity with its concept,
 * then the median number of clusters.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { type Api, type ApiAnswer, createApi } from '../testing/system/api.ts';
import { storeAddresses } from '../testing/system/stand-in.ts';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { createCleanup } from './lib/cleanup.ts';

const defaultTopics =
  'meditation,habit tracker,budget planner,photo editor,recipes,language learning,workout,sleep sounds,weather,notes,dating,invoices';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    topics: { type: 'string', default: defaultTopics },
    details: { type: 'boolean', default: false },
    port: { type: 'string', default: '18391' },
    help: { type: 'boolean' },
  },
});
const topics = values.topics.split(',').map((topic) => topic.trim());
if (values.help || topics.some((topic) => topic.length < 2)) {
  console.log(`Usage: npm run niche-topics [-- --store URL] [--topics meditation,notes] [--details]

  --store URL   a stand-in for both stores (default: the sample store)
  --topics a,b  default: ${defaultTopics}
  --details     also every cluster with its keywords
  --port N      of the gateway (default 18391)`);
  process.exit(values.help ? 0 : 2);
}

type Keyword = { name: string; trafficScore: number; difficultyScore: number };
type Cluster = { name: string; appConcept: string; opportunityScore: number; keywords: Keyword[] };
type Analysis = { totalKeywords: number; clusters: Cluster[] };

const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
/** A store's empty list of suggestions is believed only at a second look; until then an analysis is cached for an hour. */
const secondLookMs = 61 * 60_000;
/** Processes read a moved clock after a tenth of this. */
const clockMs = 1000;

const cleanup = createCleanup();
const folder = mkdtempSync(join(tmpdir(), 'shelfwise-niche-topics-'));
cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
const clockFile = join(folder, 'clock');

try {
  await run();
} finally {
  await cleanup.run();
}

async function run(): Promise<void> {
  const settings = values.store === undefined ? { STORE_SOURCE: 'sample' } : standInSettings(values.store);
  const system = await startSystemProcess({
    ...settings,
    // Empty ones count as absent.
    MONGODB_URI: '',
    REDIS_URL: '',
    KAFKA_BROKERS: '',
    STORE_PROXIES: '',
    NODE_OPTIONS: `--import ${new URL('faults/shift-clock.mjs', import.meta.url).href}`,
    FAULTS_CLOCK_PORT: values.port,
    FAULTS_CLOCK_FILE: clockFile,
    PORT: values.port,
    SHELFWISE_DATA_DIR: join(folder, 'data'),
    SHELFWISE_DEMO_ACCOUNT: 'true',
    DAILY_RUN: 'false',
    LOG_LEVEL: 'fatal',
  });
  cleanup.add(() => system.end('SIGINT'));
  const api = createApi(system.url, system.key ?? '');
  if (values.store !== undefined) {
    for (const topic of topics) await ask(api, topic);
    writeFileSync(clockFile, String(secondLookMs));
    await sleep(clockMs);
  }
  const rows: string[][] = [];
  const counts: number[] = [];
  for (const topic of topics) {
    const { status, body } = await ask(api, topic);
    if (status !== 200) {
      rows.push([topic, '', '', '', '', '', `${status} ${body.error}`]);
      continue;
    }
    const [data, meta] = [body.data as Analysis, body.meta ?? {}];
    if (values.details) showDetails(topic, data, meta);
    counts.push(data.clusters.length);
    rows.push(rowOf(topic, data, meta));
  }
  const head = ['topic', 'read', 'keywords', 'clusters', 'largest', 'best', 'concept'];
  console.log(`\n${formatTable(head, rows)}`);
  console.log(`\n  median of ${counts.length} topics: ${medianOf(counts)} clusters`);
}

/** None of the budgets is to limit what is analyzed. */
function standInSettings(url: string): Record<string, string> {
  return {
    ...storeAddresses(url),
    STORE_SOURCE: 'live',
    STORE_ITUNES_PER_MINUTE: '6000',
    STORE_ITUNES_HINTS_PER_MINUTE: '6000',
    STORE_ITUNES_PAGES_PER_MINUTE: '6000',
  };
}

type Meta = Record<string, unknown>;

function ask(api: Api, topic: string): Promise<ApiAnswer> {
  return api('GET', `/niches?${new URLSearchParams({ topic, ...market })}`);
}

function rowOf(topic: string, { totalKeywords, clusters }: Analysis, meta: Meta): string[] {
  const sizes = clusters.map(({ keywords }) => keywords.length);
  const largest = totalKeywords === 0 ? '' : `${Math.round((100 * Math.max(...sizes)) / totalKeywords)} %`;
  const [best] = clusters;
  const read = `${Number(meta.candidates) - Number(meta.left_out)} of ${meta.candidates}`;
  return [
    ...[topic, read, String(totalKeywords), String(clusters.length), largest],
    ...[String(best?.opportunityScore ?? ''), best?.appConcept ?? JSON.stringify(meta)],
  ];
}

function showDetails(topic: string, { clusters }: Analysis, meta: Meta): void {
  console.log(`\n# ${topic} ${JSON.stringify(meta)}`);
  for (const { name, appConcept, opportunityScore, keywords } of clusters) {
    console.log(`  ${opportunityScore} ${name}: ${appConcept}`);
    const shown = keywords.map(
      (keyword) => `${keyword.name} ${keyword.trafficScore}/${keyword.difficultyScore}`,
    );
    console.log(`    ${shown.join(', ')}`);
  }
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}
