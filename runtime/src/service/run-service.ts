import type { z } from 'zod';
import type { EventBus } from '../events/event-bus.ts';
import type { KafkaSettings } from '../events/kafka-settings.ts';
import { openEventBus } from '../events/open-event-bus.ts';
import {
  type GrpcSecurity,
  grpcSettings,
  isOpenToLocalUsers,
  openGrpcSecurity,
} from '../grpc/tls/grpc-security.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { connectMongo } from '../mongo/connect-mongo.ts';
import { databaseName, databaseSettings, mongoUriSetting } from '../mongo/database-settings.ts';
import { logLevelSetting, opsSettings, readConfig } from '../process/config.ts';
import type { SignalHost } from '../process/first-signal.ts';
import { createOpsServer, type OpsReadiness, readParts } from '../process/ops-server.ts';
import { createRun, type Run, runUntilSignal } from '../process/run.ts';
import { explainStartError } from '../process/start-error.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import { tracingSettings } from '../tracing/tracing-settings.ts';
import type { Service, ServiceDeps } from './service.ts';

/** The settings of every service that runs alone. */
export const processSettings = {
  MONGODB_URI: mongoUriSetting,
  ...opsSettings,
  ...databaseSettings,
  ...grpcSettings,
  ...tracingSettings,
  LOG_LEVEL: logLevelSetting.default('info'),
};

type Settings = z.output<z.ZodObject<typeof processSettings>>;
/** A gateway serves no gRPC. */
type ServerSettings = { GRPC_ADDRESS?: string };
/** A service without events has no settings of Kafka. */
type EventSettings = Settings & (KafkaSettings | { KAFKA_BROKERS?: undefined });
type Config = z.ZodObject & { _output: Settings };

/** What a failed start has opened may wait for what has failed. */
const closeWithinMs = 5000;

/** The process that a service runs in, `process` outside of tests. */
export type ServiceHost = SignalHost & Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'>;

/**
 * Runs one service in its own process: reads the settings, opens the database, starts the service, prints where it
 * listens, and ends the process after SIGINT or SIGTERM. A start that fails prints the reason, closes what it has opened and
 * exits with code 1.
 */
export async function runService<ServiceConfig extends Config>(
  host: ServiceHost,
  options: {
    name: string;
    config: ServiceConfig;
    /** the name of the service's own database, without MONGODB_PREFIX */
    database: string;
    create(
      deps: ServiceDeps & {
        settings: z.output<ServiceConfig>;
        /** Null without KAFKA_BROKERS. */
        bus: EventBus | null;
        /** Closes what the service uses, after the service has stopped. */
        onStop: Run['onStop'];
        /** For the service's own server and for its clients. */
        security: GrpcSecurity;
      },
    ): CreatedService | Promise<CreatedService>;
    /** See `runUntilSignal`. */
    lingerMs?(settings: z.output<ServiceConfig>): number;
  },
): Promise<void> {
  let run: Run | undefined;
  try {
    const settings = readConfig(options.config, host.env);
    const { LOG_LEVEL: level } = settings as Settings;
    const logger = createLogger({ name: options.name, level, destination: host.stderr });
    run = createRun(logger);
    await startAndWait(host, { ...options, settings, logger, run });
  } catch (error) {
    host.stderr.write(`${explainStartError(error)}\n`);
    const limit = setTimeout(() => host.exit(1), closeWithinMs);
    run?.stop(1);
    await run?.ended;
    clearTimeout(limit);
    host.exit(1);
  }
}

export type CreatedService = {
  service: Service & {
    announceDraining?(): void;
    /** What operators see; default: the service's own checks. */
    readReadiness?(): Promise<OpsReadiness>;
  };
  /** Where it listens, for people; called after the start. */
  listensOn(): string | Promise<string>;
};

async function startAndWait<ServiceConfig extends Config>(
  host: ServiceHost,
  {
    name,
    database,
    create,
    lingerMs,
    settings,
    logger,
    run,
  }: Parameters<typeof runService<ServiceConfig>>[1] & {
    settings: z.output<ServiceConfig>;
    logger: Logger;
    run: Run;
  },
): Promise<void> {
  const {
    MONGODB_URI: uri,
    MONGODB_PREFIX: prefix,
    METRICS_HOST: opsHost,
    METRICS_PORT: port,
  } = settings as Settings;
  const metrics = createMetrics({ withProcess: port !== undefined });
  // First, so that it stops last: spans of the stop are still sent.
  await startTracing(settings as Settings, { name: `shelfwise-${name}`, logger, onStop: run.onStop });
  const security = await openGrpcSecurity(settings as Settings, { logger, metrics, onStop: run.onStop });
  const { GRPC_ADDRESS: address } = settings as ServerSettings;
  if (address !== undefined && isOpenToLocalUsers(address, security))
    logger.warn(
      `Every user of this machine can call the ${name} service. Set GRPC_SECRET to the same 32 bytes or more for every process and command.`,
    );
  const connection = await connectMongo({ uri, database: databaseName(prefix, database), logger });
  run.onStop('database', () => connection.close());
  const now = () => new Date();
  const bus = await openBus(settings as EventSettings, { clientId: name, connection, logger, metrics, now });
  run.onStop('event bus', async () => bus?.stop());
  const { service, listensOn } = await create({
    settings,
    connection,
    bus,
    isDatabaseEmbedded: false,
    schemaMode: 'require',
    logger,
    metrics,
    now,
    onStop: run.onStop,
    security,
  });
  // The port for operators opens first, to show what a start waits for.
  let stage: 'starting' | 'draining' | null = 'starting';
  const { readReadiness: readOwn = () => readParts(service.checks) } = service;
  const readReadiness = async () => {
    const readiness = await readOwn();
    return stage === null ? readiness : { ...readiness, status: stage };
  };
  const ops =
    port === undefined
      ? null
      : await run.start(createOpsServer({ host: opsHost, port, metrics, readReadiness }));
  await run.start(service);
  stage = null;
  // Before the line is printed, because its reader may send a signal.
  const ended = runUntilSignal(host, run, logger, {
    onDraining: () => {
      stage = 'draining';
      service.announceDraining?.();
    },
    lingerMs: lingerMs?.(settings) ?? 0,
    isStartedByNpm: host.env.npm_lifecycle_event !== undefined,
  });
  const metricsAt = ops ? `, metrics on ${ops.url()}/metrics` : '';
  host.stdout.write(`${name} listens on ${await listensOn()}${metricsAt}\n`);
  await ended;
}

async function openBus(
  settings: EventSettings,
  deps: Parameters<typeof openEventBus>[1],
): Promise<EventBus | null> {
  return settings.KAFKA_BROKERS === undefined ? null : openEventBus(settings, deps);
}
