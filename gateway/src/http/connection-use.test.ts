import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createConnectionUse } from './connection-use.ts';

type Sent = { headers?: Record<string, string>; url?: string };

/** A connection whose requests wait for their answers. */
function connect() {
  const use = createConnectionUse();
  const socket = {} as Socket;
  const unanswered = new Set<ServerResponse>();
  use.follow(socket, unanswered);
  return {
    use,
    socket,
    receive({ headers = {}, url = '/api/v1/applications' }: Sent = {}): ServerResponse {
      const response = { req: { socket, headers, url } as IncomingMessage } as ServerResponse;
      unanswered.add(response);
      return response;
    },
    /** Refuses a request without a valid key. Returns whether its connection is useless. */
    refuse(response: ServerResponse): boolean {
      use.noteRefusal(response);
      return use.isUseless(response.req, response);
    },
    send(response: ServerResponse): void {
      unanswered.delete(response);
      use.noteAnswered(socket, response);
    },
  };
}

const withKey: [string, Sent][] = [
  ['X-API-Key', { headers: { 'x-api-key': 'key' } }],
  ['Authorization', { headers: { authorization: 'Bearer key' } }],
  ['the query', { url: '/api/v1/applications?api_key=key' }],
];

test.each(withKey)('a connection with a refused key in %s is useless', (_where, sent) => {
  const { receive, refuse, send } = connect();
  const first = receive();
  expect(refuse(first)).toBe(true);
  send(first);
  expect(refuse(receive(sent))).toBe(true);
});

test.each(withKey)(
  'a connection with a waiting request that has a key in %s is not useless',
  (_where, sent) => {
    const { receive, refuse } = connect();
    const own = receive();
    receive();
    expect(refuse(own)).toBe(true);
    receive(sent);
    expect(refuse(own)).toBe(false);
  },
);

test('a connection that carried an answer, or has a valid key, is not useless', () => {
  const page = connect();
  page.send(page.receive({ url: '/healthz' }));
  expect(page.refuse(page.receive())).toBe(false);
  const valid = connect();
  valid.use.noteValidKey(valid.socket);
  expect(valid.refuse(valid.receive())).toBe(false);
});
