import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createWebhookSecret, signWebhook } from '@shelfwise/notify/delivery/sign-webhook';
import { postOnce } from '@shelfwise/runtime/outgoing/post';
import { readOptions } from '../lib/options.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';

readOptions(
  'npm run webhook-signatures',
  `Sends webhooks to a receiver on this machine, and verifies what it got in Python: with the published library of
standardwebhooks.com where a package index has it, else with hmac of the standard library, and says which. Needs python3.`,
  {},
);

/** `body`: base64, as verify.py reads it. */
type Message = {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  is_valid: boolean;
};

const received: Pick<Message, 'headers' | 'body'>[] = [];
const receiver = createServer(async (request, response) => {
  const body = (await buffer(request)).toString('base64');
  received.push({ headers: request.headers as Message['headers'], body });
  response.end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

/** What a receiver gets of a message that is signed with these secrets. */
async function send(text: string, secrets: readonly string[], at = new Date()) {
  const body = JSON.stringify({ type: 'alerts', account_id: 'a', events: [{ text }] });
  const signed = signWebhook({ id: 'msg_1', at, body }, secrets);
  const headers = { 'content-type': 'application/json', ...signed };
  await postOnce({ url, headers, body, timeoutMs: 5000, answerBytes: 100, options: { allowPrivate: true } });
  const got = received.at(-1);
  if (!got) throw new Error('nothing was received');
  return got;
}

const [secret, old, other] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];
const usual = await send('App fell from 3rd to 9th.', [secret]);
const odd = await send('“Ünï” 日本語 👩‍👩‍👧 \u2028 \u0000 </script> \\ "', [secret]);
const rotated = await send('App fell from 3rd to 9th.', [secret, old]);
const late = await send('App fell from 3rd to 9th.', [secret], new Date(Date.now() - 3_600_000));
receiver.close();
const messages: Message[] = [
  { name: 'a message', secret, ...usual, is_valid: true },
  { name: 'a message with odd characters', secret, ...odd, is_valid: true },
  { name: 'the new secret after a rotation', secret, ...rotated, is_valid: true },
  { name: 'the old secret after a rotation', secret: old, ...rotated, is_valid: true },
  { name: 'the secret of another channel', secret: other, ...rotated, is_valid: false },
  { name: 'a changed body', secret, ...usual, body: odd.body, is_valid: false },
  {
    name: 'a changed id',
    secret,
    ...usual,
    headers: { ...usual.headers, 'webhook-id': 'msg_2' },
    is_valid: false,
  },
  { name: 'an hour later', secret, ...late, is_valid: false },
];

const folder = fileURLToPath(new URL('.', import.meta.url));
const { status, error } = spawnSync(findPython(), [join(folder, 'verify.py')], {
  input: JSON.stringify(messages),
  stdio: ['pipe', 'inherit', 'inherit'],
});
if (error) throw new Error('Python cannot be started', { cause: error });
process.exitCode = status ?? 1;

/** Of a new virtual environment with the library; the machine's own where that cannot be had. */
function findPython(): string {
  const environment = join(temporaryFolder('python'), 'venv');
  const python = join(environment, 'bin', 'python');
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps'];
  const isInstalled =
    spawnSync('python3', ['-m', 'venv', environment]).status === 0 &&
    spawnSync(python, ['-m', 'pip', 'install', ...quiet, '-r', join(folder, 'requirements.txt')]).status ===
      0;
  return isInstalled ? python : 'python3';
}
