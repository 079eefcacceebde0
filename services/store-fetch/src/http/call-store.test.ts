import { MockAgent } from 'undici';
import { callStore, refusePage, type StoreCall } from './call-store.ts';

/** Calls a store that gives the same answer to every request. */
function callWith(
  answer: { status?: number; text?: string; headers?: Record<string, string> },
  call: Partial<StoreCall> = {},
) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get('http://store.example')
    .intercept({ path: () => true, method: () => true })
    .reply(answer.status ?? 200, answer.text ?? '', {
      headers: { 'content-type': 'text/html', ...answer.headers },
    });
  const { signal } = new AbortController();
  return callStore({
    url: new URL('http://store.example/page'),
    timeoutMs: 1_000,
    signal,
    dispatcher: agent,
    ...call,
  });
}

const aboutCaptchas = '<!doctype html><h1>Captcha Keeper</h1><p>Are you not a robot?</p>';

test('an expected page may mention captchas; where data is expected it is a captcha', async () => {
  const page = await callWith({ text: aboutCaptchas }, { expects: 'html' });
  expect(page.body.toString()).toBe(aboutCaptchas);
  await expect(callWith({ text: aboutCaptchas })).rejects.toMatchObject({ kind: 'captcha' });
});

test.each([
  [500, false],
  [503, false],
  [408, false],
  [400, true],
  [404, true],
  [302, true],
])('whether HTTP %i is permanent and therefore not retried: %s', async (status, isPermanent) => {
  await expect(callWith({ status })).rejects.toMatchObject({ kind: 'error', isPermanent });
});

test('XML and JSON that mention captchas are not captchas', async () => {
  const xml = '<?xml version="1.0"?><plist><string>captcha</string></plist>';
  expect((await callWith({ text: xml, headers: { 'content-type': 'text/xml' } })).status).toBe(200);
  const json = '{"description":"No captcha"}';
  expect((await callWith({ text: json, headers: { 'content-type': 'text/javascript' } })).status).toBe(200);
});

test('a page without its marks is a captcha if it looks like one, otherwise the failure that its reader names', async () => {
  const captcha = await callWith({ text: aboutCaptchas }, { expects: 'html' });
  expect(refusePage(captcha, 'sent a page without a title')).toMatchObject({ kind: 'captcha' });
  const other = await callWith({ text: '<p>moved' }, { expects: 'html' });
  expect(refusePage(other, 'sent a page without a title')).toMatchObject({
    kind: 'malformed',
    message: 'sent a page without a title',
  });
});

test('a captcha with an error status is a captcha, also where a page is expected', async () => {
  const call = callWith({ status: 429, text: aboutCaptchas }, { expects: 'html' });
  await expect(call).rejects.toMatchObject({ kind: 'captcha' });
});

test('a redirect to the page for robots is a captcha, also where redirects are expected', async () => {
  const headers = { location: 'https://www.search.example/sorry/index?continue=x' };
  const call = callWith({ status: 302, headers }, { expects: 'html', mayBeMoved: true });
  await expect(call).rejects.toMatchObject({ kind: 'captcha' });
});

test('an expected redirect is an answer, and is never followed', async () => {
  const headers = { location: '/elsewhere' };
  const answer = await callWith({ status: 308, headers }, { mayBeMoved: true });
  expect(answer).toMatchObject({ status: 301, movedTo: '/elsewhere' });
  await expect(callWith({ status: 308, headers })).rejects.toMatchObject({ kind: 'error' });
  await expect(callWith({ status: 301 }, { mayBeMoved: true })).rejects.toMatchObject({ kind: 'error' });
});

test('a missing page is an answer where it is expected, and an error elsewhere', async () => {
  expect(await callWith({ status: 404 }, { mayBeMissing: true })).toMatchObject({ status: 404 });
  await expect(callWith({ status: 404 })).rejects.toMatchObject({ kind: 'error' });
});

test('an answer that is not a redirect names no other address', async () => {
  expect(await callWith({ headers: { location: '/elsewhere' } })).toMatchObject({
    status: 200,
    movedTo: null,
  });
});

test('a finished call removes its listener from the caller’s signal and leaves no timer', async () => {
  const { signal } = new AbortController();
  const listening = {
    on: jest.spyOn(signal, 'addEventListener'),
    off: jest.spyOn(signal, 'removeEventListener'),
  };
  const timers = {
    set: jest.spyOn(globalThis, 'setTimeout'),
    cleared: jest.spyOn(globalThis, 'clearTimeout'),
  };
  const timeoutMs = 54_321;
  await callWith({ text: 'whole' }, { signal, timeoutMs });
  await expect(callWith({ status: 503 }, { signal, timeoutMs })).rejects.toMatchObject({ kind: 'error' });
  const limits = timers.set.mock.results.filter((_, call) => timers.set.mock.calls[call]?.[1] === timeoutMs);
  const cleared = timers.cleared.mock.calls.map(([timer]) => timer);
  jest.restoreAllMocks();
  expect(limits).toHaveLength(2);
  for (const { value } of limits) expect(cleared).toContain(value);
  const listeners = listening.on.mock.calls.map(([, listener]) => listener);
  expect(listeners).toHaveLength(2);
  expect(listening.off.mock.calls.map(([, listener]) => listener)).toEqual(listeners);
});

test.each([
  ['data', 16 * 1024],
  ['html', 4 * 1024],
] as const)('%s is read up to %i KiB; a longer answer is malformed', async (expects, maxKiB) => {
  const text = 'x'.repeat(maxKiB * 1024);
  expect((await callWith({ text }, { expects })).body.length).toBe(text.length);
  const longer = callWith({ text: `${text}x` }, { expects });
  await expect(longer).rejects.toMatchObject({ kind: 'malformed', message: `sent more than ${maxKiB} KiB` });
});
