import { setTimeout as sleep } from 'node:timers/promises';
import type { PartName } from '@shelfwise/app/distributed/plan-processes';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { urgent } from '@shelfwise/store-fetch/budget/urgency';
import { createSampleSource } from '@shelfwise/store-fetch/sources/sample/sample-source';
import type { Answer, Balancer, Call } from '../lib/balancer.ts';
import { createKeywordWriter, type KeywordWriter } from './keyword-writer.ts';

/** What a client calls, and the services that take part in it. */
export type Kind = { name: string; services: readonly PartName[] };

/** One account that always makes the same kind of calls. */
export type Client = {
  kind: Kind;
  key: string;
  /** The next call. It counts as spent API requests when it is answered with 200. */
  next(): { call: Omit<Call, 'key'>; cost: 0 | 1; onAnswer?(answer: Answer): void };
  writer?: KeywordWriter;
};

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const market = 'store=ITUNES&country=US';

type Reading = Kind & {
  cost: 0 | 1;
  /** @param appId of the account's own app, by its number in Shelfwise */
  call(appId: number): Omit<Call, 'key'>;
};

const get = (path: string) => ({ method: 'GET', path });

/** Each takes time within the services only: nothing waits for a store. */
const readings: readonly Reading[] = [
  { name: 'usage', services: ['tracking'], cost: 0, call: () => get('/account/usage') },
  { name: 'applications', services: ['tracking'], cost: 0, call: () => get('/applications') },
  { name: 'keywords', services: ['tracking'], cost: 0, call: (id) => get(`/keywords?app_id=${id}`) },
  {
    name: 'audit',
    services: ['tracking', 'scoring'],
    cost: 1,
    call: (id) => get(`/applications/${id}/aso-health`),
  },
  {
    name: 'metadata check',
    services: ['scoring'],
    cost: 1,
    call: () => ({
      method: 'POST',
      path: '/metadata/check',
      body: { store: 'ITUNES', title: 'Habit tracker', subtitle: 'Daily goals' },
    }),
  },
  { name: 'simulations', services: ['scoring'], cost: 0, call: () => get('/metadata/simulate/history') },
  {
    name: 'top chart',
    services: ['chart'],
    cost: 1,
    call: () => get(`/top-charts?${market}&collection=free`),
  },
  {
    name: 'chart categories',
    services: ['chart'],
    cost: 0,
    call: () => get('/top-charts/categories?store=ITUNES'),
  },
  { name: 'alert rules', services: ['notify'], cost: 0, call: () => get('/alerts/rules') },
  { name: 'autocompletes', services: ['store-fetch'], cost: 0, call: () => get('/autocomplete/history') },
  { name: 'niches', services: ['niche'], cost: 0, call: () => get('/niches/history') },
];

/** Tracks keywords, which reads their first ranks from the store. */
const writing: Kind = { name: 'writes', services: ['tracking', 'store-fetch'] };

/** Every third client writes. */
const turns: readonly (Reading | typeof writing)[] = readings.flatMap((reading, index) =>
  index % 2 === 0 ? [reading] : [reading, writing],
);

/**
 * Tracks an app for each key, and returns the clients.
 * @throws Error when an app cannot be tracked
 */
export async function createClients(
  balancer: Balancer,
  keys: readonly string[],
  appIds: readonly string[],
): Promise<Client[]> {
  const numbered = keys.map((key, index) => ({ key, index, appId: appIds[index % appIds.length] as string }));
  return mapLimited(numbered, 8, (one) => createClient(balancer, one));
}

/** Some apps of the sample. */
export async function findApps(): Promise<string[]> {
  const source = createSampleSource({ now: () => new Date() });
  const signal = AbortSignal.timeout(10_000);
  const options = { limit: 10, onDay: null, urgency: urgent, signal };
  const { apps } = await source.search(storefront, 'photo editor', options);
  return apps.map((app) => app.app_id);
}

async function createClient(
  balancer: Balancer,
  { key, index, appId: storeAppId }: { key: string; index: number; appId: string },
): Promise<Client> {
  const appId = await trackApp(balancer, key, { app_id: storeAppId, ...storefront });
  const kind = turns[index % turns.length] as (typeof turns)[number];
  if ('call' in kind) return { kind, key, next: () => ({ call: kind.call(appId), cost: kind.cost }) };
  const writer = createKeywordWriter({ appId, storefront, firstWord: index });
  return { kind, key, next: () => ({ ...writer.next(), cost: 0 }), writer };
}

/** Repeats a call without an answer: its first attempt may have tracked the app. */
async function trackApp(balancer: Balancer, key: string, body: object): Promise<number> {
  for (;;) {
    const {
      status,
      code,
      body: answer,
    } = await balancer.call({ key, method: 'POST', path: '/applications', body });
    if (status === 200) return Number(answer.data.id);
    if (code === 'DUPLICATE') {
      const list = await balancer.call({ key, method: 'GET', path: '/applications' });
      if (list.status === 200) return Number(list.body.data[0].id);
    } else if (status !== null && status !== 503)
      throw new Error(`an app is not tracked: ${status} ${JSON.stringify(answer)}`);
    await sleep(1000);
  }
}
