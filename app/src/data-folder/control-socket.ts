import { createHash } from 'node:crypto';
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

const stateTimeoutMs = 5000;
/** A command for a thousand accounts takes seconds on a busy machine. */
const commandTimeoutMs = 30_000;

/** What the process that uses the data folder is doing. `GET /state` on the control socket returns it. */
export type ProcessState = {
  state: 'starting' | 'running' | 'draining' | 'running a command';
  pid: number;
  /** Address of the API; null until it listens. */
  url: string | null;
  /** The services that commands call, as `unix:/path`; null until they listen. */
  tracking: string | null;
  scoring: string | null;
  /** Null for a process that reads no store. */
  source: 'sample' | 'live' | null;
  /** See `databaseFingerprint`. */
  database: string;
};

/**
 * Identifies the databases on a server by a hash, because its URI may contain a password. Without a URI: the embedded
 * database.
 */
export function databaseFingerprint({
  MONGODB_URI: uri,
  MONGODB_PREFIX: prefix = '',
}: {
  MONGODB_URI?: string | undefined;
  MONGODB_PREFIX?: string;
}): string {
  return uri === undefined ? 'embedded' : createHash('sha256').update(`${prefix}@${uri}`).digest('hex');
}

type CommandHandler = (command: unknown) => Promise<ControlReply>;
export type CommandHandlers = { accounts: CommandHandler; events: CommandHandler };

export type ControlReply = { status: number; body: unknown };

/**
 * The HTTP interface of the process that uses the data folder, on a local socket that only the folder's owner can open.
 * `GET /state` returns the process state, `POST /accounts` and `POST /events` execute a command, or are 503 while there
 * are no command handlers: during the start, while draining, and in the process of a command.
 */
export function createControlSocket(initialState: ProcessState) {
  let state = initialState;
  let handlers: CommandHandlers | null = null;

  const listener: RequestListener = (request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      () =>
        send(response, { status: 500, body: { error: 'The command failed. See the log of that process.' } }),
    );
  };

  async function answer(request: IncomingMessage): Promise<ControlReply> {
    if (request.method === 'GET' && request.url === '/state') return { status: 200, body: state };
    const name = request.url === '/accounts' ? 'accounts' : request.url === '/events' ? 'events' : null;
    if (request.method !== 'POST' || name === null)
      return { status: 404, body: { error: 'Use GET /state, POST /accounts or POST /events.' } };
    if (!handlers) return { status: 503, body: { error: `Shelfwise is ${state.state}. Try again.` } };
    return handlers[name](JSON.parse(await text(request)));
  }

  return {
    listener,
    update(changes: Partial<ProcessState>) {
      state = { ...state, ...changes };
    },
    setCommandHandlers(given: CommandHandlers | null) {
      handlers = given;
    },
  };
}

function send(response: ServerResponse, { status, body }: ControlReply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The state of the process that listens on the control socket; null when no process answers. */
export async function fetchProcessState(socketPath: string): Promise<ProcessState | null> {
  try {
    return (await callControlSocket(socketPath, '/state')).body as ProcessState;
  } catch {
    return null;
  }
}

/**
 * Sends a request to the process that listens on the control socket: POST with a command, else GET.
 * @throws when the connection fails, no answer arrives in time, or the answer is not JSON
 */
export function callControlSocket(
  socketPath: string,
  path: string,
  command?: unknown,
): Promise<ControlReply> {
  const options =
    command === undefined
      ? { method: 'GET', timeout: stateTimeoutMs }
      : { method: 'POST', timeout: commandTimeoutMs };
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, ...options }, (response) => {
      text(response)
        .then((body) => resolve({ status: response.statusCode ?? 500, body: JSON.parse(body) }))
        .catch(reject);
    });
    outgoing.once('error', reject);
    outgoing.once('timeout', () => outgoing.destroy(new Error('the running process does not answer')));
    outgoing.end(command === undefined ? undefined : JSON.stringify(command));
  });
}
