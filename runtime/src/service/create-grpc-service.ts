import type { BoundService } from '../grpc/server/bind-handlers.ts';
import { createGrpcServer } from '../grpc/server/grpc-server.ts';
import { databaseStatus } from '../mongo/database-status.ts';
import type { DatabaseSchema } from '../mongo/schema/database-schema.ts';
import { prepareDatabase } from '../mongo/schema/prepare-database.ts';
import type { DrainingPart } from '../process/run.ts';
import { checkAll, type StatusCheck } from '../process/status.ts';
import { createStatusHandlers, statusService } from '../process/status-service.ts';
import type { GrpcService, GrpcServiceDeps } from './service.ts';

/** How long a stop waits for open calls before it aborts them. */
const defaultDrainMs = 8000;

type ServiceParts = {
  name: string;
  schema: Pick<DatabaseSchema, 'migrations'>;
  services: readonly BoundService[];
  /** What the health report names, besides the database. */
  checks: Readonly<Record<string, StatusCheck>>;
  /** default: 8,000 */
  drainMs?: number;
  /** On the prepared database, before the first call. */
  beforeCalls?(): void | Promise<void>;
  /** Once calls are accepted. */
  startJobs(): void | Promise<void>;
  /** When the process announces its stop; `stopJobs` follows and reports the errors. */
  announceDraining?(): void;
  /** While open calls are awaited. */
  stopJobs(): Promise<unknown>;
  /** When there is neither a call nor a job. */
  afterJobs?(): Promise<unknown>;
};

/** A gRPC service on one database, as a part of a process. */
export function createGrpcService(deps: GrpcServiceDeps, parts: ServiceParts): GrpcService & DrainingPart {
  const { connection, logger, metrics, hasReflection, security } = deps;
  const { name, schema, drainMs = defaultDrainMs } = parts;
  const database = databaseStatus(connection, deps.isDatabaseEmbedded);
  const checks = { database, ...parts.checks };
  metrics.parts.add(name, () => checkAll(checks));
  const server = createGrpcServer({ name, logger, metrics, hasReflection, security, ownNeeds: database });
  for (const { table, handlers } of parts.services) server.addService(table, handlers);
  server.addService(statusService, createStatusHandlers(checks));

  let address = '';
  return {
    name,
    async start() {
      await prepareDatabase(connection, schema, deps.schemaMode);
      await parts.beforeCalls?.();
      address = await server.listen(deps.listenAddress);
      await parts.startJobs();
    },
    announceDraining: () => parts.announceDraining?.(),
    async stop() {
      await Promise.all([server.drain(drainMs), parts.stopJobs()]);
      await parts.afterJobs?.();
    },
    address: () => address,
    inProcess: server.inProcess,
    checks,
  };
}
