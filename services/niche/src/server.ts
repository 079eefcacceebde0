import { randomUUID } from 'node:crypto';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { createGrpcServer } from '@shelfwise/runtime/grpc-server';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { databaseStatus } from '@shelfwise/runtime/mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo-queries/prepare-database';
import type { Contracts } from '@shelfwise/runtime/reflection';
import type { DrainingPart } from '@shelfwise/runtime/run';
import type { StatusCheck } from '@shelfwise/runtime/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/status-service';
import type { Connection } from 'mongoose';
import { analysisStatus } from './analysis-status.ts';
import { analyzeNiche } from './handlers/analyze-niche.ts';
import { findNiche } from './handlers/find-niche.ts';
import { listNiches } from './handlers/list-niches.ts';
import { createNicheParts, type NicheClients } from './niche-parts.ts';

/** What is left to answer once the analyses are given up. */
const drainMs = 5000;

/** The niche service on one database. Any number of copies may share it. */
export function createNicheServer(
  deps: NicheClients & {
    /** to the database that is niche's own */
    connection: Connection;
    isDatabaseEmbedded: boolean;
    logger: Logger;
    /** Of how analyses get on and end; `logger` when none is given. */
    progressLogger?: Logger;
    metrics: Metrics;
    now: () => Date;
    /** By the clock on the wall when none is given. */
    sleep?: Sleep;
    /** host:port; port 0 lets the system choose */
    listenAddress: string;
    /** What clients may ask for; null: nothing. */
    contracts: Contracts | null;
  },
): DrainingPart & { address(): string; checks: Readonly<Record<string, StatusCheck>> } {
  const { connection, logger, metrics } = deps;
  const progressLogger = (deps.progressLogger ?? logger).child({ service: 'niche' });
  const parts = createNicheParts({ ...deps, progressLogger, newId: randomUUID, sleep: deps.sleep ?? sleep });
  const checks = {
    database: databaseStatus(connection, deps.isDatabaseEmbedded),
    analyses: analysisStatus(parts.turns),
  };

  const server = createGrpcServer({ name: 'niche', logger, metrics });
  server.addService(NicheServiceService, {
    findNiche: (request, call) => findNiche(parts, request, call),
    analyzeNiche: (request, call) => analyzeNiche(parts, request, call),
    listNiches: (request) => listNiches(parts, request),
  });
  server.addService(statusService, createStatusHandlers(checks));
  if (deps.contracts) server.reflect(deps.contracts);

  let address = '';
  return {
    name: 'niche',
    async start() {
      await prepareDatabase(connection);
      address = await server.listen(deps.listenAddress);
    },
    announceDraining() {
      // `stop` tells what went wrong.
      parts.running.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([parts.running.stop(), server.drain(drainMs)]);
    },
    address: () => address,
    checks,
  };
}
