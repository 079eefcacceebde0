import { until } from '../../testing/until.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const token = `sw_mail_7-${'x'.repeat(43)}`;

beforeEach(() => {
  api.notify.answer({
    confirmAlertChannel: async () => ({ is_confirmed: true }),
    unsubscribeAlertChannel: async () => ({ is_known: true }),
  });
});

const open = (method: string, path: string, request: object = {}) =>
  api.call(method, path, { key: null, ...request });

test.each(['/mail/confirm', '/mail/unsubscribe'])(
  '%s: opening the link changes nothing and needs no key; its button does',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await open(method, `${path}/${token}`);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'; form-action 'self'"),
        'referrer-policy': 'no-referrer',
        'x-robots-tag': expect.stringContaining('noindex'),
      });
    }
    expect(api.notify.requests).toEqual([]);
    expect((await open('GET', `${path}/${token}`)).body).toContain('<form method="post">');
    expect((await open('POST', `${path}/${token}`)).status).toBe(200);
    expect(api.notify.requests.map(({ request }) => request)).toEqual([{ token }]);
  },
);

test('one click, as programs of readers send it', async () => {
  const { status } = await open('POST', `/mail/unsubscribe/${token}`, {
    raw: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(status).toBe(200);
  expect(api.notify.requests.map(({ method }) => method)).toEqual(['unsubscribeAlertChannel']);
});

test('a link that was used or has expired says so, and so does one that is of no channel', async () => {
  api.notify.answer({
    confirmAlertChannel: async () => ({ is_confirmed: false }),
    unsubscribeAlertChannel: async () => ({ is_known: false }),
  });
  const { status, body } = await open('POST', `/mail/confirm/${token}`);
  expect([status, body]).toEqual([404, expect.stringContaining('was used, or has expired')]);
  const unknown = await open('POST', `/mail/unsubscribe/${token}`);
  expect([unknown.status, unknown.body]).toEqual([404, expect.stringContaining('newest one')]);
});

test('the log has the page, and nothing of the token', async () => {
  for (const method of ['GET', 'POST']) await open(method, `/mail/confirm/${token}`);
  const ofPage = () => api.lines.filter((line) => line.includes('/mail/confirm'));
  await until(() => ofPage().some((line) => line.includes('POST')));
  expect(ofPage().join('\n')).toContain('/mail/confirm/[link of a mail]');
  expect(api.lines.join('\n')).not.toContain('xxxxx');
});

test('a failure is a page, too', async () => {
  api.notify.fail('confirmAlertChannel', 'SERVICE_UNAVAILABLE');
  const { status, body } = await open('POST', `/mail/confirm/${token}`);
  expect([status, body]).toEqual([503, expect.stringContaining('<!doctype html>')]);
});
