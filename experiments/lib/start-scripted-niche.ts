import { createGateway } from '@shelfwise/gateway/gateway';
import { builtInPlans } from '@shelfwise/gateway/plans/plans';
import { nicheDatabase } from '@shelfwise/niche/config';
import { createNicheServer } from '@shelfwise/niche/server';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import { createGrpcServer } from '@shelfwise/runtime/grpc-server';
import type { GrpcClient, GrpcHandlers, ServiceTable } from '@shelfwise/runtime/grpc-types';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo';
import { createFakeScoring } from '../../services/niche/test/fake-scoring.ts';
import { createFakeStoreFetch } from '../../services/niche/test/fake-store-fetch.ts';
import { familyTerms } from '../../services/niche/test/family-terms.ts';
import { embeddedDatabaseUri } from './event-reader.ts';
import type { SampleSystem } from './start-sample-system.ts';

const listenAddress = '127.0.0.1:0';
const now = () => new Date();
/** What niche asks of the two services. */
const scoringRpcs = { scoreTerms: ScoringServiceService.scoreTerms };
const storeFetchRpcs = {
  suggestTerms: StoreFetchServiceService.suggestTerms,
  searchApps: StoreFetchServiceService.searchApps,
};

export type ScriptedNiche = Awaited<ReturnType<typeof startScriptedNiche>>;

/**
 * A second niche service and a gateway before it, on databases of their own beside those of a system. Everything is
 * real but scoring and the store, which answer over real gRPC with as many terms as a script wants, in no time. The
 * gateway's other calls go to the services of the system.
 */
export async function startScriptedNiche(beside: SampleSystem) {
  const { system, run, logger } = beside;
  const metrics = createMetrics();
  const store = createFakeStoreFetch(now);
  const scoring = createFakeScoring(now);
  const uri = embeddedDatabaseUri(system.dataDir);
  const open = async (database: string) => {
    const connection = await connectMongo({ uri, database, logger });
    run.onStop(database, () => connection.close());
    return { connection, isDatabaseEmbedded: true };
  };

  /** What answers to the RPCs, and a client of it. */
  async function overGrpc<Service extends ServiceTable>(
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
      ...(await open(`${nicheDatabase}_scripted`)),
      scoring: await overGrpc('scripted scoring', scoringRpcs, scoring.client),
      storeFetch: await overGrpc('scripted store-fetch', storeFetchRpcs, store.client),
      logger,
      metrics,
      now,
      listenAddress,
      contracts: null,
    }),
  );
  const gateway = await run.start(
    createGateway({
      ...(await open('shelfwise_gateway_scripted')),
      clients: { ...system.clients, niche: connect('niche', NicheServiceService, niche.address()) },
      plans: builtInPlans,
      logger,
      metrics,
      now,
      monotonicMs: () => performance.now(),
      port: 0,
      trustProxy: false,
      shownSettings: {},
      nodeVersion: process.versions.node,
    }),
  );

  return {
    url: `http://localhost:${gateway.address()?.port}`,
    accounts: gateway.accounts,
    /**
     * From now on topics have so many candidate terms that nobody has measured, the topic among them; their words begin
     * with `word`, in families of ten that share their results. What was scripted and asked before is forgotten.
     */
    script(word: string, candidates: number): void {
      for (const kept of [store.calls, scoring.calls, scoring.requests]) kept.length = 0;
      store.forget();
      scoring.known.clear();
      store.shown.terms = familyTerms(word, candidates - 1);
    },
    /** What scoring has told since then, by normal form. */
    scored: scoring.known,
  };
}
