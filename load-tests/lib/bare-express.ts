/**
 * A bare Express application that answers with recorded bodies: what the same calls cost without Shelfwise. The bodies come as the
 * first message of the parent process, by route; the port goes back.
 */
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type Call, routeOf } from '../k6/journey.ts';

/** by API key */
const lastKeywords = new Map<string, string>();

process.once('message', (bodies: Record<string, object>) => {
  const app = express();
  app.use(express.json());
  app.use('/api/v1', (request, response) => {
    const body = bodies[routeOf({ method: request.method as Call['method'], path: request.path })];
    if (body === undefined) return response.sendStatus(404);
    const route = `${request.method} ${request.path}`;
    const key = request.get('x-api-key') ?? '';
    if (route === 'POST /keywords') lastKeywords.set(key, request.body.keywords[0]);
    // A visit goes on with the keyword that it has tracked.
    return response.json(route === 'GET /keywords' ? withKeyword(body, lastKeywords.get(key)) : body);
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));

/** The body of a list with this keyword in its first row. */
function withKeyword(body: { data?: object[] }, keyword: string | undefined): object {
  const [first, ...others] = body.data ?? [];
  return { ...body, data: [{ ...first, keyword }, ...others] };
}
