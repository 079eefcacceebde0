import { readFileSync } from 'node:fs';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { setTracing } from '@shelfwise/runtime/tracing/tracing';
import { visitsOfCycle } from '../../load-tests/k6/journey.ts';
import { prepareAccounts, warmUp } from '../../load-tests/lib/warm-up.ts';
import type { Api } from '../../testing/system/api.ts';
import { type SampleSystem, startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { until } from '../../testing/until.ts';
import { type CountingTracing, type Counts, createCountingTracing } from '../lib/counting-tracing.ts';
import { quantile } from '../lib/quantile.ts';
import { defineTimes } from './define-times.ts';
import { appId, createCallers, inStorefront, type Request, send, storefront } from './on-sample.ts';
import { ownCpuMicros } from './rounds.ts';

/** Longer than anything waits between a change and what follows from it. */
const quietMs = 400;
const idleMs = 2000;
const idleWindows = 3;
/** How many events share a delivery depends on the machine: a row that exceeds its limits is measured again, so often at most. */
const mostRounds = 10;
/** Of `POST /keywords` with many, and of a job. */
const manyKeywords = 20;

/** A measured call. `before` makes its state and does not count. Both get the round, so that texts can be new. */
type Endpoint = {
  name: string;
  call(round: number): Request;
  before?(round: number): Promise<void>;
};
type Row = Counts & { name: string; cpuMs: number };
type Cost = Pick<Counts, 'commands' | 'rpcs' | 'deliveries' | 'jobs'>;

/** What a call may cost at most: commands until its answer, commands and RPCs with its follow-up. */
type Limits = Readonly<Record<string, { call: number; all: number; rpcs: number }>>;
const limits: Limits = JSON.parse(readFileSync(new URL('endpoints.json', import.meta.url), 'utf8'));

export const times = defineTimes({
  name: 'endpoints',
  question: 'What does each endpoint cost with its follow-up: CPU, commands of the database and RPCs?',
  options: {
    rounds: [5, 'calls of each endpoint', [1, 100]],
    only: ['', 'measures only the endpoints whose name contains the text'],
    names: [false, 'also prints the commands by name'],
    visits: [false, 'also counts the commands of whole visits, as the load tests make them'],
  },
  async run({ rounds, only, names, visits }) {
    const counting = createCountingTracing();
    setTracing(counting.tracing);
    const sample = await startSampleSystem('endpoint-times');
    try {
      const { apis } = await createCallers(sample.system.accounts, sample.system.url);
      const endpoints = await prepareEndpoints(apis.slice(0, 2) as [Api, Api]);
      await counting.untilQuiet(2000);
      const idle = await measureIdle();
      const rows: Row[] = [];
      for (const endpoint of endpoints.filter(({ name }) => name.includes(only)))
        rows.push(await measure(endpoint, { api: apis[0] as Api, rounds, counting, idle }));
      print(rows, names);
      console.log(`\nidle: ${(idle * 100).toFixed(1)} % of a core`);
      report(rows);
      if (visits) await countVisits(sample, counting);
    } finally {
      await sample.stop();
      setTracing(null);
    }
  },
});

/** The share of a core that the idle system takes: the least of some seconds, because it may still be at work. */
async function measureIdle(): Promise<number> {
  const shares: number[] = [];
  for (let index = 0; index < idleWindows; index++) {
    const before = ownCpuMicros();
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    shares.push((ownCpuMicros() - before) / 1000 / idleMs);
  }
  return Math.min(...shares);
}

/** Counts are the least of the rounds: what happens to run during a call only adds to them. */
async function measure(
  { name, call, before }: Endpoint,
  deps: { api: Api; rounds: number; counting: ReturnType<typeof createCountingTracing>; idle: number },
): Promise<Row> {
  const { api, rounds, counting, idle } = deps;
  const all: Counts[] = [];
  const cpuMs: number[] = [];
  for (let round = 0; round < rounds || (round < mostRounds && exceedsLimits(name, leastOf(all))); round++) {
    await before?.(round);
    await counting.untilQuiet(quietMs);
    counting.take();
    const [startedAt, cpuBefore] = [performance.now(), ownCpuMicros()];
    await send(api, ...call(round));
    await counting.untilQuiet(quietMs);
    cpuMs.push((ownCpuMicros() - cpuBefore) / 1000 - idle * (performance.now() - startedAt));
    all.push(counting.take());
  }
  return {
    name,
    cpuMs: quantile(cpuMs, 0.5),
    ...leastOf(all),
    byName: all.at(-1)?.byName ?? new Map(),
  };
}

function leastOf(all: readonly Counts[]): Cost {
  const least = (of: (counts: Counts) => number) => Math.min(...all.map(of));
  return {
    commands: {
      call: least(({ commands }) => commands.call),
      followUp: least(({ commands }) => commands.followUp),
      around: least(({ commands }) => commands.around),
    },
    rpcs: least((counts) => counts.rpcs),
    deliveries: least((counts) => counts.deliveries),
    jobs: least((counts) => counts.jobs),
  };
}

function exceedsLimits(name: string, { commands, rpcs }: Cost): boolean {
  const limit = limits[name];
  const all = commands.call + commands.followUp;
  return !limit || commands.call > limit.call || all > limit.all || rpcs > limit.rpcs;
}

/** An account with an app, keywords, a competitor and one of each saved thing; another one that tracks the same words. */
async function prepareEndpoints([api, other]: [Api, Api]): Promise<Endpoint[]> {
  const keywords = Array.from({ length: manyKeywords }, (_, index) => `habit tracker ${index}`);
  const rivals = await listRivals(other);
  const track = async (who: Api) =>
    (await send(who, 'POST', '/applications', { app_id: appId, ...storefront })).data.id as number;
  const id = await track(other);
  await track(api);
  const inApp = { app_id: id, ...storefront };
  const addKeywords = (who: Api, words: readonly string[]) =>
    send(who, 'POST', '/keywords', { keywords: words, ...inApp });
  await addKeywords(other, ['habit tracker', 'daily planner', ...keywords.slice(2)]);
  await addKeywords(api, keywords);
  const keywordId = async (word: string) => {
    const { data } = await send(api, 'GET', `/keywords?search=${encodeURIComponent(word)}`);
    return data.find((row: { keyword: string }) => row.keyword === word).keyword_id as number;
  };
  const first = await keywordId(keywords[0] as string);
  const keywordPath = `/keywords/${first}/apps/${id}`;
  const addRival = async (index: number) =>
    (await send(api, 'POST', '/competitors', { ...inApp, competitor_app_id: rivals[index] })).data
      .id as number;
  let relation = await addRival(0);
  const linksPath = `/applications/${id}/share-links`;
  const newLink = { label: 'For the agency', days: 1 };
  let link = 0;
  let job = 0;
  // Its keywords are tracked already, so that nothing is read.
  const newJob = { kind: 'track_keywords', app_id: id, keywords };
  const makeEndedJob = async () => {
    if (job !== 0) return;
    job = (await send(api, 'POST', '/jobs', newJob)).data.id;
    await until(async () => (await send(api, 'GET', `/jobs/${job}`)).data.finished_at !== null);
  };
  const draft = { title: 'Habit Tracker: Daily Planner', subtitle: 'Routine & Goals, To Do List' };
  const simulation = (await send(api, 'POST', '/metadata/simulate', { app_id: id, ...draft })).data.saved.id;
  await send(api, 'GET', `/keywords/inspect?keyword=habit%20tracker&${inStorefront}`);
  await send(api, 'GET', `/autocomplete?prefix=habit&${inStorefront}`);
  await send(api, 'GET', `/niches?topic=habit%20tracker&${inStorefront}`);
  await send(api, 'GET', '/top-charts?store=ITUNES&country=US');

  const get = (name: string, path: string): Endpoint => ({ name, call: () => ['GET', path] });
  const query = (words: Readonly<Record<string, string>>) => `${new URLSearchParams(words)}&${inStorefront}`;
  return [
    get('1 usage', '/account/usage'),
    get('2 applications', '/applications'),
    {
      name: '3 track an app that is known',
      before: async () => void (await send(api, 'DELETE', `/applications/${id}`)),
      call: () => ['POST', '/applications', { app_id: appId, ...storefront }],
    },
    {
      name: '  remove an app',
      before: async () => void (await api('POST', '/applications', { app_id: appId, ...storefront })),
      call: () => ['DELETE', `/applications/${id}`],
    },
    {
      ...get('4 score history', `/applications/${id}/scores/history`),
      // The app is tracked again, for this and the next endpoints.
      before: async () => {
        await api('POST', '/applications', { app_id: appId, ...storefront });
        await addKeywords(api, keywords);
        await api('POST', '/competitors', { ...inApp, competitor_app_id: rivals[0] });
      },
    },
    get('5 audit', `/applications/${id}/aso-health`),
    get('5 audit with its words', `/applications/${id}/aso-health?include_words=true`),
    { name: '6 metadata check', call: () => ['POST', '/metadata/check', { store: 'ITUNES', ...draft }] },
    {
      name: '7 simulation of known words',
      call: () => ['POST', '/metadata/simulate', { app_id: id, ...draft }],
    },
    {
      name: '7 simulation of new words',
      call: (round) => [
        'POST',
        '/metadata/simulate',
        { app_id: id, ...draft, subtitle: `zorb${round} quell${round}` },
      ],
    },
    get('8 simulations', '/metadata/simulate/history'),
    get('9 a simulation', `/metadata/simulate/history/${simulation}`),
    {
      name: '10 add a competitor',
      call: (round) => ['POST', '/competitors', { ...inApp, competitor_app_id: rivals[1 + round] }],
    },
    {
      name: '11 remove a competitor',
      before: async (round) => {
        const { data } = await send(api, 'GET', '/competitors');
        relation = data[0]?.id ?? (await addRival(1 + round));
      },
      call: () => ['DELETE', `/competitors/${relation}`],
    },
    get('12 competitors', '/competitors'),
    get(`13 keywords, ${manyKeywords}`, '/keywords'),
    {
      name: '14 track a word that is scored today',
      before: async () => {
        const { data } = await send(api, 'GET', '/keywords?search=daily%20planner');
        for (const { keyword_id: tracked } of data.filter(
          (row: { keyword: string }) => row.keyword === 'daily planner',
        ))
          await send(api, 'DELETE', `/keywords/${tracked}/apps/${id}`);
      },
      call: () => ['POST', '/keywords', { keywords: ['daily planner'], ...inApp }],
    },
    {
      name: '14 track a new word',
      call: (round) => ['POST', '/keywords', { keywords: [`brisk planner ${round}`], ...inApp }],
    },
    {
      name: `14 track ${manyKeywords} new words`,
      call: (round) => [
        'POST',
        '/keywords',
        { keywords: keywords.map((word) => `${word} of ${round}`), ...inApp },
      ],
    },
    {
      name: '14 track a tracked word',
      call: () => ['POST', '/keywords', { keywords: [keywords[1]], ...inApp }],
    },
    {
      name: '15 remove a word',
      before: async () => void (await addKeywords(api, [keywords[0] as string])),
      call: () => ['DELETE', keywordPath],
    },
    {
      name: '16 favorite',
      before: async (round) => void (round === 0 && (await addKeywords(api, [keywords[0] as string]))),
      call: (round) => ['PATCH', `${keywordPath}/favorite`, { is_favorite: round % 2 === 0 }],
    },
    get('17 rank history', `/keywords/${first}/ranks/history`),
    get('18 inspect a scored word', `/keywords/inspect?${query({ keyword: 'habit tracker' })}`),
    {
      name: '18 inspect a new word',
      call: (round) => ['GET', `/keywords/inspect?${query({ keyword: `calm planner ${round}` })}`],
    },
    get('19 inspections', '/keywords/inspect/history'),
    get('20 autocomplete', `/autocomplete?${query({ prefix: 'habit' })}`),
    get('21 autocompletes', '/autocomplete/history'),
    get('22 a kept niche', `/niches?${query({ topic: 'habit tracker' })}`),
    get('23 niches', '/niches/history'),
    get('24 chart', '/top-charts?store=ITUNES&country=US'),
    get('25 chart categories', '/top-charts/categories'),
    get('movers', `/applications/${id}/movers`),
    get('rank distribution', `/applications/${id}/rank-distribution`),
    get('changes', `/applications/${id}/changes`),
    get('rank histories', `/applications/${id}/ranks/history?competitors=true`),
    get('rank matrix', `/applications/${id}/rank-matrix`),
    get('share of voice', `/applications/${id}/share-of-voice`),
    get('keyword gap', `/applications/${id}/keyword-gap`),
    get('terms of an app', `/keywords/ranked-by?${query({ app_id: rivals[0] as string })}`),
    {
      name: 'write a note',
      call: (round) => ['POST', `/applications/${id}/notes`, { date: '2026-01-31', text: `Round ${round}` }],
    },
    get('notes', `/applications/${id}/notes`),
    get('search for apps', `/apps/search?${query({ term: 'habit tracker' })}`),
    get('scores of a tracked word', `/keywords/${first}/scores`),
    get('scores of a word', `/keywords/scores?${query({ keyword: 'habit tracker' })}`),
    {
      name: 'keep a keywords field',
      call: (round) => [
        'PUT',
        `/applications/${id}/keywords-field`,
        { kw_field: `goals,mood,streak${round}` },
      ],
    },
    get('a kept keywords field', `/applications/${id}/keywords-field`),
    get('links that show an app', linksPath),
    {
      name: 'make a link',
      // All that an earlier round has made: an account has at most twenty.
      before: async () => {
        const { data } = await send(api, 'GET', linksPath);
        for (const one of data) await send(api, 'DELETE', `${linksPath}/${one.id}`);
      },
      call: () => ['POST', linksPath, newLink],
    },
    {
      name: 'end a link',
      before: async () => {
        link = (await send(api, 'POST', linksPath, newLink)).data.id;
      },
      call: () => ['DELETE', `${linksPath}/${link}`],
    },
    { name: `make a job of ${manyKeywords} tracked words`, call: () => ['POST', '/jobs', newJob] },
    get('jobs', '/jobs'),
    { name: 'a job', before: makeEndedJob, call: () => ['GET', `/jobs/${job}`] },
    { name: 'cancel a job that has ended', before: makeEndedJob, call: () => ['DELETE', `/jobs/${job}`] },
  ];
}

/** Apps of a page of the sample, for competitors. */
async function listRivals(api: Api): Promise<string[]> {
  const { data } = await send(api, 'GET', `/keywords/inspect?keyword=habit%20tracker&${inStorefront}`);
  return data.ranking.map((app: { app_id: string }) => app.app_id).filter((one: string) => one !== appId);
}

function print(rows: readonly Row[], names: boolean): void {
  const cells = rows.map(({ name, cpuMs, commands, rpcs, deliveries, jobs }) => [
    name,
    // Less is lost in the work of the idle system.
    cpuMs < 1 ? '< 1' : cpuMs.toFixed(0),
    ...[commands.call, commands.followUp, commands.around, rpcs, deliveries, jobs].map(String),
  ]);
  const head = ['endpoint', 'CPU ms', 'commands', 'follow-up', 'around', 'RPCs', 'deliveries', 'jobs'];
  console.log(formatTable(head, cells));
  if (!names) return;
  for (const { name, byName } of rows)
    console.log(
      `\n${name}\n${[...byName]
        .sort()
        .map(([command, count]) => `  ${count} ${command}`)
        .join('\n')}`,
    );
}

/** Commands of an average call of the load tests, with everything known as after the first minutes of a load. */
async function countVisits({ system }: SampleSystem, counting: CountingTracing): Promise<void> {
  const emails = Array.from({ length: visitsOfCycle }, (_, index) => `visit-${index}@example.com`);
  const keys = await mapLimited(
    emails,
    4,
    async (email) => (await system.accounts.create({ email, plan: 'unlimited' })).key,
  );
  const accounts = await prepareAccounts([system.url], keys);
  await warmUp([system.url], accounts);
  await counting.untilQuiet(2000);
  counting.take();
  const { calls } = await warmUp([system.url], accounts);
  await counting.untilQuiet(2000);
  const { commands, rpcs } = counting.take();
  const each = (count: number) => (count / calls.length).toFixed(1);
  console.log(
    `${calls.length} calls of ${visitsOfCycle} visits: ${each(commands.call)} commands until the answer, ${each(commands.call + commands.followUp)} with what follows, and ${each(rpcs)} RPCs each`,
  );
}

/** Counts only: no clock. */
function report(rows: readonly Row[]): void {
  let exceeded = 0;
  for (const row of rows) {
    if (!exceedsLimits(row.name, row)) continue;
    exceeded++;
    const { name, commands, rpcs } = row;
    const cost = { call: commands.call, all: commands.call + commands.followUp, rpcs };
    console.log(
      `MORE than endpoints.json allows: ${name}: ${JSON.stringify(cost)}, allowed ${JSON.stringify(limits[name] ?? null)}`,
    );
  }
  console.log(`${rows.length - exceeded} endpoints as endpoints.json allows, ${exceeded} not`);
  if (exceeded > 0) process.exitCode = 1;
}
