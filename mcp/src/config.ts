import { booleanSetting, logLevelSetting, opsSettings, urlSetting } from '@shelfwise/runtime/process/config';
import { z } from 'zod';

/** The settings of an assistant server that runs as its own process, behind gateways. */
export const mcpConfig = z.object({
  /** Where it listens: host:port. Only gateways need to reach it. */
  MCP_ADDRESS: z
    .string()
    .default('127.0.0.1:8090')
    .refine((address) => /:\d{1,5}$/.test(address) && URL.canParse(`http://${address}`), 'must be host:port'),
  SHELFWISE_BASE_URL: urlSetting.default('http://localhost:8080'),
  /** Whether HTTP between it and gateways on other machines may be without encryption. */
  MCP_INSECURE: booleanSetting.default(false),
  ...opsSettings,
  LOG_LEVEL: logLevelSetting.default('info'),
});
