import { createGateway } from '@shelfwise/gateway/gateway';
import { nicheDatabase } from '@shelfwise/niche/config';
import { createNicheServer } from '@shelfwise/niche/server';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { GrpcClient, GrpcHandlers, ServiceTable } from '@shelfwise/runtime/grpc/grpc-types';
import { createGrpcServer } from '@shelfwise/runtime/grpc/server/grpc-server';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createFakeScoring, familyTerms } from '../../services/niche/test/fake-scoring.ts';
import { createFakeStoreFetch } from '../../services/niche/test/fake-store-fetch.ts';
import type { SampleSystem } from '../../testing/system/start-sample-system.ts';
import { gatewayDefaults } from '../lib/gateway-defaults.ts';
import { embeddedDatabaseUri } from '../lib/open-embedded-database.ts';

const listenAddress = '127.0.0.1:0';
const now = () => new Date();
/** The RPCs that the niche service calls. */
const scoringRpcs = { scoreTerms: ScoringServiceService.scoreTerms };
const storeFetchRpcs = {
  suggestTerms: StoreFetchServiceService.suggestTerms,
  searchApps: StoreFetchServiceService.searchApps,
};

export type ScriptedNiche = Awaited<ReturnType<typeof startScriptedNiche>>;

/**
 * A second niche service with its own gateway, on separate databases next to those of the system. Scoring and the
 * store are scripted: they answer over real gRPC, immediately, with any number of terms. The gateway's other calls go
 * to the services of the system.
 */
export async function startScriptedNiche(sampleSystem: SampleSystem) {
  const { system, run, logger } = sampleSystem;
  const metrics = createMetrics();
  const store = createFakeStoreFetch(now);
  const scoring = createFakeScoring(now);
  const uri = embeddedDatabaseUri(system.dataDir);
  const openDatabase = async (database: string) => {
    const connection = await connectMongo({ uri, database, logger });
    run.onStop(database, () => connection.close());
    return { connection, isDatabaseEmbedded: true };
  };

  /** Serves the handlers and returns a client for them. */
  async function serveOverGrpc<Service extends ServiceTable>(
    name: string,
    service: Service,
    handlers: GrpcHandlers<Service>,
  ): Promise<GrpcClient<Service>> {
    const server = createGrpcServer({ name, logger, metrics });
    server.addService(service, handlers);
    const address = await server.listen(listenAddress);
    run.onStop(name, () => server.drain(1000));
    return connect(name, service, address);
  }

  function connect<Service extends ServiceTable>(name: string, service: Service, address: string) {
    const { client, close } = createGrpcClient({ name, service, address });
    run.onStop(`client of ${name}`, async () => close());
    return client;
  }

  const niche = await run.start(
    createNicheServer({
      ...(await openDatabase(`${nicheDatabase}_scripted`)),
      scoring: await serveOverGrpc('scripted scoring', scoringRpcs, scoring.client),
      storeFetch: await serveOverGrpc('scripted store-fetch', storeFetchRpcs, store.client),
      logger,
      metrics,
      now,
      listenAddress,
    }),
  );
  const gateway = await run.start(
    createGateway({
      ...gatewayDefaults,
      ...(await openDatabase('shelfwise_gateway_scripted')),
      clients: { ...system.clients, niche: connect('niche', NicheServiceService, niche.address()) },
      logger,
      metrics,
      now,
    }),
  );

  return {
    url: `http://localhost:${gateway.address()?.port}`,
    accounts: gateway.accounts,
    /**
     * Prepares the next topic: it has this many unscored candidate terms, including the topic itself. The terms start
     * with `word`, in families of ten that share their results. Clears earlier terms and calls.
     */
    script(word: string, candidates: number): void {
      for (const list of [store.calls, scoring.calls, scoring.requests]) list.length = 0;
      store.forget();
      scoring.known.clear();
      store.shown.terms = familyTerms(word, candidates - 1);
      // The apps that all terms share, so that they are about the topic; their titles hold no other term.
      store.shown.titles = [word, word];
    },
    /** The terms that scoring has scored since then, by normal form. */
    scored: scoring.known,
  };
}
