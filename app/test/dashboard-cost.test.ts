import { randomUUID } from 'node:crypto';
import type { ReceivedSpan } from '../../testing/decode-trace-request.ts';
import type { Api } from '../../testing/system/api.ts';
import type { RunningSystem } from '../../testing/system/running-system.ts';
import { signIn } from '../../testing/system/sign-in.ts';
import { until } from '../../testing/until.ts';
import { useTracing } from '../../testing/use-tracing.ts';
import { storefront, useSystems } from './use-systems.ts';

const systems = useSystems();
const tracing = useTracing();

/** Each page is opened so often: what happens to run in one of its traces only adds to its cost. */
const rounds = 3;
const scored = 'habit tracker';

type OpenedSystem = Pick<RunningSystem, 'url' | 'key'> & { pass: (ms: number) => void };

type Cost = { commands: number; rpcs: number };

/** Opens pages as the browser of the demo account. Returns what each takes until its answer: commands of the database and RPCs. */
async function openAs({ url, key, pass }: OpenedSystem) {
  const cookie = await signIn(url, key ?? '');

  async function open(path: string): Promise<readonly ReceivedSpan[]> {
    let requestId = '';
    let status = 0;
    // An account opens ten pages a second.
    await until(async () => {
      requestId = randomUUID();
      const sent = { cookie, accept: 'application/json', 'x-request-id': requestId };
      const answer = await fetch(`${url}/dashboard${path}`, { headers: sent, redirect: 'manual' });
      await answer.text();
      status = answer.status;
      if (status !== 429) return true;
      pass(1000);
      return false;
    });
    expect([path, status]).toEqual([path, 200]);
    const isOfPage = ({ attributes, parentId }: ReceivedSpan) =>
      parentId === '' && attributes['shelfwise.request_id'] === requestId;
    const spans = await tracing.until((all) => all.some(isOfPage));
    const traceId = spans.find(isOfPage)?.traceId;
    return spans.filter((span) => span.traceId === traceId);
  }

  return async (path: string) => {
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round++) {
      const trace = await open(path);
      // The state of the stores is asked for every five seconds at most, whatever the page.
      const calls = trace.filter(({ kind, name }) => kind === 'client' && !name.endsWith('/GetStatus'));
      const count = (attribute: string) =>
        calls.filter(({ attributes }) => attributes[attribute] !== undefined).length;
      costs.push({ commands: count('db.system.name'), rpcs: count('rpc.system.name') });
    }
    const least = (name: keyof Cost) => Math.min(...costs.map((cost) => cost[name]));
    return { commands: least('commands'), rpcs: least('rpcs') };
  };
}

async function track(api: Api, appId: number, keywords: readonly string[]): Promise<void> {
  for (let at = 0; at < keywords.length; at += 20)
    await api('POST', '/keywords', { keywords: keywords.slice(at, at + 20), app_id: appId, ...storefront });
}

test('a page takes no more commands and RPCs for 60 keywords than for 3', async () => {
  const { api, ...system } = await systems.start();
  const { data } = (await api('POST', '/applications', { app_id: '9005997251', ...storefront })).body;
  await api('POST', '/competitors', { app_id: data.id, competitor_app_id: '9048598736', ...storefront });
  await track(api, data.id, [scored, 'daily planner', 'routine']);
  const { keyword_id: keywordId } = (await api('GET', `/keywords?search=${encodeURIComponent(scored)}`)).body
    .data[0];
  const settled = async () => {
    await until(async () => (await api('GET', `/keywords/${keywordId}/scores`)).status === 200);
    await until(async () => {
      const { status, body } = await api('GET', `/applications/${data.id}/aso-health`);
      return status === 200 && body.data.report !== null;
    });
  };
  const costOf = await openAs(system);
  const costs = async () => {
    await settled();
    const app = `/apps/${data.id}`;
    const found: Record<string, Cost> = {};
    for (const path of [
      '',
      app,
      `${app}/keywords`,
      `${app}/keywords/${keywordId}`,
      `${app}/rivals`,
      '/alerts',
      '/account',
    ])
      found[path] = await costOf(path);
    return found;
  };
  const few = await costs();
  expect(Object.values(few).every(({ commands, rpcs }) => commands > 0 && rpcs > 0)).toBe(true);
  await track(
    api,
    data.id,
    Array.from({ length: 57 }, (_, n) => `habit planner ${n}`),
  );
  const many = await costs();
  for (const [path, { commands, rpcs }] of Object.entries(few)) {
    expect([path, many[path]?.rpcs]).toEqual([path, rpcs]);
    expect(many[path]?.commands).toBeLessThanOrEqual(commands);
  }
});
