import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ChannelCredentials,
  type ChannelOptions,
  credentials,
  experimental,
  ServerCredentials,
} from '@grpc/grpc-js';
import { z } from 'zod';
import { booleanSetting } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { StartError } from '../process/start-error.ts';
import { watchExpiry } from './certificate-expiry.ts';
import { hostsOf, isOnThisMachine } from './service-address.ts';
import { type TlsCertificates, watchCertificates } from './tls-certificates.ts';

/** How a process serves and calls others over the network. */
export const grpcSettings = {
  /** A folder with ca.crt, tls.crt and tls.key. */
  GRPC_TLS_DIR: z.string().optional(),
  /** Whether connections to other machines may be without encryption. */
  GRPC_INSECURE: booleanSetting.default(false),
};

type GrpcSettings = z.output<z.ZodObject<typeof grpcSettings>>;

export type GrpcSecurity = {
  /** Null: connections are not encrypted. */
  certificates: TlsCertificates | null;
  /** Whether that is accepted for connections that may leave this machine. */
  isInsecureAllowed: boolean;
};

const thisMachineOnly: GrpcSecurity = { certificates: null, isInsecureAllowed: false };

/**
 * Mutual TLS if the settings have certificates.
 * @throws StartError when they cannot be used
 */
export async function openGrpcSecurity(
  settings: GrpcSettings,
  deps: {
    logger: Logger;
    /** Show when the certificates expire. */
    metrics?: Metrics;
    onStop(name: string, close: () => Promise<unknown>): void;
  },
): Promise<GrpcSecurity> {
  const { GRPC_TLS_DIR: folder, GRPC_INSECURE: isInsecureAllowed } = settings;
  if (folder === undefined) return { certificates: null, isInsecureAllowed };
  const certificates = await watchCertificates({ folder, logger: deps.logger });
  if (deps.metrics) watchExpiry(deps.metrics, certificates.expiries);
  deps.onStop('certificates', async () => certificates.close());
  return { certificates, isInsecureAllowed };
}

/**
 * For a server on this address. With certificates a client must have one of the same authority.
 * @throws StartError when other machines could connect without encryption
 */
export function toServerCredentials(address: string, security = thisMachineOnly): ServerCredentials {
  const { certificates, isInsecureAllowed } = security;
  if (address.startsWith('unix:')) return ServerCredentials.createInsecure();
  if (certificates)
    return experimental.createCertificateProviderServerCredentials(certificates, certificates, true);
  if (isInsecureAllowed || isOnThisMachine(address)) return ServerCredentials.createInsecure();
  throw new StartError(
    `GRPC_ADDRESS ${address} accepts calls of other machines, without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true if every caller in the network is trusted.`,
  );
}

/**
 * For a client of the service at this address. With certificates the service must have one of the same authority, for a host of
 * the address.
 * @throws StartError when calls would leave this machine without encryption
 */
export function toChannelSecurity(
  { address, name }: { address: string; name: string },
  security = thisMachineOnly,
): { credentials: ChannelCredentials; options: ChannelOptions } {
  const { certificates, isInsecureAllowed } = security;
  if (certificates && !address.startsWith('unix:')) return toTls({ address, name }, certificates);
  if (isInsecureAllowed || isOnThisMachine(address))
    return { credentials: credentials.createInsecure(), options: {} };
  throw new StartError(
    `The ${name} service at ${address} would be called without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true if the network is trusted.`,
  );
}

function toTls({ address, name }: { address: string; name: string }, certificates: TlsCertificates) {
  const hosts = hostsOf(address);
  // A copy in a list may have any of its addresses: the library would compare with the first only.
  const checkHosts = (_host: string, certificate: PeerCertificate) => {
    const problems = hosts.map((host) => checkServerIdentity(host, certificate));
    return problems.includes(undefined) ? undefined : problems[0];
  };
  const [host = name] = hosts;
  return {
    credentials: experimental.createCertificateProviderChannelCredentials(certificates, certificates, {
      checkServerIdentity: checkHosts,
    }),
    // TLS does not accept an IP address as the name of a server.
    options: isIP(host) === 0 ? {} : { 'grpc.ssl_target_name_override': name },
  };
}
