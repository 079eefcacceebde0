import { serviceAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import {
  booleanSetting,
  hostSetting,
  integerSetting,
  portSetting,
  publicUrlSetting,
  urlSetting,
} from '@shelfwise/runtime/process/config';
import { redisSettings } from '@shelfwise/runtime/redis/redis-settings';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';
import type { ServiceAddresses } from './clients.ts';
import type { DashboardSettings } from './gateway.ts';
import { trustProxySetting } from './http/trust-proxy.ts';

/** The settings of the public port, in addition to PORT. */
export const edgeSettings = {
  /** Absent: all addresses. */
  HOST: hostSetting.optional(),
  MAX_CONNECTIONS: integerSetting(1, 1_000_000).default(10_000),
};

/** The host names by which assistants reach /mcp, besides IP addresses. */
export const mcpHostsSetting = z
  .string()
  .default('localhost')
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .refine(
    (names) => names.every((name) => /^[a-z0-9.-]+$/.test(name)),
    'must be host names, separated by commas',
  );

export const dashboardSettings = {
  /** Where browsers reach the gateway, for the links that it makes. Absent: on this machine. */
  PUBLIC_URL: publicUrlSetting.optional(),
  DASHBOARD: booleanSetting.default(true),
};

/** Undefined with DASHBOARD=false. */
export function toDashboard({
  DASHBOARD: isOn,
  PUBLIC_URL: publicUrl,
}: {
  DASHBOARD: boolean;
  PUBLIC_URL?: string | undefined;
}): DashboardSettings | undefined {
  return isOn ? { publicUrl } : undefined;
}

/** The settings of a gateway that runs as its own process. */
export const gatewayConfig = z.object({
  PORT: portSetting.default(8080),
  ...edgeSettings,
  ...dashboardSettings,
  ...processSettings,
  TRACKING_ADDRESS: serviceAddressSetting,
  SCORING_ADDRESS: serviceAddressSetting,
  STORE_FETCH_ADDRESS: serviceAddressSetting,
  NICHE_ADDRESS: serviceAddressSetting,
  CHART_ADDRESS: serviceAddressSetting,
  NOTIFY_ADDRESS: serviceAddressSetting,
  SHELFWISE_PLANS_FILE: z.string().optional(),
  TRUST_PROXY: trustProxySetting,
  MCP_HOSTS: mcpHostsSetting,
  /** The address of the assistant server; absent: there is no /mcp. */
  MCP_URL: urlSetting.optional(),
  /** Whether HTTP to an assistant server on another machine may be without encryption. */
  MCP_INSECURE: booleanSetting.default(false),
  /**
   * For how long a stopping gateway still takes calls, each of whose answers closes its connection. Behind a proxy of connections,
   * such as a Service of Kubernetes, callers notice nothing else of a stop. Absent: `defaultLingerMs` of main.ts.
   */
  STOP_DELAY_SECONDS: integerSetting(0, 300).optional(),
  ...redisSettings,
});

export function toServiceAddresses(settings: z.output<typeof gatewayConfig>): ServiceAddresses {
  return {
    tracking: settings.TRACKING_ADDRESS,
    scoring: settings.SCORING_ADDRESS,
    storeFetch: settings.STORE_FETCH_ADDRESS,
    niche: settings.NICHE_ADDRESS,
    chart: settings.CHART_ADDRESS,
    notify: settings.NOTIFY_ADDRESS,
  };
}
