import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import express, { type Express } from 'express';
import { addressGroup } from '../limits/address-limiter.ts';

export type ClientAddress = ReturnType<typeof createClientAddress>;

/** Whose connections and requests are whose, according to the app's setting of proxies. */
export function createClientAddress(app: Express) {
  const trust = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  const isProxy = ({ remoteAddress }: Socket) => trust(remoteAddress, 0);
  return {
    /** Whether the connection is one of a trusted proxy, which carries requests of many clients. */
    isProxy,
    /** The address that a request counts for: IPv4, or the /64 of IPv6. */
    of({ headers, socket }: IncomingMessage): string {
      const peer = socket.remoteAddress ?? 'unknown';
      if (!isProxy(socket)) return addressGroup(peer);
      // Before Express has seen a request, its getter needs these three.
      const address: unknown = Reflect.get(express.request, 'ip', { app, headers, socket });
      return addressGroup(typeof address === 'string' && isIP(address) ? address : peer);
    },
  };
}
