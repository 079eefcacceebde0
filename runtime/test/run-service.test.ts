import { EventEmitter } from 'node:events';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import { findFreePort } from '../../testing/find-free-port.ts';
import { createSink } from '../../testing/system/run-command-here.ts';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import type { Metrics } from '../src/metrics/metrics.ts';
import { processSettings, runService, type ServiceHost } from '../src/service/run-service.ts';

const databaseUri = useDatabaseServer();
const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
});
afterEach(() => jest.useRealTimers());

const config = z.object({ ...processSettings, COLOR: z.string() });

/** A fake process that records its exit codes and does not exit. */
function createHost(env: Record<string, string>) {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const host = {
    on: signals.on.bind(signals),
    exit: (code: number) => exits.push(code),
    ppid: 7,
    env,
    stdout: createSink((text) => printed.push(text.trimEnd())),
    // Lines of the log are no sentences for people.
    stderr: createSink((text) => text.startsWith('{') || printed.push(text.trimEnd())),
  };
  return { host: host as unknown as ServiceHost, signals, exits };
}

/** Runs a service that records what happens to it, and stops it after its start. */
async function runRecorded(
  env: Record<string, string>,
  {
    failing,
    onStart: duringStart = async () => {},
    onStop: duringStop = async () => {},
    onClose = () => {},
  }: {
    failing?: Error;
    onStart?: () => Promise<void>;
    onStop?: () => Promise<void>;
    onClose?: (exits: readonly number[]) => void;
  } = {},
) {
  const { host, signals, exits } = createHost(env);
  const calls: string[] = [];
  let metrics: Metrics | undefined;
  let database: Connection | undefined;
  await runService(host, {
    name: 'lamp',
    config,
    database: 'run_service',
    create({ settings, onStop, connection, isDatabaseEmbedded, ...deps }) {
      database = connection;
      metrics = deps.metrics;
      calls.push(`create ${settings.COLOR} ${connection.name} ${isDatabaseEmbedded}`);
      onStop('client', async () => {
        calls.push(`close client, database is ${connection.readyState}`);
        onClose(exits);
      });
      const service = {
        name: 'lamp',
        checks: {},
        start: async () => {
          await duringStart();
          if (failing) throw failing;
          calls.push('start');
          setImmediate(() => signals.emit('SIGTERM'));
        },
        announceDraining: () => calls.push('draining'),
        stop: async () => {
          await duringStop();
          calls.push('stop');
        },
      };
      return { service, listensOn: () => 'port 1' };
    },
  });
  return { calls, exits, metrics, database };
}

test('a service runs on its database until a signal, and what it uses closes after it', async () => {
  const { calls, exits } = await runRecorded({ MONGODB_URI: databaseUri(), COLOR: 'red', METRICS_PORT: '0' });
  const [created, ...rest] = calls;
  expect(created).toBe('create red run_service false');
  // 1: the connection is still open.
  expect(rest).toEqual(['start', 'draining', 'stop', 'close client, database is 1']);
  expect(printed).toEqual([
    expect.stringMatching(/^lamp listens on port 1, metrics on http:\/\/127\.0\.0\.1:\d+\/metrics$/),
  ]);
  expect(exits).toEqual([0]);
});

test('only a process with a port for metrics is woken by the monitor of its event loop', async () => {
  const settings = { MONGODB_URI: databaseUri(), COLOR: 'red' };
  const isMonitored = async (env: Record<string, string>) =>
    (await runRecorded(env)).metrics?.registry.getSingleMetric('nodejs_eventloop_lag_p99_seconds') !==
    undefined;
  expect(await isMonitored({ ...settings, METRICS_PORT: '0' })).toBe(true);
  expect(await isMonitored(settings)).toBe(false);
});

test.each([
  ['until a service has started', 'starting', 'onStart'],
  ['while a service stops', 'draining', 'onStop'],
])('%s, its health page says 503, so that load balancers send no calls', async (_when, status, moment) => {
  const port = await findFreePort();
  let answer: { status: number; body: unknown } | undefined;
  async function readPage() {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    answer = { status: response.status, body: await response.json() };
  }
  const settings = { MONGODB_URI: databaseUri(), COLOR: 'red', METRICS_PORT: String(port) };
  await runRecorded(settings, { [moment]: readPage });
  expect(answer).toEqual({ status: 503, body: { status, parts: [] } });
});

test('missing settings are all named, and the process exits with code 1', async () => {
  const { calls, exits } = await runRecorded({});
  expect(calls).toEqual([]);
  expect(printed).toEqual([
    expect.stringMatching(/Invalid settings:\n {2}MONGODB_URI: is missing\n {2}COLOR: is missing/),
  ]);
  expect(exits).toEqual([1]);
});

test('a wrong address of the database is named together with the other wrong settings', async () => {
  await runRecorded({ MONGODB_URI: 'foo', LOG_LEVEL: 'loud' });
  for (const problem of ['MONGODB_URI: must start with', 'LOG_LEVEL: must be trace', 'COLOR: is missing'])
    expect(printed.join()).toContain(`\n  ${problem}`);
});

test('certificates that cannot be used are reported in one sentence, and the process exits with code 1', async () => {
  const settings = { MONGODB_URI: databaseUri(), COLOR: 'red', GRPC_TLS_DIR: '/nowhere' };
  const { calls, exits } = await runRecorded(settings);
  expect(calls).toEqual([]);
  expect(printed).toEqual([
    expect.stringMatching(
      /^GRPC_TLS_DIR: \/nowhere\/ca\.crt cannot be read \(ENOENT\); the folder needs ca\.crt, tls\.crt and tls\.key\.$/,
    ),
  ]);
  expect(exits).toEqual([1]);
});

test('an unexpected failure of the start is printed in full, and the process exits with code 1', async () => {
  const settings = { MONGODB_URI: databaseUri(), COLOR: 'red' };
  const { exits } = await runRecorded(settings, { failing: new Error('no bulb') });
  expect(printed).toEqual(['Error: no bulb']);
  expect(exits).toEqual([1]);
});

test('a start that fails closes what it has opened', async () => {
  const settings = { MONGODB_URI: databaseUri(), COLOR: 'red' };
  const { calls, database } = await runRecorded(settings, { failing: new Error('no bulb') });
  expect(calls.slice(1)).toEqual(['close client, database is 1']);
  expect(database?.readyState).toBe(0);
});

test('a start that fails waits five seconds for what does not close, then the process exits with code 1', async () => {
  const settings = { MONGODB_URI: databaseUri(), COLOR: 'red' };
  const exitedWithin: number[] = [];
  await runRecorded(settings, {
    failing: new Error('no bulb'),
    onStart: async () => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }),
    onClose(exits) {
      for (const ms of [4999, 1]) {
        jest.advanceTimersByTime(ms);
        exitedWithin.push(exits.length);
      }
      jest.useRealTimers();
    },
  });
  expect(exitedWithin).toEqual([0, 1]);
});
