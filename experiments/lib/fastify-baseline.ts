import { createHash } from 'node:crypto';
import { credentials, type ServiceError } from '@grpc/grpc-js';
import { type ListApplicationsReply, TrackingServiceClient } from '@shelfwise/proto/tracking/v1/tracking';
import fastify from 'fastify';

/**
 * The least that the path needs, with the usual parts: Fastify, the hash of the key in a map of accounts, and one call
 * with the generated grpc-js client and a deadline. No windows, no quota, no log.
 */
export async function startFastifyBaseline(options: {
  trackingAddress: string;
  /** account ids by the SHA-256 of their key, in hex */
  accountIds: ReadonlyMap<string, string>;
}): Promise<number> {
  const tracking = new TrackingServiceClient(options.trackingAddress, credentials.createInsecure());
  const listApplications = (accountId: string) =>
    new Promise<ListApplicationsReply>((resolve, reject) => {
      const request = { account_id: accountId, app_id: null };
      const done = (error: ServiceError | null, reply: ListApplicationsReply) =>
        error ? reject(error) : resolve(reply);
      tracking.listApplications(request, { deadline: Date.now() + 5000 } as never, done);
    });

  const app = fastify();
  app.get('/api/v1/applications', async (request, reply) => {
    const key = String(request.headers['x-api-key']);
    const accountId = options.accountIds.get(createHash('sha256').update(key).digest('hex'));
    if (accountId === undefined) return reply.code(401).send({ error: 'The API key is not valid.' });
    const { applications, total } = await listApplications(accountId);
    return { data: applications, meta: { total } };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}
