/**
 * A receiver of webhooks as a process of its own, which experiments kill. Arguments: a port (0: a free one) and a file. Sends its
 * port. What it gets is in the file before it answers, so that a kill loses nothing that a sender may believe delivered. The first
 * part of an address is the group of the receiver, and a message `{group, mode}` says how this group answers.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Receipt, ReceiverMode } from './alert-receivers.ts';

const [port = '0', file = ''] = process.argv.slice(2);
const modes = new Map<string, ReceiverMode>();
/** By group: answers that hang. */
const hanging = new Map<string, Set<ServerResponse>>();

const server = createServer(async (request, response) => {
  const arrivedAt = Date.now();
  const to = request.url ?? '';
  const group = to.split('/')[1] ?? '';
  const body = await text(request).catch(() => null);
  // The sender was killed, or gave up.
  if (body === null) return;
  const mode = modes.get(group) ?? 'ok';
  const events = (JSON.parse(body).events as FeedRow[]).map(
    ({ id, at, kind, keyword_id: keywordId, evidence }) => ({
      id,
      at: Date.parse(at),
      subject: `${kind} ${keywordId} ${evidence.days.after}`,
    }),
  );
  const receipt: Receipt = { to, id: String(request.headers['webhook-id']), arrivedAt, mode, events };
  appendFileSync(file, `${JSON.stringify(receipt)}\n`);
  if (mode === 'hang') hang(group, response);
  else if (mode === 'redirect') response.writeHead(302, { location: '/redirected/1' }).end();
  else response.writeHead(mode === 'error' ? 500 : 200).end();
});

type FeedRow = {
  id: number;
  at: string;
  kind: string;
  keyword_id: number;
  evidence: { days: { after: string } };
};

function hang(group: string, response: ServerResponse): void {
  const waiting = hanging.get(group) ?? new Set();
  hanging.set(group, waiting.add(response));
  response.once('close', () => waiting.delete(response));
}

process.on('message', ({ group, mode }: { group: string; mode: ReceiverMode }) => {
  modes.set(group, mode);
  // A receiver that is well again keeps no one waiting.
  if (mode !== 'hang') for (const response of hanging.get(group) ?? []) response.destroy();
});
process.once('disconnect', () => process.exit(0));
server.listen(Number(port), '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
