import { Webhook } from 'standardwebhooks';
import { createWebhookSecret, signWebhook } from './sign-webhook.ts';

const at = new Date('2026-03-10T09:00:00.789Z');
const message = { id: 'msg_1', at, body: '{"type":"test","text":"é 😀"}' };

/** Throws unless the library of standardwebhooks.com takes the message. */
function verify(secret: string, headers: Record<string, string>, body = message.body): void {
  const now = jest.spyOn(Date, 'now').mockReturnValue(at.getTime());
  try {
    new Webhook(secret).verify(body, headers);
  } finally {
    now.mockRestore();
  }
}

test('the published library takes a signature, and refuses another secret, id, time or body', () => {
  const secret = createWebhookSecret();
  const headers = signWebhook(message, [secret]);
  expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': '1773133200' });
  expect(() => verify(secret, headers)).not.toThrow();
  expect(() => verify(createWebhookSecret(), headers)).toThrow('No matching signature');
  expect(() => verify(secret, { ...headers, 'webhook-id': 'msg_2' })).toThrow('No matching signature');
  expect(() => verify(secret, { ...headers, 'webhook-timestamp': '1773133201' })).toThrow(
    'No matching signature',
  );
  expect(() => verify(secret, headers, `${message.body} `)).toThrow('No matching signature');
});

test('while a secret is rotated, receivers with the old one and with the new one take the message', () => {
  const [current, old] = [createWebhookSecret(), createWebhookSecret()];
  const headers = signWebhook(message, [current, old]);
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of [current, old]) expect(() => verify(secret, headers)).not.toThrow();
});

test('the signature of the specification’s example', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  };
  expect(signWebhook(example, [secret])['webhook-signature']).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});
