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
import type { Logger } from '../../log/logger.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { booleanSetting } from '../../process/config.ts';
import { StartError } from '../../process/start-error.ts';
import { grpcSecretSetting, secretAdvice } from '../grpc-secret.ts';
import { hostsOf, isOnThisMachine } from '../service-address.ts';
import { watchExpiry } from './certificate-expiry.ts';
import { type TlsCertificates, watchCertificates } from './tls-certificates.ts';

/** How a process serves and calls others over the network. */
export const grpcSettings = {
  /** A folder with ca.crt, tls.crt and tls.key. */
  GRPC_TLS_DIR: z.string().optional(),
  /** Whether connections to other machines may be without encryption; GRPC_SECRET is required then. */
  GRPC_INSECURE: booleanSetting.default(false),
  /** Every call over the network carries it, and servers refuse calls without it. */
  GRPC_SECRET: grpcSecretSetting.optional(),
};

type GrpcSettings = z.output<z.ZodObject<typeof grpcSettings>>;

export type GrpcSecurity = {
  /** Null: connections are not encrypted. */
  certificates: TlsCertificates | null;
  /** Whether that is accepted for connections that may leave this machine. */
  isInsecureAllowed: boolean;
  /** That of every call over the network. Null: calls have none. */
  secret: string | null;
};

const thisMachineOnly: GrpcSecurity = { certificates: null, isInsecureAllowed: false, secret: null };

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
  const { GRPC_TLS_DIR: folder, GRPC_INSECURE: isInsecureAllowed, GRPC_SECRET: secret = null } = settings;
  if (folder === undefined) return { certificates: null, isInsecureAllowed, secret };
  const certificates = await watchCertificates({ folder, logger: deps.logger });
  if (deps.metrics) watchExpiry(deps.metrics, certificates.expiries);
  deps.onStop('certificates', async () => certificates.close());
  return { certificates, isInsecureAllowed, secret };
}

/**
 * For a server on this address. With certificates a client must have one of the same authority.
 * @throws StartError when other machines could connect without encryption, or with neither certificates nor a secret
 */
export function toServerCredentials(address: string, security = thisMachineOnly): ServerCredentials {
  const { certificates, isInsecureAllowed } = security;
  if (address.startsWith('unix:')) return ServerCredentials.createInsecure();
  if (certificates)
    return experimental.createCertificateProviderServerCredentials(certificates, certificates, true);
  if (isOnThisMachine(address)) return ServerCredentials.createInsecure();
  if (!isInsecureAllowed)
    throw new StartError(
      `GRPC_ADDRESS ${address} accepts calls of other machines, without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true and GRPC_SECRET if the network is trusted.`,
    );
  if (security.secret === null)
    throw new StartError(
      `GRPC_ADDRESS ${address} accepts calls of other machines, without certificates and without a secret. ${secretAdvice} It has 32 bytes or more.`,
    );
  return ServerCredentials.createInsecure();
}

/** Whether every user of this machine can call a server on this address. */
export function isOpenToLocalUsers(address: string, security = thisMachineOnly): boolean {
  return !address.startsWith('unix:') && security.certificates === null && security.secret === null;
}

/**
 * For a client of the service at this address. With certificates the service must have one of the same authority, for a host of
 * the address.
 * @throws StartError when calls would leave this machine without encryption, or with neither certificates nor a secret
 */
export function toChannelSecurity(
  { address, name }: { address: string; name: string },
  security = thisMachineOnly,
): { credentials: ChannelCredentials; options: ChannelOptions; secret: string | null } {
  const { certificates, isInsecureAllowed, secret } = security;
  // The folder of the socket is the protection.
  if (address.startsWith('unix:'))
    return { credentials: credentials.createInsecure(), options: {}, secret: null };
  if (certificates) return { ...toTls({ address, name }, certificates), secret };
  if (isOnThisMachine(address)) return { credentials: credentials.createInsecure(), options: {}, secret };
  if (!isInsecureAllowed)
    throw new StartError(
      `The ${name} service at ${address} would be called without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true and GRPC_SECRET if the network is trusted.`,
    );
  if (secret === null)
    throw new StartError(
      `The ${name} service at ${address} would be called without certificates and without a secret. ${secretAdvice} It has 32 bytes or more.`,
    );
  return { credentials: credentials.createInsecure(), options: {}, secret };
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
