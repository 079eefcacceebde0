import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import type { Connection } from 'mongoose';
import type { StoreSettings } from './config.ts';
import type { StoreSource } from './source.ts';
import type { createSampleCatalog } from './sources/sample/catalog.ts';
import { createSampleSource } from './sources/sample/sample-source.ts';

export type SourceSettings = StoreSettings & { STORE_SOURCE: 'sample' | 'live' };

export type SourceDeps = {
  metrics: Metrics;
  now: () => Date;
  /** The database of store-fetch; a live source stores its budgets there. */
  connection: Connection;
  /** Whether the database is the embedded one, which the health page shows. */
  isDatabaseEmbedded: boolean;
  logger: Logger;
  /** Through which the copies of a live source share breakers and answers; default: each copy has its own. */
  redis?: RedisConnection | undefined;
  /** 0 to 1, for the pauses before retries; default: Math.random. */
  random?: () => number;
  /** The sample's catalog; default: a new one. */
  createCatalog?: typeof createSampleCatalog | undefined;
};

export type SelectedSource = {
  source: StoreSource;
  /** The source's parts of the health page. */
  checks: { 'store source': StatusCheck } & Record<string, StatusCheck>;
  /**
   * Refuses all calls that are queued for a live store; calls that have been sent continue. Called when the service
   * drains.
   */
  refuseQueued(): void;
  /** Closes the connections to proxies. Called after the last request. */
  stop(): Promise<void>;
};

/** Creates the configured source. The service never falls back from the live stores to the sample. */
export async function createSource(settings: SourceSettings, deps: SourceDeps): Promise<SelectedSource> {
  if (settings.STORE_SOURCE === 'live') {
    // What reads the stores takes a while to load, and the sample needs none of it.
    const { startLiveSource } = await import('./start-live-source.ts');
    return startLiveSource(settings, deps);
  }
  return {
    source: createSampleSource({ now: deps.now, createCatalog: deps.createCatalog }),
    checks: { 'store source': sampleStatus },
    refuseQueued: () => {},
    stop: async () => {},
  };
}

const sampleStatus: StatusCheck = async () => ({
  name: 'store source',
  state: PartState.OK,
  detail: 'sample: a fictional catalog, no real store is read',
  is_embedded: true,
});
