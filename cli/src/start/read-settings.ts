import { CliError } from '../cli-error.ts';
import type { CliHost } from '../cli-host.ts';
import { exitCodes } from '../exit-codes.ts';

const defaultUrl = 'http://localhost:8080';
const longestTimeoutSeconds = 3600;

/**
 * The address of the API without a slash at the end: of --url, else of SHELFWISE_BASE_URL.
 * @throws CliError also for plain HTTP to another machine, because it carries the key
 */
export function readBaseUrl(env: CliHost['env'], option: string | undefined): string {
  const name = option === undefined ? 'SHELFWISE_BASE_URL' : '--url';
  const address = option ?? (env.SHELFWISE_BASE_URL?.trim() || defaultUrl);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new CliError(exitCodes.usage, `${name} must be an address such as ${defaultUrl}.`);
  const isEncrypted = url.protocol === 'https:' || isThisMachine(url.hostname);
  if (!isEncrypted && env.SHELFWISE_INSECURE !== 'true')
    throw new CliError(
      exitCodes.usage,
      `${name} would carry the API key to ${url.host} without encryption. Use https, or set SHELFWISE_INSECURE=true if the network is trusted.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

/** In ms; null: as long as the endpoint may take. @throws CliError */
export function readTimeout(option: string | undefined): number | null {
  if (option === undefined) return null;
  const seconds = Number(option);
  if (/^\d+$/.test(option) && seconds >= 1 && seconds <= longestTimeoutSeconds) return seconds * 1000;
  throw new CliError(
    exitCodes.usage,
    `--timeout must be whole seconds from 1 to ${longestTimeoutSeconds}, not “${option.slice(0, 50)}”.`,
  );
}
