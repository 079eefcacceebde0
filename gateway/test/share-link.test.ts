import { hashSecret } from '../src/accounts/api-key.ts';
import { builtInPlans, findPlan } from '../src/plans/plans.ts';
import { createShareLinkModel } from '../src/share-links/share-link-model.ts';
import { createShareLinks } from '../src/share-links/share-links.ts';
import { openBrowser } from './harness/browser.ts';
import { trackedListing } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ dashboard: { publicUrl: 'https://aso.example.com' } });
const path = '/api/v1/applications/42/share-links';
const body = { days: 30, label: 'For the agency' };

beforeEach(() => api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) }));

const listOf = async (key: string) => (await api.call('GET', path, { key })).body.data;

test('the address has 32 random bytes, and only their hash is stored', async () => {
  const { body: first } = await api.call('POST', path, { body });
  const { body: second } = await api.call('POST', path, { body });
  expect(first.data).toEqual({
    id: expect.any(Number),
    label: 'For the agency',
    created_at: expect.any(String),
    expires_at: expect.any(String),
    address: expect.stringMatching(
      /^https:\/\/aso\.example\.com\/dashboard\/shared\/sw_share_[0-9A-Za-z]{43}$/,
    ),
  });
  expect(second.data.address).not.toBe(first.data.address);
  const secret = first.data.address.split('/').at(-1);
  const stored = await createShareLinkModel(api.connection).find().lean();
  expect(stored.map(({ _id }) => _id)).toContain(hashSecret(secret));
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect(JSON.stringify(api.lines)).not.toContain(secret);
});

test('an account has at most twenty links, also when it asks for many at once, and those of other apps count', async () => {
  const { key } = await api.createKey();
  const answers: string[] = [];
  const make = async (app: number) => {
    const answer = await api.call('POST', path.replace('42', String(app)), { key, body });
    answers.push(answer.status === 200 ? '200' : refusalOf(answer));
  };
  for (let round = 0; round < 6; round++) await Promise.all([42, 43, 44, 45].map(make));
  expect(answers.filter((answer) => answer === '200')).toHaveLength(20);
  expect(new Set(answers)).toEqual(new Set(['200', '403 PLAN_LIMIT']));
  const [link] = await listOf(key);
  await api.call('DELETE', `${path}/${link.id}`, { key });
  expect((await api.call('POST', path, { key, body })).status).toBe(200);
});

test('a link that has expired leaves its place free', async () => {
  const { key } = await api.createKey();
  for (let link = 0; link < 20; link++) await api.call('POST', path, { key, body: { ...body, days: 1 } });
  expect(refusalOf(await api.call('POST', path, { key, body }))).toBe('403 PLAN_LIMIT');
  api.clock.setBy(86_400_000 + 60_000);
  expect((await api.call('POST', path, { key, body })).status).toBe(200);
});

test.each([
  [{ days: 0 }, 'days'],
  [{ days: 91 }, 'days'],
  [{ days: 1.5 }, 'days'],
  [{ label: '' }, 'label'],
  [{ label: '😀'.repeat(101) }, 'label'],
  [{ label: 'a\0' }, 'label'],
])('%j is 400', async (wrong, field) => {
  const answer = await api.call('POST', path, { body: { ...body, ...wrong } });
  expect(refusalOf(answer)).toBe('400 INVALID_PARAMS');
  expect(Object.keys(answer.body.details.issues.fieldErrors)).toEqual([field]);
});

test('a link of an app that is not tracked is neither made nor ended', async () => {
  api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
  expect(refusalOf(await api.call('POST', path, { body }))).toBe('404 APP_NOT_FOUND');
  expect(refusalOf(await api.call('DELETE', `${path}/1`))).toBe('404 APP_NOT_FOUND');
});

test('a link is ended once, by its account and under its app only', async () => {
  const { key } = await api.createKey();
  const { body: made } = await api.call('POST', path, { key, body });
  const { id } = made.data;
  const end = async (from: string, owner?: string) =>
    (await api.call('DELETE', `${from}/${id}`, owner === undefined ? {} : { key: owner })).body.data;
  expect(await end(path)).toEqual({ id, ended: false });
  expect(await end(path.replace('42', '43'), key)).toEqual({ id, ended: false });
  expect(await listOf(key)).toHaveLength(1);
  expect(await end(path, key)).toEqual({ id, ended: true });
  expect(await end(path, key)).toEqual({ id, ended: false });
});

test('a plan without API access makes no link, also not from the dashboard, but ends those that it has', async () => {
  const { key, id } = await api.createKey();
  const { body: made } = await api.call('POST', path, { key, body });
  await api.gateway.accounts.changePlan({ id, plan: 'free' });
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  const ofPage = path.replace('/api/v1', '/api');
  expect(refusalOf(await browser.send('POST', ofPage, { body }))).toBe('403 PLAN_LIMIT');
  expect((await browser.send('DELETE', `${ofPage}/${made.data.id}`)).body.data.ended).toBe(true);
});

test('an app that is no longer tracked has no links any more', async () => {
  const { key } = await api.createKey();
  await api.call('POST', path, { key, body });
  await api.call('POST', path.replace('42', '43'), { key, body });
  api.tracking.answer({ untrackApplication: async ({ id }) => ({ id, already_removed: false }) });
  await api.call('DELETE', '/api/v1/applications/42', { key });
  expect(await listOf(key)).toEqual([]);
  expect((await api.call('GET', path.replace('42', '43'), { key })).body.data).toHaveLength(1);
});

describe('the rows', () => {
  const plan = findPlan(builtInPlans, 'unlimited');
  const linksOf = (origin: string | null) =>
    createShareLinks({
      connection: api.connection,
      accounts: api.gateway.accounts,
      plans: builtInPlans,
      publicUrl: () => origin,
      now: api.clock.now,
    });
  const countOf = (accountId: string) =>
    createShareLinkModel(api.connection).countDocuments({ account_id: accountId });

  test('of links that have expired are swept, and the others stay', async () => {
    const links = linksOf('https://aso.example.com');
    const app = { accountId: 'swept', appId: 1 };
    for (const days of [1, 2]) await links.create(app, { plan, days, label: 'x' });
    api.clock.setBy(86_400_000 + 1000);
    await links.sweep(new AbortController().signal);
    expect(await countOf('swept')).toBe(1);
  });

  test('of an account are deleted with it, and those of others stay', async () => {
    const links = linksOf('https://aso.example.com');
    for (const accountId of ['ann', 'ben'])
      await links.create({ accountId, appId: 1 }, { plan, days: 1, label: 'x' });
    await links.deleteAccount('ann');
    expect([await countOf('ann'), await countOf('ben')]).toEqual([0, 1]);
  });

  test('are not made where there are no pages', async () => {
    const made = linksOf(null).create({ accountId: 'cat', appId: 1 }, { plan, days: 1, label: 'x' });
    await expect(made).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await countOf('cat')).toBe(0);
  });
});
