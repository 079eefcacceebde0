import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createGate } from '../../testing/gate.ts';
import { maxCallsPerAccount } from '../src/http/calls-in-flight.ts';
import { openBrowser } from './harness/browser.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const png = Buffer.from('\x89PNG\r\n\x1a\n\0\xff', 'latin1');
const path = '/icons/ITUNES/281796108';

async function signIn() {
  const { key } = await api.createKey();
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  return { browser, key };
}

beforeEach(() => {
  api.storeFetch.answer({ getIcon: async () => ({ image: png, content_type: 'image/png' }) });
});

/** The answer as an `img` gets it, with its bytes. */
async function load(cookie: string, headers: Record<string, string> = {}) {
  const sent = request(`${api.url}/dashboard${path}`, { headers: { cookie, ...headers } }).end();
  return new Promise<{ status: number | undefined; headers: object; bytes: Buffer }>((resolve, reject) =>
    sent.once('error', reject).once('response', (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode, headers: response.headers, bytes }),
        reject,
      );
    }),
  );
}

test('a session gets the icon, to be kept for a day, as an image that can do nothing else', async () => {
  const { browser } = await signIn();
  const { status, headers, bytes } = await load(browser.cookie, {
    accept: 'image/avif,image/webp,*/*;q=0.8',
  });
  expect([status, bytes]).toEqual([200, png]);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=86400',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  });
  expect(api.storeFetch.requests).toMatchObject([
    { method: 'getIcon', request: { store: 'ITUNES', app_id: '281796108' } },
  ]);
});

test('an icon that has not changed is not sent again', async () => {
  const { browser } = await signIn();
  const first = await load(browser.cookie);
  const { etag } = first.headers as { etag: string };
  const second = await load(browser.cookie, { 'if-none-match': etag });
  expect([second.status, second.bytes.length]).toEqual([304, 0]);
});

test('without a session it is 401, also with a key', async () => {
  expect(refusalOf(await openBrowser(api).send('GET', path))).toBe('401 SESSION_REQUIRED');
  const { key } = await api.createKey();
  expect(refusalOf(await api.call('GET', `/dashboard${path}`, { key }))).toBe('401 SESSION_REQUIRED');
  expect(api.storeFetch.requests).toEqual([]);
});

test('an icon that is not known, or cannot be read, is no content, which the browser does not keep', async () => {
  const { browser } = await signIn();
  for (const code of ['NOT_FOUND', 'STORE_FETCH_FAILED'] as const) {
    api.storeFetch.fail('getIcon', code);
    const { status, headers, bytes } = await load(browser.cookie);
    expect([status, bytes.length]).toEqual([204, 0]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('content-type');
  }
  api.storeFetch.fail('getIcon', 'SERVICE_UNAVAILABLE');
  expect((await browser.send('GET', path)).status).toBe(503);
});

test('what is no image is not passed on', async () => {
  const { browser } = await signIn();
  api.storeFetch.answer({ getIcon: async () => ({ image: png, content_type: 'text/html' }) });
  const { status, headers } = await browser.send('GET', path);
  expect([status, headers.get('content-type')]).toEqual([500, expect.stringContaining('application/json')]);
});

test.each([
  '/icons/ITUNES/http%3A%2F%2F127.0.0.1%2Fa.png',
  '/icons/ITUNES/a%2Fb',
  '/icons/ITUNES/-',
  '/icons/AMAZON/1',
])('%s is 400, and nothing is called', async (wrong) => {
  const { browser } = await signIn();
  expect(refusalOf(await browser.send('GET', wrong))).toBe('400 INVALID_PARAMS');
  expect(api.storeFetch.requests).toEqual([]);
});

test.each(['/icons/ITUNES', '/icons/ITUNES/1/2', '/icons/ITUNES/1/', '/icons'])(
  '%s is 404',
  async (other) => {
    const { browser } = await signIn();
    expect(refusalOf(await browser.send('GET', other))).toBe('404 NOT_FOUND');
  },
);

test('a page of icons counts neither in the windows nor in the quota', async () => {
  const { browser, key } = await signIn();
  for (let icon = 0; icon < 60; icon++)
    expect((await browser.send('GET', path, { withoutPause: true })).status).toBe(200);
  expect((await browser.send('GET', '/sessions', { withoutPause: true })).status).toBe(200);
  api.tracking.answer({ getTotals: async () => ({ apps: 0, keywords: 0, competitors: 0 }) });
  const { body } = await api.call('GET', '/api/v1/account/usage', { key });
  expect(body.data.usage.api_requests).toBe(0);
});

test('slow icons have slots of their own: the pages of the account go on', async () => {
  const { browser } = await signIn();
  const { opened, open } = createGate();
  let waiting = 0;
  const allWait = createGate();
  api.storeFetch.answer({
    async getIcon() {
      if (++waiting === maxCallsPerAccount) allWait.open();
      await opened;
      return { image: png, content_type: 'image/png' };
    },
  });
  const slow = Array.from({ length: maxCallsPerAccount }, () =>
    browser.send('GET', path, { withoutPause: true }),
  );
  await allWait.opened;
  expect(refusalOf(await browser.send('GET', path, { withoutPause: true }))).toBe('503 SERVICE_UNAVAILABLE');
  expect((await browser.send('GET', '/sessions')).status).toBe(200);
  open();
  for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
});
