/**
 * A bare Express application that answers with recorded bodies: what the same calls cost without Shelfwise. The bodies come as the
 * first message of the parent process, by route; the port goes back.
 */
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type Call, routeOf } from '../k6/journey.ts';

process.once('message', (bodies: Record<string, object>) => {
  const app = express();
  app.use(express.json());
  app.use('/api/v1', (request, response) => {
    const body = bodies[routeOf({ method: request.method as Call['method'], path: request.path })];
    if (body === undefined) response.sendStatus(404);
    else response.json(body);
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));
