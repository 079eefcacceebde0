import { setTimeout as sleep } from 'node:timers/promises';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { createApi } from '../../testing/system/api.ts';
import {
  type Account,
  firstKeywords,
  isSuccess,
  makeVisit,
  pauseSeconds,
  routeOf,
  visitsOfCycle,
} from '../k6/journey.ts';
import type { SentCall } from './measure-saturated.ts';

const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const atOnce = 8;
const appCount = 12;

/** Makes accounts ready for visits: each tracks an app of the top charts and some keywords. */
export async function prepareAccounts(urls: readonly string[], keys: readonly string[]): Promise<Account[]> {
  const apiOf = (key: string) => createApi(urls[0] as string, key);
  const chart = await apiOf(keys[0] as string)(
    'GET',
    `/top-charts?store=ITUNES&country=US&limit=${appCount}`,
  );
  const apps: string[] = (chart.body.data?.rows ?? []).map(({ app_id: id }: { app_id: string }) => id);
  if (apps.length < 3)
    throw new Error(`no apps in the top chart: ${JSON.stringify(chart.body).slice(0, 300)}`);
  const numbered = keys.map((key, index) => ({ key, index }));
  const accounts = await mapLimited(numbered, atOnce, async ({ key, index }) => {
    const at = (offset: number) => apps[(index + offset) % apps.length] as string;
    return prepareAccount(createApi(urls[index % urls.length] as string, key), key, [at(0), at(1), at(2)]);
  });
  // These calls are no longer in the one-second windows of the keys when the load begins.
  await sleep(1000);
  return accounts;
}

async function prepareAccount(
  api: ReturnType<typeof createApi>,
  key: string,
  [storeAppId = '', ...otherApps]: readonly string[],
): Promise<Account> {
  const tracked = await api('POST', '/applications', { app_id: storeAppId, ...market });
  const list = await api('GET', '/applications');
  // An account of an earlier run tracks it already.
  const appId = (list.body.data ?? []).find((row: { app_id: string }) => row.app_id === storeAppId)?.id;
  if (appId === undefined) throw new Error(`an app is not tracked: ${JSON.stringify(tracked.body)}`);
  await api('POST', '/keywords', { keywords: firstKeywords, app_id: appId, ...market });
  const rows = await api('GET', `/keywords?app_id=${appId}`);
  const keywordIds = (rows.body.data ?? []).map((row: { keyword_id: number }) => row.keyword_id);
  if (keywordIds.length === 0) throw new Error(`no keywords: ${JSON.stringify(rows.body)}`);
  return { key, appId, storeAppId, keywordIds, otherApps };
}

/** What the warm-up has learnt. */
export type WarmUp = {
  callsPerVisit: number;
  /** an answer of each route, for the bare Express application */
  bodies: Record<string, object>;
  /** all that were made */
  calls: SentCall[];
};

/**
 * Makes a whole cycle of visits, so that what is done once for each process and search term is done.
 * @throws Error for an answer that is no success
 */
export async function warmUp(urls: readonly string[], accounts: readonly Account[]): Promise<WarmUp> {
  const bodies: Record<string, object> = {};
  const calls: SentCall[] = [];
  const visits = Array.from({ length: visitsOfCycle }, (_, visit) => visit);
  await mapLimited(visits, atOnce, async (visit) => {
    const account = accounts[visit % accounts.length] as Account;
    const api = createApi(urls[visit % urls.length] as string, account.key);
    const steps = makeVisit(account, visit);
    for (let next = steps.next(); !next.done; ) {
      const call = next.value;
      const { status, body } = await api(call.method, call.path, call.body);
      if (!isSuccess({ status }))
        throw new Error(`${call.method} ${call.path}: ${status} ${JSON.stringify(body).slice(0, 500)}`);
      bodies[routeOf(call)] = body;
      calls.push({ ...call, key: account.key });
      await sleep(pauseSeconds * 1000);
      next = steps.next(body.data);
    }
  });
  return { callsPerVisit: calls.length / visits.length, bodies, calls };
}
