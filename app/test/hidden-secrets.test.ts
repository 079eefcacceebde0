import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localSocketPath } from '@shelfwise/embedded/local-socket';
import { type MessageCodec, type Topic, topics } from '@shelfwise/proto/topics';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import { createSmtpHarness } from '../../services/notify/test/smtp-server.ts';
import { publisher } from '../../services/notify/test/start-notify.ts';
import { findFreePort } from '../../testing/find-free-port.ts';
import type { RecordingBus } from '../../testing/recording-bus.ts';
import { runCommandHere } from '../../testing/system/run-command-here.ts';
import { signIn } from '../../testing/system/sign-in.ts';
import { startSystemHere } from '../../testing/system/start-system-here.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { backup } from '../src/commands/backup.ts';

const closing = useClosing();
const { startSmtp } = createSmtpHarness();

/** What is not secret: where it is not found, the search finds nothing. */
const channelName = 'The room that everyone may know';

/** In the address of each channel; none may be readable. */
const tokens = {
  path: 'webhookPathToken0123456789',
  query: 'webhookQueryToken0123456789',
  failing: 'failingPathToken0123456789',
  slack: 'slackPathToken0123456789abcd',
  refused: 'refusedPathToken0123456789',
};
const mailbox = 'hidden.reader';
const mailAddress = `${mailbox}@readers.example.com`;

/** Texts that must not be readable, by what they are. */
type Secrets = Map<string, string>;

function readableOf(secrets: Secrets, bytes: Buffer | string): string[] {
  const found = Buffer.from(bytes as Buffer);
  return [...secrets].flatMap(([name, secret]) => (found.includes(secret) ? [name] : []));
}

/** A receiver that answers 500 where the address says so, and another port on which nothing listens. */
async function startReceiver(): Promise<{ url: string; refusedUrl: string }> {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = request.url?.includes('/fails/') ? 500 : 200;
    response.end(`Cannot POST ${request.url}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, refusedUrl: `http://127.0.0.1:${await findFreePort()}` };
}

/** A system that logs everything. Every answer is kept. */
async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'sw-secrets-'));
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const { mail, mails } = await startSmtp();
  const port = await findFreePort();
  const running = await startSystemHere({
    SHELFWISE_DATA_DIR: dataDir,
    SAMPLE_DAY: '2026-03-20',
    DAILY_RUN: 'false',
    LOG_LEVEL: 'debug',
    METRICS_PORT: '0',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SECRETS_KEY: '0123456789abcdef'.repeat(4),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SMTP_URL: `smtp://127.0.0.1:${mail.server.port}`,
    MAIL_FROM: 'alerts@aso.example.com',
  });
  closing.push(running.end);
  const { key, id: accountId } = await running.system.accounts.create({
    email: 'owner@example.org',
    plan: 'unlimited',
  });
  const answers: string[] = [];

  /** Keeps the whole answer, unless it shows a secret. */
  async function send(url: string, request: RequestInit, showsSecret = false): Promise<string> {
    const answer = await fetch(url, request);
    const text = await answer.text();
    if (!showsSecret) answers.push(text, JSON.stringify([...answer.headers]));
    return text;
  }
  async function call(method: string, path: string, body?: unknown, showsSecret = false) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const request = body === undefined ? { method, headers } : { method, headers, body: sent };
    let text = '';
    // A key has five calls a second.
    await until(async () => {
      text = await send(`${running.url}/api/v1${path}`, request, showsSecret);
      if (!text.includes('RATE_LIMITED')) return true;
      running.pass(1000);
      return false;
    });
    return JSON.parse(text);
  }
  return { ...running, dataDir, mails, key, accountId, answers, send, call };
}

type Started = Awaited<ReturnType<typeof start>>;

async function openDatabase(dataDir: string): Promise<Connection> {
  const uri = `mongodb://${encodeURIComponent(localSocketPath(dataDir, 'mongodb.sock'))}`;
  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
  const connection = await connectMongo({ uri, database: 'shelfwise_notify_sample', logger });
  closing.push(() => connection.close());
  return connection;
}

/** The account tracks a keyword. Each drop of its rank is an alert for the channels. */
async function dropFor({ system, accountId, call }: Started, notify: Connection, channels: number[]) {
  const deliver = async (topic: Topic, eventKey: string, message: unknown) => {
    const payload = (topics[topic] as MessageCodec<unknown>).encode(message).finish();
    const event = { id: randomUUID(), topic, key: eventKey, payload, at: new Date() };
    await system.buses.tracking.publish([event]);
  };
  const publish = publisher({ bus: { deliver } as unknown as RecordingBus });
  const has = async (collection: string, filter: object) =>
    (await notify.collection(collection).countDocuments(filter)) > 0;
  const ofAccount = { account_id: accountId };
  await publish.trackApp(ofAccount);
  await publish.trackKeyword(ofAccount);
  await until(() => has('alert_rules', ofAccount));
  await until(() => has('tracked_keywords', ofAccount));
  const { data: rules } = await call('GET', '/alerts/rules');
  const drop = rules.find(({ kind }: { kind: string }) => kind === 'rank_drop');
  await call('PATCH', `/alerts/rules/${drop.id}`, { threshold: 1, channels });
  await publish.takePage(10, { 'app-1': 3 });
  await until(() => has('keyword_pages', { _id: 7 as never }));
  await publish.takePage(11, { 'app-1': 40 });
  const tried = { last_tried_at: { $ne: null }, is_test: false };
  await until(
    async () => (await notify.collection('alert_deliveries').countDocuments(tried)) >= channels.length,
  );
}

/** All documents of all databases as they are stored. */
async function readDatabases(connection: Connection): Promise<Buffer> {
  const client = connection.getClient();
  const { databases } = await client.db().admin().listDatabases();
  const documents: Buffer[] = [];
  for (const { name } of databases)
    for (const { name: collection } of await client.db(name).listCollections().toArray())
      for await (const bytes of client.db(name).collection(collection).find({}, { raw: true }))
        documents.push(Buffer.from(bytes as unknown as Uint8Array));
  return Buffer.concat(documents);
}

function readFolder(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
}

test('secrets and addresses of channels are readable in no database, log, answer or backup', async () => {
  const started = await start();
  const { url, opsUrl, dataDir, mails, key, answers, send, call } = started;
  const receiver = await startReceiver();
  const notify = await openDatabase(dataDir);
  const secrets: Secrets = new Map(Object.entries(tokens));
  secrets.set('mail address', mailAddress).set('mailbox', mailbox);

  const create = async (type: string, address: string) => {
    const body = { type, name: channelName, url: address, timing: 'instant' };
    const { data } = await call('POST', '/alerts/channels', body, type === 'webhook');
    if (type === 'webhook') hideSecret('secret', data);
    return Number(data.id);
  };
  /** Of the answer that shows it, all else is looked at. */
  const hideSecret = (name: string, { secret, ...rest }: { secret: string }) => {
    expect(secret).toMatch(/^whsec_[\w+/]{40,}=*$/);
    secrets.set(`${name} ${secrets.size}`, secret.slice('whsec_'.length));
    answers.push(JSON.stringify(rest));
  };
  const webhook = await create('webhook', `${receiver.url}/in/${tokens.path}?key=${tokens.query}`);
  const failing = await create('webhook', `${receiver.url}/fails/${tokens.failing}`);
  const slack = await create('slack', `${receiver.url}/services/fails/${tokens.slack}`);
  const refused = await create('slack', `${receiver.refusedUrl}/services/${tokens.refused}`);
  const mail = await create('email', `mailto:${mailAddress}`);
  const rotated = await call('PATCH', `/alerts/channels/${webhook}`, { rotate_secret: true }, true);
  hideSecret('new secret', rotated.data);
  const confirm = /http\S+\/mail\/confirm\/(\S+)/.exec(mails[0]?.text ?? '');
  secrets.set('link that confirms', confirm?.[1] ?? 'none');
  for (const method of ['GET', 'POST']) await send(confirm?.[0] ?? '', { method });

  await dropFor(started, notify, [webhook, failing, slack, refused, mail]);
  const unsubscribe = /<http\S+\/mail\/unsubscribe\/(\S+)>/.exec(mails[1]?.headers['list-unsubscribe'] ?? '');
  secrets.set('link that unsubscribes', unsubscribe?.[1] ?? 'none');
  for (const id of [webhook, refused]) await call('POST', `/alerts/channels/${id}/test`);
  const { data: deliveries } = await call('GET', `/alerts/channels/${slack}/deliveries`);
  expect(deliveries).toMatchObject([{ state: 'waiting', status: 500 }]);
  await call('POST', `/alerts/deliveries/${deliveries[0].id}/redeliver`);

  // Calls that are refused.
  const { host } = new URL(receiver.url);
  const refusedUrls = [`http://ann:${tokens.query}@${host}/${tokens.path}`, `http://${host}/#${tokens.path}`];
  for (const address of [...refusedUrls, `ftp://${host}/${tokens.path}`])
    expect(await call('PATCH', `/alerts/channels/${webhook}`, { url: address })).toMatchObject({
      code: 'INVALID_PARAMS',
    });
  const unfinished = `{"type":"webhook","url":"${receiver.url}/${tokens.path}"`;
  expect(await call('POST', '/alerts/channels', unfinished)).toHaveProperty('code');
  expect(await call('PATCH', `/alerts/channels/${mail}`, { url: `mailto:${mailAddress}, x` })).toHaveProperty(
    'code',
  );
  expect(
    await call('PATCH', `/alerts/channels/${webhook}?url=${tokens.path}`, { timing: 'hourly' }),
  ).toHaveProperty('data');

  for (const id of [webhook, failing, slack, refused, mail])
    await call('GET', `/alerts/channels/${id}/deliveries`);
  for (const path of ['/alerts/channels', '/alerts/rules', '/alerts', '/alerts/digests'])
    await call('GET', path);
  const cookie = await signIn(url, key);
  for (const accept of ['text/html', 'application/json'])
    await send(`${url}/dashboard/alerts`, { headers: { cookie, accept } });
  for (const path of ['metrics', 'readyz']) await send(`${opsUrl}/${path}`, {});

  const databases = await readDatabases(notify);
  const folder = join(dataDir, 'copy');
  const made = await runCommandHere(backup, ['--to', folder, '--json'], { SHELFWISE_DATA_DIR: dataDir });
  expect(made.code).toBe(0);
  const copy = readFolder(folder);
  await notify.close();
  await started.end();
  const log = started.output();

  // What is not secret is found, so what is secret would be.
  for (const place of [databases, copy, answers.join('\n')])
    expect(Buffer.from(place as Buffer).includes(channelName)).toBe(true);
  expect(log).toContain('/api/v1/alerts/channels');
  expect([...secrets.values()].every((secret) => secret.length > 8)).toBe(true);
  expect({
    databases: readableOf(secrets, databases),
    backup: readableOf(secrets, copy),
    folder: readableOf(secrets, readFolder(dataDir)),
    answers: readableOf(secrets, answers.join('\n')),
    log: readableOf(secrets, log),
    command: readableOf(secrets, made.stdout + made.stderr),
  }).toEqual({ databases: [], backup: [], folder: [], answers: [], log: [], command: [] });
});
