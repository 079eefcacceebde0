import type { Logger } from '@shelfwise/runtime/log/logger';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { refusePlainHttp } from '@shelfwise/runtime/process/plain-http';
import { openRedis } from '@shelfwise/runtime/redis/connect-redis';
import { runService, type ServiceHost } from '@shelfwise/runtime/service/run-service';
import type { z } from 'zod';
import { createClients } from './clients.ts';
import { gatewayConfig, toDashboard, toServiceAddresses } from './config.ts';
import { createGateway } from './gateway.ts';
import { forwardMcp } from './mcp/forward-mcp.ts';
import type { McpSettings } from './mcp/mcp-endpoint.ts';
import { readPlans } from './plans/plans.ts';
import { gatewayDatabase } from './schema.ts';

/** Until load balancers have read twice that it is not ready. */
const defaultLingerMs = 1500;

/** Runs the gateway in a process of its own, `process` outside of tests. */
export function runAlone(host: ServiceHost): Promise<void> {
  return runService(host, {
    name: 'gateway',
    config: gatewayConfig,
    database: gatewayDatabase,
    lingerMs: ({ STOP_DELAY_SECONDS: seconds }) => (seconds === undefined ? defaultLingerMs : seconds * 1000),
    async create({ settings, onStop, ...deps }) {
      const { clients, close } = createClients(toServiceAddresses(settings), deps);
      onStop('clients', async () => close());
      const gateway = createGateway({
        ...deps,
        clients,
        redis: await openRedis(settings, { logger: deps.logger, metrics: deps.metrics, onStop }),
        plans: await readPlans(settings.SHELFWISE_PLANS_FILE),
        monotonicMs: () => performance.now(),
        port: settings.PORT,
        host: settings.HOST,
        maxConnections: settings.MAX_CONNECTIONS,
        trustProxy: settings.TRUST_PROXY,
        mcp: openMcp(settings, deps.logger),
        dashboard: toDashboard(settings),
        shownSettings: {},
        nodeVersion: process.versions.node,
      });
      const checks = { database: databaseStatus(deps.connection, deps.isDatabaseEmbedded) };
      return { service: { ...gateway, checks }, listensOn: () => `port ${gateway.address()?.port}` };
    },
  });
}

/** Undefined without an assistant server. */
function openMcp(settings: z.output<typeof gatewayConfig>, logger: Logger): McpSettings | undefined {
  const { MCP_URL: url, MCP_HOSTS: hosts, MCP_INSECURE: isInsecureAllowed } = settings;
  if (url === undefined) return undefined;
  refusePlainHttp({ setting: 'MCP_URL', url, allowedBy: 'MCP_INSECURE', isInsecureAllowed });
  return { endpoint: forwardMcp(url, logger), hosts };
}
