import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { connectClient } from '@shelfwise/runtime/grpc/client/connect-client';
import { runService, type ServiceHost } from '@shelfwise/runtime/service/run-service';
import { nicheConfig, nicheDatabase } from './config.ts';
import { createNicheServer } from './server.ts';

/** Runs the service in a process of its own, `process` outside of tests. */
export function runAlone(host: ServiceHost): Promise<void> {
  return runService(host, {
    name: 'niche',
    config: nicheConfig,
    database: nicheDatabase,
    create({ settings, onStop, ...deps }) {
      const { SCORING_ADDRESS: scoring, STORE_FETCH_ADDRESS: storeFetch } = settings;
      const service = createNicheServer({
        ...deps,
        scoring: connectClient(onStop, {
          service: ScoringServiceService,
          name: 'scoring',
          address: scoring,
          security: deps.security,
          metrics: deps.metrics,
        }),
        storeFetch: connectClient(onStop, {
          service: StoreFetchServiceService,
          name: 'store-fetch',
          address: storeFetch,
          security: deps.security,
          metrics: deps.metrics,
        }),
        historyDays: settings.HISTORY_RETENTION_DAYS,
        listenAddress: settings.GRPC_ADDRESS,
        hasReflection: true,
      });
      return { service, listensOn: service.address };
    },
  });
}
