import type { Connection } from 'mongoose';
import type { ServiceInProcess } from '../grpc/grpc-types.ts';
import type { GrpcSecurity } from '../grpc/tls/grpc-security.ts';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { SchemaMode } from '../mongo/schema/prepare-database.ts';
import type { DiskSpaceWatch } from '../process/disk-space.ts';
import type { Part } from '../process/run.ts';
import type { StatusCheck } from '../process/status.ts';

/** What every service is created with. */
export type ServiceDeps = {
  /** to the service's own database */
  connection: Connection;
  /** Shown in the health report. */
  isDatabaseEmbedded: boolean;
  /**
   * Whether nothing else writes to the database, not even a second copy in this process, so that what the service writes may be
   * remembered. Default: no.
   */
  isOnlyCopy?: boolean;
  /** Default: the start migrates the database. */
  schemaMode?: SchemaMode;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** The disk of the embedded database; absent when the database is elsewhere. */
  diskSpace?: DiskSpaceWatch | undefined;
};

/** What every gRPC service is created with. */
export type GrpcServiceDeps = ServiceDeps & {
  /** `host:port`, where port 0 lets the system choose, or `unix:/path`. Null: only this process calls the service. */
  listenAddress: string | null;
  /** Whether clients such as grpcurl can read the contracts. Default: no. */
  hasReflection?: boolean;
  /** Default: plain connections of this machine only. */
  security?: GrpcSecurity;
};

/** A service as a part of a process. */
export type Service = Part & { checks: Readonly<Record<string, StatusCheck>> };

/** A service with RPCs. */
export type GrpcService = Service & {
  /** `host:port` or `unix:/path` from the start on; empty when only this process calls the service */
  address(): string;
  /** the address for clients in this process */
  inProcess: ServiceInProcess;
};
