import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { startFakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { type Api, createApi } from '../../testing/system/api.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { type ServiceProcess, startServiceProcess } from '../../testing/system/service-process.ts';
import { storeAddresses } from '../../testing/system/stand-in.ts';
import { startTraceCollector, type TraceCollector } from '../../testing/trace-collector.ts';

export type TracedServices = {
  api: Api;
  collector: TraceCollector;
  /** Of the database server. */
  mongodbUri: string;
  /** Ends all processes as operators do, the gateway first. */
  end(): Promise<void>;
  /** Whatever state they are in. */
  kill(): Promise<void>;
};

/**
 * The gateway, tracking, scoring and store-fetch, each in a process of its own, over gRPC, on live stores that are
 * invented. All send their spans to one collector.
 * @param settings of all processes
 */
export async function startTracedServices(settings: Record<string, string> = {}): Promise<TracedServices> {
  const folder = mkdtempSync(join(tmpdir(), 'sw-traced-'));
  const store = await startFakeStore();
  const collector = await startTraceCollector();
  const engine = await startEngine({ dataDir: folder });
  const started: ServiceProcess[] = [];
  const common = {
    MONGODB_URI: engine.mongodbUri,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ...settings,
  };

  async function start(entry: string, own: Record<string, string>): Promise<ServiceProcess> {
    const service = await startServiceProcess(entry, { ...common, GRPC_ADDRESS: '127.0.0.1:0', ...own });
    started.unshift(service);
    return service;
  }

  async function kill(): Promise<void> {
    await Promise.all(started.map((service) => service.end('SIGKILL')));
    await Promise.all([store.stop(), collector.stop()]);
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await command('app/src/commands/migrate.ts', [], common);
    const storeFetch = await start('services/store-fetch/src/main.ts', {
      STORE_SOURCE: 'live',
      ...storeAddresses(store.url),
    });
    const STORE_FETCH_ADDRESS = storeFetch.address;
    const [tracking, scoring] = await Promise.all([
      start('services/tracking/src/main.ts', { STORE_FETCH_ADDRESS }),
      start('services/scoring/src/main.ts', { STORE_FETCH_ADDRESS }),
    ]);
    const gateway = await start('gateway/src/main.ts', {
      PORT: '0',
      STOP_DELAY_SECONDS: '0',
      STORE_FETCH_ADDRESS,
      TRACKING_ADDRESS: tracking.address,
      SCORING_ADDRESS: scoring.address,
      // Not called.
      NICHE_ADDRESS: '127.0.0.1:1',
      CHART_ADDRESS: '127.0.0.1:1',
      NOTIFY_ADDRESS: '127.0.0.1:1',
    });
    const account = ['create', '--email', 'a@b.c', '--plan', 'unlimited', '--json'];
    const elsewhere = { ...common, SHELFWISE_DATA_DIR: join(folder, 'none') };
    const created = await command('app/src/commands/account.ts', account, elsewhere);
    const url = `http://127.0.0.1:${gateway.line.match(/port (\d+)/)?.[1]}`;
    return {
      api: createApi(url, JSON.parse(created).key),
      collector,
      mongodbUri: engine.mongodbUri,
      async end() {
        for (const service of started) expect(await service.end('SIGTERM')).toBe(0);
      },
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Runs a command without blocking this process, which serves the database. */
async function command(entry: string, args: string[], settings: Record<string, string>): Promise<string> {
  const env = { ...process.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeArguments(entry), ...args], { env });
  return stdout;
}
