import { localSocketPath } from '@shelfwise/embedded/local-socket';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { findFreePort } from '../../testing/find-free-port.ts';
import { type Api, createApi } from '../../testing/system/api.ts';
import { connectAssistant } from '../../testing/system/connect-assistant.ts';
import { pageHeaders, signIn } from '../../testing/system/sign-in.ts';
import { until } from '../../testing/until.ts';
import { storefront, useSystems } from './use-systems.ts';

const { start, account, dataDir } = useSystems();

const services = ['tracking', 'scoring', 'niche', 'chart', 'notify', 'store_fetch'];
const databases = ['shelfwise_gateway', ...services.map((name) => `shelfwise_${name}_sample`)];

/** The collections with a document that mentions the account, except that of the account itself. */
async function collectionsWith(accountId: string): Promise<string[]> {
  const uri = `mongodb://${encodeURIComponent(localSocketPath(dataDir(), 'mongodb.sock'))}`;
  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
  const found: string[] = [];
  for (const database of databases) {
    const connection = await connectMongo({ uri, database, logger });
    for (const { name } of await connection.listCollections()) {
      if (name === 'accounts') continue;
      for await (const document of connection.collection(name).find({}))
        if (JSON.stringify(document).includes(accountId)) {
          found.push(name);
          break;
        }
    }
    await connection.close();
  }
  return found.sort();
}

/** Waits until no row is left. The rest of a removal is deleted two seconds later, once its events are published. */
async function untilGone(accountId: string, pass: (ms: number) => void): Promise<void> {
  await until(async () => {
    pass(2000);
    return (await collectionsWith(accountId)).length === 0;
  });
}

async function createAccount(url: string, email: string): Promise<{ id: string; key: string; api: Api }> {
  const { stdout } = await account(['create', '--email', email, '--plan', 'unlimited', '--json']);
  const { id, key } = JSON.parse(stdout);
  return { id, key, api: createApi(url, key) };
}

/** Tracks an app, a keyword and a competitor, and makes a row in each history. Returns the app's internal id. */
async function useEverything(api: Api): Promise<number> {
  const { body } = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
  const appId = body.data.id;
  const query = 'store=ITUNES&country=US&lang=en-US';
  const answers = [
    await api('POST', '/keywords', { keywords: ['habit tracker'], app_id: appId, ...storefront }),
    await api('POST', '/competitors', { app_id: appId, competitor_app_id: '9008188700', ...storefront }),
    await api('GET', `/keywords/inspect?keyword=planner&${query}`),
    await api('GET', `/autocomplete?prefix=hab&${query}`),
    await api('GET', `/niches?topic=habits&${query}`),
    await api('POST', `/applications/${appId}/notes`, { date: '2026-01-31', text: 'Ads began' }),
    await api('PUT', `/applications/${appId}/keywords-field`, { kw_field: 'routine,mood' }),
    await api('POST', `/applications/${appId}/share-links`, { days: 7, label: 'For the agency' }),
    await api('POST', '/metadata/simulate', { title: 'Habit Planner', ...storefront }),
    await api('POST', '/alerts/rules', { kind: 'overtaken' }),
    await makeDelivery(api),
  ];
  expect(answers.map(({ status, body: { error } }) => error ?? status)).toEqual(answers.map(() => 200));
  for (const job of [
    { kind: 'track_keywords', app_id: appId, keywords: ['habit tracker'] },
    { kind: 'inspect_keywords', ...storefront, keywords: ['mood'] },
  ])
    expect((await api('POST', '/jobs', job)).status).toBe(202);
  return appId;
}

/** Sends a test to a channel, whose host does not exist. */
async function makeDelivery(api: Api): ReturnType<Api> {
  const channel = { type: 'webhook', name: 'Team', url: 'https://hooks.example.invalid/x' };
  const { body } = await api('POST', '/alerts/channels', channel);
  return api('POST', `/alerts/channels/${body.data.id}/test`);
}

/**
 * Signs in to the dashboard by the key, makes a link, types a draft and connects an assistant. Returns whether the session is
 * valid.
 */
async function useDashboard(
  url: string,
  { email, key, appId }: { email: string; key: string; appId: number },
): Promise<() => Promise<boolean>> {
  await account(['sign-in', '--email', email]);
  const cookie = await signIn(url, key);
  const kept = await fetch(`${url}/dashboard/apps/${appId}/draft`, {
    method: 'PUT',
    headers: { ...pageHeaders, cookie },
    body: JSON.stringify({ title: 'Habit Planner' }),
  });
  expect(kept.status).toBe(200);
  await connectAssistant(url, cookie);
  return async () => (await fetch(`${url}/dashboard/api/account/usage`, { headers: { cookie } })).ok;
}

test('a deleted account leaves no row in any service, and another account keeps what it tracks', async () => {
  const port = await findFreePort();
  const { url, pass } = await start({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` });
  const ann = await createAccount(url, 'ann@example.com');
  const bob = await createAccount(url, 'bob@example.com');
  const appId = await useEverything(ann.api);
  const bobsAppId = await useEverything(bob.api);
  const isAnnSignedIn = await useDashboard(url, { email: 'ann@example.com', key: ann.key, appId });
  const isBobSignedIn = await useDashboard(url, { email: 'bob@example.com', key: bob.key, appId: bobsAppId });
  expect(await isAnnSignedIn()).toBe(true);
  const expected = [
    'alert_channels',
    'alert_deliveries',
    'alert_rules',
    'autocompletes',
    'competitors',
    'competitors',
    'drafts',
    'inspections',
    'job_items',
    'job_items',
    'jobs',
    'jobs',
    'keywords_fields',
    'niche_history',
    'notes',
    'notified_accounts',
    'oauth_calls',
    'oauth_codes',
    'oauth_grants',
    'oauth_tokens',
    'reservations',
    'reservations',
    'reservations',
    'sessions',
    'share_links',
    'sign_in_links',
    'simulation_runs',
    'tracked_apps',
    'tracked_apps',
    'tracked_keywords',
    'tracked_keywords',
    'tracked_terms',
    'usage',
    'watchers',
  ];
  // Other services learn of changes from events.
  await until(async () => (await collectionsWith(ann.id)).length === expected.length);
  expect(await collectionsWith(ann.id)).toEqual(expected);

  const deleted = await account(['delete', '--email', 'Ann@example.com', '--yes']);
  expect(deleted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Deleted the account ann@/) });
  expect((await ann.api('GET', '/applications')).status).toBe(401);
  expect(await isAnnSignedIn()).toBe(false);
  expect(await isBobSignedIn()).toBe(true);
  await untilGone(ann.id, pass);

  const { body } = await bob.api('GET', `/keywords?app_id=${appId}`);
  expect(body.data).toMatchObject([{ keyword: 'habit tracker' }]);
  expect((await bob.api('GET', '/metadata/simulate/history')).body.meta).toMatchObject({ total: 1 });
  const { body: kept } = await bob.api('GET', `/applications/${appId}/keywords-field`);
  expect(kept.data).toMatchObject({ kw_field: 'routine,mood' });
  const again = await createAccount(url, 'ann@example.com');
  expect((await again.api('GET', '/applications')).body.data).toEqual([]);
});

test('an account that is deleted while no Shelfwise runs loses its rows after the next start', async () => {
  const first = await start();
  const ann = await createAccount(first.url, 'ann@example.com');
  await ann.api('POST', '/applications', { app_id: '9005997251', ...storefront });
  await first.end();
  expect(await account(['delete', '--id', ann.id, '--yes', '--json'])).toMatchObject({ code: 0 });
  const { pass } = await start();
  await untilGone(ann.id, pass);
});
