import { createHash } from 'node:crypto';
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A command that runs the services itself for as long as it takes. */
export type CommandState = 'snapshot-command' | 'scores-command';

/** What whoever holds the data folder is doing. */
export type HolderState = {
  state: 'starting' | 'running' | 'draining' | 'account-command' | CommandState;
  pid: number;
  /** Where the API listens, once it does. */
  url: string | null;
  /** Where the services listen (host:port), once they do. */
  tracking: string | null;
  scoring: string | null;
  /** Which stores it reads; null when it reads none. */
  source: 'sample' | 'live' | null;
  /** Which database server it works on: see `databaseMark`. */
  database: string;
};

/** Tells databases apart without telling an address, which may hold a password. */
export function databaseMark(mongodbUri: string | undefined): string {
  return mongodbUri === undefined ? 'embedded' : createHash('sha256').update(mongodbUri).digest('hex');
}

export type ControlReply = { status: number; body: unknown };

/**
 * The local socket of the process that holds the data folder. Only the folder's owner can reach it. `GET /state`
 * says what the process does; `POST /accounts` takes an account command.
 */
export function createControl(first: HolderState) {
  let state = first;
  let answerCommand: ((command: unknown) => Promise<ControlReply>) | null = null;

  const listener: RequestListener = (request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      () => send(response, { status: 500, body: { error: 'the command failed; the log says why' } }),
    );
  };

  async function answer(request: IncomingMessage): Promise<ControlReply> {
    if (request.method === 'GET' && request.url === '/state') return { status: 200, body: state };
    if (request.method !== 'POST' || request.url !== '/accounts')
      return { status: 404, body: { error: 'try GET /state or POST /accounts' } };
    if (!answerCommand) return { status: 503, body: { error: `Shelfwise is ${state.state}, try again` } };
    return answerCommand(JSON.parse(await text(request)));
  }

  return {
    listener,
    say(next: Partial<HolderState>) {
      state = { ...state, ...next };
    },
    takeCommands(handler: ((command: unknown) => Promise<ControlReply>) | null) {
      answerCommand = handler;
    },
  };
}

function send(response: ServerResponse, { status, body }: ControlReply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** What the holder of a data folder says of itself; null when nobody answers. */
export async function holderState(socketPath: string): Promise<HolderState | null> {
  try {
    return (await askHolder(socketPath, '/state')).body as HolderState;
  } catch {
    return null;
  }
}

/**
 * Asks the holder of a data folder.
 * @throws when nobody listens on the socket, or the answer does not come
 */
export function askHolder(socketPath: string, path: string, command?: unknown): Promise<ControlReply> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath, path, method: command === undefined ? 'GET' : 'POST', timeout: 5000 },
      (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 500, body: JSON.parse(body) }),
          reject,
        );
      },
    );
    asked.once('error', reject);
    asked.once('timeout', () => asked.destroy(new Error('the running process does not answer')));
    asked.end(command === undefined ? undefined : JSON.stringify(command));
  });
}
