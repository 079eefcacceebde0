import { createDrafts } from '../src/dashboard/drafts.ts';
import { openBrowser } from './harness/browser.ts';
import { plansWith } from './harness/plans-with.ts';
import { trackedListing } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ one: { api_requests_per_month: 1 } }) });
const dayMs = 24 * 3_600_000;
const noTexts = { title: null, subtitle: null, description: null, kw_field: null };

const drafts = () => createDrafts({ connection: api.connection, now: api.clock.now });

async function signIn(plan?: string) {
  const { key, id } = await api.createKey(plan);
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  const keep = (body: object, appId = 42) => browser.send('PUT', `/apps/${appId}/draft`, { body });
  return { browser, id, keep };
}

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
});

test('what is typed is kept, and the next text replaces it', async () => {
  const { id, keep } = await signIn();
  const { status, body } = await keep({ title: 'Draft', kw_field: '' });
  expect([status, body]).toEqual([200, { data: { kept_at: api.clock.now().toISOString() } }]);
  expect((await drafts().find(id, 42))?.texts).toEqual({ ...noTexts, title: 'Draft', kw_field: '' });
  await keep({ subtitle: 'Zwei\r\nZeilen 😀' });
  expect((await drafts().find(id, 42))?.texts).toEqual({ ...noTexts, subtitle: 'Zwei\r\nZeilen 😀' });
  expect(await api.connection.collection('drafts').countDocuments({ account_id: id })).toBe(1);
});

test('two tabs that type at the same time leave one draft', async () => {
  const { id } = await signIn();
  const titles = Array.from({ length: 10 }, (_, tab) => `Draft ${tab}`);
  await Promise.all(titles.map((title) => drafts().keep(id, 42, { ...noTexts, title })));
  expect(await api.connection.collection('drafts').countDocuments({ account_id: id })).toBe(1);
  expect(titles).toContain((await drafts().find(id, 42))?.texts.title);
});

test('each app and each account has a draft of its own', async () => {
  const ann = await signIn();
  const bob = await signIn();
  await ann.keep({ title: 'Ann' });
  await ann.keep({ title: 'Another app' }, 43);
  await bob.keep({ title: 'Bob' });
  expect((await drafts().find(ann.id, 42))?.texts.title).toBe('Ann');
  expect((await drafts().find(ann.id, 43))?.texts.title).toBe('Another app');
  expect((await drafts().find(bob.id, 42))?.texts.title).toBe('Bob');
});

test('a draft is removed, and again', async () => {
  const { browser, id, keep } = await signIn();
  await keep({ title: 'Draft' });
  const remove = () => browser.send('DELETE', '/apps/42/draft', { body: {} });
  expect((await remove()).body).toEqual({ data: { already_removed: false } });
  expect((await remove()).body).toEqual({ data: { already_removed: true } });
  expect(await drafts().find(id, 42)).toBeNull();
});

test('20 KiB of text are kept, however long its signs are; more is 400', async () => {
  const { keep } = await signIn();
  const most = { description: '😀'.repeat(5000), title: 'a'.repeat(480) };
  expect((await keep(most)).status).toBe(200);
  const { status, body } = await keep({ ...most, subtitle: 'a' });
  expect([status, body.error]).toEqual([400, expect.stringContaining('20480 bytes')]);
});

test.each([
  ['no text', {}],
  ['another field', { title: 'a', icon: 'b' }],
  ['a number', { title: 1 }],
  ['NUL', { title: 'a\0b' }],
  ['broken Unicode', { title: 'a\ud83db' }],
])('%s is 400 and keeps nothing', async (_, body) => {
  const { id, keep } = await signIn();
  expect(refusalOf(await keep(body))).toBe('400 INVALID_PARAMS');
  expect(await drafts().find(id, 42)).toBeNull();
});

test('an app that the account does not track has no draft', async () => {
  const { id, keep } = await signIn();
  api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
  expect(refusalOf(await keep({ title: 'Draft' }))).toBe('404 APP_NOT_FOUND');
  expect(await drafts().find(id, 42)).toBeNull();
});

test('only an own page with a session writes a draft', async () => {
  const { browser, id } = await signIn();
  const body = { title: 'Draft' };
  expect(refusalOf(await browser.sendAs({}, 'PUT', '/apps/42/draft', { body }))).toBe('403 FOREIGN_PAGE');
  expect(refusalOf(await openBrowser(api).send('PUT', '/apps/42/draft', { body }))).toBe(
    '401 SESSION_REQUIRED',
  );
  expect(await drafts().find(id, 42)).toBeNull();
});

test('a draft is kept for 30 days after its last change, and then swept', async () => {
  const { id, keep } = await signIn();
  await keep({ title: 'Draft' });
  await drafts().keep(id, 43, { ...noTexts, title: 'Changed later' });
  api.clock.advance(29 * dayMs);
  expect(await drafts().find(id, 42)).not.toBeNull();
  await drafts().keep(id, 43, { ...noTexts, title: 'Changed now' });
  api.clock.advance(dayMs);
  expect(await drafts().find(id, 42)).toBeNull();
  await drafts().sweep(new AbortController().signal);
  const left = await api.connection.collection('drafts').find({ account_id: id }).toArray();
  expect(left.map(({ title }) => title)).toEqual(['Changed now']);
});

test('the drafts of an account end with it, and no others', async () => {
  const ann = await signIn();
  const bob = await signIn();
  await ann.keep({ title: 'Ann' });
  await bob.keep({ title: 'Bob' });
  await drafts().deleteAccount(ann.id);
  expect(await drafts().find(ann.id, 42)).toBeNull();
  expect(await drafts().find(bob.id, 42)).not.toBeNull();
});

test('the metadata check is free for a page, also when the quota is spent', async () => {
  const { browser, id } = await signIn('one');
  api.scoring.answer({
    checkMetadata: async () => ({ valid: true, fields: [], keywords: null, notes: [] }),
  });
  const check = () =>
    browser.send('POST', '/api/metadata/check', { body: { store: 'ITUNES', title: 'Draft' } });
  expect((await check()).status).toBe(200);
  expect((await check()).status).toBe(200);
  expect(await api.connection.collection('usage').findOne({ account_id: id })).toBeNull();
  expect(refusalOf(await browser.sendAs({}, 'POST', '/api/metadata/check', { body: {} }))).toBe(
    '403 FOREIGN_PAGE',
  );
});
