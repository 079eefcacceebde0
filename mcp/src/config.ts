import { logLevelSetting, opsSettings, urlSetting } from '@shelfwise/runtime/config';
import { grpcSettings } from '@shelfwise/runtime/grpc/grpc-security';
import { z } from 'zod';

/** The settings of an assistant server that runs as its own process, behind gateways. */
export const mcpConfig = z.object({
  /** Where it listens: host:port. Only gateways need to reach it. */
  MCP_ADDRESS: z
    .string()
    .default('127.0.0.1:8090')
    .refine((address) => /:\d{1,5}$/.test(address) && URL.canParse(`http://${address}`), 'must be host:port'),
  SHELFWISE_BASE_URL: urlSetting.default('http://localhost:8080'),
  GRPC_INSECURE: grpcSettings.GRPC_INSECURE,
  ...opsSettings,
  LOG_LEVEL: logLevelSetting.default('info'),
});
