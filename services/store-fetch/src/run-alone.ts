import { openRedis } from '@shelfwise/runtime/redis/connect-redis';
import { runService, type ServiceHost } from '@shelfwise/runtime/service/run-service';
import { storeFetchConfig, storeFetchDatabase } from './config.ts';
import { createSource } from './create-source.ts';
import { createStoreFetchServer } from './server.ts';
import type { SourceDeps } from './start-live-source.ts';

/** Runs the service in a process of its own, `process` outside of tests, whose systems may share a catalog. */
export function runAlone(
  host: ServiceHost,
  { createCatalog }: Pick<SourceDeps, 'createCatalog'> = {},
): Promise<void> {
  return runService(host, {
    name: 'store-fetch',
    config: storeFetchConfig,
    database: storeFetchDatabase,
    async create({ settings, onStop, bus, ...deps }) {
      // The sample is the same in every copy.
      const redis =
        settings.STORE_SOURCE === 'live' ? await openRedis(settings, { ...deps, onStop }) : undefined;
      const { stop, ...source } = await createSource(settings, { ...deps, redis, createCatalog });
      onStop('store source', stop);
      const service = createStoreFetchServer({
        ...deps,
        ...source,
        // The sample is never away.
        bus: settings.STORE_SOURCE === 'live' ? bus : undefined,
        historyDays: settings.HISTORY_RETENTION_DAYS,
        listenAddress: settings.GRPC_ADDRESS,
        hasReflection: true,
      });
      return {
        service,
        listensOn: async () =>
          `${service.address()}, source ${(await source.checks['store source']()).detail}`,
      };
    },
  });
}
