import { isOnThisMachine } from '../grpc/service-address.ts';
import { StartError } from './start-error.ts';

/**
 * Between processes, HTTP that leaves this machine is encrypted, as gRPC is: it carries keys.
 * @param url where a process listens, or what it calls
 * @throws StartError for plain HTTP to or from other machines, unless the setting `allowedBy` is true
 */
export function refusePlainHttp(options: {
  setting: string;
  url: string;
  allowedBy: string;
  isInsecureAllowed: boolean;
}): void {
  const { setting, url, allowedBy, isInsecureAllowed } = options;
  const { protocol, hostname, port } = new URL(url);
  if (isInsecureAllowed || protocol === 'https:' || isOnThisMachine(`${hostname}:${port || 80}`)) return;
  throw new StartError(
    `${setting} ${url} would carry API keys between machines without encryption. Use https, or set ${allowedBy}=true if the network is trusted.`,
  );
}
