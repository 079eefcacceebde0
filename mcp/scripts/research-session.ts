/**
 * A research session as an assistant has it, on the sample store and the day of the recorded examples: audits, niches, keywords, drafts,
 * a rival, the gap to it, and alerts of the week after. Prints each call with the size of its answer, as a table for
 * docs/research-session.md; --write puts it there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { waitUntilIdle } from '../../app/scripts/record-examples/wait-until-idle.ts';
import { callWithin } from '../../testing/call-within.ts';
import { startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { until } from '../../testing/until.ts';

const page = new URL('../../docs/research-session.md', import.meta.url);
const begin = '<!-- session -->';
const end = '<!-- /session -->';
const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const startsAt = Date.parse('2026-11-21T09:30:00Z');

// biome-ignore lint/suspicious/noExplicitAny: a script reads whatever comes
type Data = any;

let daysPassed = 0;
const startedMs = performance.now();
const now = () => new Date(startsAt + daysPassed * dayMs + performance.now() - startedMs);
const { system, stop } = await startSampleSystem('session', { now });
const client = new Client({ name: 'research-session', version: '1.0.0' });
const lines: string[] = [];
try {
  const { key } = await system.accounts.create({ email: 'session@example.com', plan: 'unlimited' });
  const headers = { Authorization: `Bearer ${key}` };
  const url = new URL(`${system.url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  await research();
} finally {
  await client.close();
  await stop();
}
const table = [
  '| what the assistant does | call | answer | characters |',
  '|---|---|---|---|',
  ...lines,
].join('\n');
console.log(table);
if (process.argv.includes('--write')) {
  const text = readFileSync(page, 'utf8');
  const from = text.indexOf(begin) + begin.length;
  writeFileSync(page, `${text.slice(0, from)}\n${table}\n${text.slice(text.indexOf(end))}`);
}

async function research(): Promise<void> {
  await call(
    'Finds the app in a chart',
    'top_charts',
    { ...without(market, 'lang'), category: 'OVERALL', limit: 10 },
    ({ rows }) => `${rows.length} rows; 1st ${rows[0].title}`,
  );
  const suggestions = await call(
    'Reads what people type',
    'run_autocomplete',
    { prefix: 'habit', ...market },
    (data) => data.suggestions.slice(0, 4).join(', '),
  );
  const keyword = suggestions.suggestions[0];
  const inspection = await call(
    'Judges the first suggestion',
    'inspect_keyword',
    { keyword, ...market },
    (data) =>
      `traffic ${data.traffic_score}, difficulty ${data.difficulty_score}, KEI ${data.kei?.score} (${data.kei?.level})`,
  );
  const [rival, own] = inspection.ranking;
  const { id } = await call(
    'Tracks the app that ranks second',
    'add_application',
    { app_id: own.app_id, ...market },
    (data) => `id ${data.id}: ${data.app.title}`,
  );
  const audit = await auditOnceComplete(id);
  const niches = await call(
    'Looks for niches',
    'run_niche_analysis',
    { topic: keyword, ...market },
    ({ clusters }) =>
      `${clusters.length} niches; best: ${clusters[0].name} (${clusters[0].opportunityScore})`,
  );
  const keywords = niches.clusters[0].keywords.slice(0, 3).map(({ name }: { name: string }) => name);
  await call(
    'Tracks three keywords of the best niche',
    'track_keywords',
    { keywords, app_id: id, ...market },
    ({ success_count: tracked }) => `${tracked} tracked`,
  );
  const drafts = ['Habit Builder & Daily Planner', 'Habit Builder: Daily Routine'];
  for (const subtitle of drafts) {
    await call(
      'Checks a subtitle',
      'check_metadata',
      { store: market.store, title: audit.app.title, subtitle },
      ({ valid, fields }) => `${valid ? 'valid' : 'not valid'}, characters left: ${fields[1].remaining}`,
    );
    await call('Scores it', 'simulate_metadata', { app_id: id, subtitle }, ({ aso_health: health, delta }) =>
      ['global', 'coverage', 'targeting']
        .map((one) => `${one} ${health[one]} (${sign(delta[one])})`)
        .join(', '),
    );
  }
  await call(
    'Compares with the leader',
    'add_competitor',
    { app_id: id, competitor_app_id: rival.app_id, ...market },
    (data) => `relation ${data.id}: ${data.competitor.title}`,
  );
  await call(
    'Compares their visibility',
    'list_competitors',
    { app_id: id },
    ([row]) => `visibility ${row.app_score} against ${row.competitor_score}`,
  );
  await call('Reads the ranks', 'list_keywords', { app_id: id }, (rows) =>
    rows.map((row: Data) => `${row.keyword}: ${row.current_rank ?? 'not ranked'}`).join(', '),
  );
  await call(
    'Looks where the leader is in the top ten and the app is not first',
    'list_keyword_gap',
    { app_id: id, own_min_rank: 2 },
    (rows, { total }) => `${total} terms; ${rows.slice(0, 3).map(describeGap).join('; ')}`,
  );
  await call('Looks at what the user is notified of', 'list_alert_rules', {}, (rows) =>
    rows.map((row: Data) => `${row.id} ${row.kind} ${row.threshold ?? ''}`.trim()).join(', '),
  );
  await call(
    'Asks to be notified of smaller falls',
    'update_alert_rule',
    { rule_id: 1, threshold: 1 },
    (rule) => `rule ${rule.id}: ${rule.kind} ${rule.threshold}`,
  );
  await call(
    'Asks to be notified of rises',
    'create_alert_rule',
    { app_id: id, kind: 'rank_rise', threshold: 1 },
    (rule) => `rule ${rule.id}: ${rule.kind} ${rule.threshold}`,
  );
  await call(
    'Looks at what it cost',
    'get_account_usage',
    {},
    ({ usage }) => `${usage.api_requests} API requests`,
  );
  await passDays(7);
  await call(
    'A week later, reads what was found',
    'list_alerts',
    { since: 0 },
    (rows, { total }) => `${total} alerts; ${rows[0]?.text ?? 'none'}`,
  );
  await call(
    'Looks at the ranks of the week',
    'get_rank_distribution',
    { app_id: id },
    ({ history }) => `${history.length} days; in the top 10: ${history.map(countTopTen).join(', ')}`,
  );
}

function describeGap({ keyword, own_rank: own, rivals: [rival] }: Data): string {
  return `${keyword}: ${own ?? 'not ranked'}, ${rival.title} ${rival.rank}`;
}

function countTopTen(day: Data): number {
  return day.rank_1 + day.rank_2_3 + day.rank_4_10;
}

/** On each of the days the keywords are read once. */
async function passDays(count: number): Promise<void> {
  const { tracking } = system.clients;
  for (let passed = 0; passed < count; passed++) {
    daysPassed++;
    await tracking.startSnapshotRun({ all_of_today: false, day: utcDay(now()) }, callWithin());
    await until(async () => (await tracking.getSnapshotRun({}, callWithin())).run?.is_over ?? true);
    await waitUntilIdle(system);
  }
}

/** The audit follows the tracking within seconds. */
async function auditOnceComplete(id: number): Promise<Data> {
  for (;;) {
    const listed = await client.callTool({ name: 'list_applications', arguments: { app_id: id } });
    const [{ aso_health: health }] = (listed.structuredContent as Data).data;
    if (health !== null) break;
    await sleep(1000);
  }
  return call('Audits it', 'get_aso_health', { app_id: id }, ({ report }) => {
    const axes = report.axes.map(({ key, score }: Data) => `${key} ${score}`).join(', ');
    return `${report.global} (${axes}); ${report.flags.length} findings`;
  });
}

async function call(
  purpose: string,
  name: string,
  input: Record<string, unknown>,
  summarize: (data: Data, meta: Data) => string,
): Promise<Data> {
  const result = await client.callTool({ name, arguments: input });
  const [{ text = '' } = {}] = result.content as { text?: string }[];
  if (result.isError) throw new Error(`${name}: ${text}`);
  const { data, meta } = result.structuredContent as { data: Data; meta: Data };
  const shown = Object.entries(input)
    .filter(([key]) => !(key in market))
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const cells = [
    purpose,
    `\`${name}\` ${shown.join(', ')}`,
    summarize(data, meta),
    text.length.toLocaleString('en'),
  ];
  lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return data;
}

function without<Row extends object>(row: Row, name: keyof Row): Partial<Row> {
  const { [name]: _, ...rest } = row;
  return rest as Partial<Row>;
}

function sign(number: number | null | undefined): string {
  return number == null ? 'not comparable' : `${number >= 0 ? '+' : ''}${number}`;
}
