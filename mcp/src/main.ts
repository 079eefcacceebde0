import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createOpsServer } from '@shelfwise/runtime/process/ops-server';
import { refusePlainHttp } from '@shelfwise/runtime/process/plain-http';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { mcpConfig } from './config.ts';
import { createHttpHandler } from './http/create-http-handler.ts';
import { createMcpServer } from './http/mcp-server.ts';

// The assistant server as its own process. It has no database, so it is no service of runtime. A local assistant starts
// stdio.ts instead.
try {
  const settings = readConfig(mcpConfig, process.env);
  const { MCP_ADDRESS: address, SHELFWISE_BASE_URL: baseUrl, MCP_INSECURE: isInsecureAllowed } = settings;
  const plain = { allowedBy: 'MCP_INSECURE', isInsecureAllowed };
  refusePlainHttp({ setting: 'MCP_ADDRESS', url: `http://${address}`, ...plain });
  refusePlainHttp({ setting: 'SHELFWISE_BASE_URL', url: baseUrl, ...plain });
  const logger = createLogger({ name: 'mcp', level: settings.LOG_LEVEL, destination: process.stderr });
  const run = createRun(logger);
  let status = 'starting';
  const readReadiness = async () => ({ status });
  const { METRICS_PORT: opsPort, METRICS_HOST: opsHost } = settings;
  const metrics = createMetrics({ withProcess: opsPort !== undefined });
  const ops =
    opsPort === undefined
      ? null
      : await run.start(createOpsServer({ host: opsHost, port: opsPort, metrics, readReadiness }));
  const handler = createHttpHandler({
    baseUrl: () => baseUrl,
    onUnreachable: (error) => logger.warn({ err: error }, 'the API cannot be reached'),
    onRefused: (reason) => logger.debug({ reason }, 'a request of /mcp is refused'),
  });
  const { hostname, port } = new URL(`http://${address}`);
  const server = await run.start(
    createMcpServer({
      handler,
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || 80),
      onError: (error) => logger.error({ err: error }, 'a request of /mcp failed'),
    }),
  );
  status = 'ok';
  const ended = runUntilSignal(process, run, logger, {
    onDraining: () => {
      status = 'draining';
    },
    lingerMs: 0,
    isStartedByNpm: process.env.npm_lifecycle_event !== undefined,
  });
  console.log(`mcp listens on ${hostname}:${server.port()}${ops ? `, metrics on ${ops.url()}/metrics` : ''}`);
  await ended;
} catch (error) {
  console.error(explainStartError(error));
  process.exit(1);
}
