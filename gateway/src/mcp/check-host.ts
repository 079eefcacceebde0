import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { sendMcpError } from './send-mcp-error.ts';

/**
 * 403 for a request of a web page whose author should not reach this server. Such a page uses a name that this server does
 * not have (DNS rebinding), or comes from another site. An address as Host is allowed, because no page can point it
 * elsewhere. A page must come from this server, or from this machine. Programs send no Origin.
 * @param names the host names of this server, in lower case
 */
export function checkHost(names: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const { host, origin } = request.headers;
    const server = hostName(`http://${host}`);
    if (server === null || !(isIP(server) !== 0 || names.includes(server)))
      return sendMcpError(response, 403, describe('Host', host));
    if (origin === undefined) return next();
    const page = hostName(origin);
    if (page === null || ![server, ...loopback, ...names].includes(page))
      return sendMcpError(response, 403, describe('Origin', origin));
    next();
  };
}

const loopback = ['localhost', '127.0.0.1', '::1'];

/** Without port and brackets; null when the text is no URL of a web server. */
function hostName(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) ? hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase() : null;
}

function describe(header: string, value: string | undefined): string {
  return `/mcp does not answer to the ${header} "${String(value).slice(0, 100)}". The operator adds its host name to MCP_HOSTS.`;
}
