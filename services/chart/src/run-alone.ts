import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { connectClient } from '@shelfwise/runtime/grpc/client/connect-client';
import { runService, type ServiceHost } from '@shelfwise/runtime/service/run-service';
import { chartConfig, chartDatabase } from './config.ts';
import { createChartServer } from './server.ts';

/** Runs the service in a process of its own, `process` outside of tests. */
export function runAlone(host: ServiceHost): Promise<void> {
  return runService(host, {
    name: 'chart',
    config: chartConfig,
    database: chartDatabase,
    create({ settings, bus, onStop, ...deps }) {
      const address = settings.STORE_FETCH_ADDRESS;
      const service = createChartServer({
        ...deps,
        storeFetch: connectClient(onStop, {
          service: StoreFetchServiceService,
          name: 'store-fetch',
          address,
          security: deps.security,
          metrics: deps.metrics,
        }),
        bus,
        dailyRun: settings.DAILY_RUN,
        snapshotDays: settings.SNAPSHOT_RETENTION_DAYS,
        listenAddress: settings.GRPC_ADDRESS,
        hasReflection: true,
      });
      return { service, listensOn: service.address };
    },
  });
}
