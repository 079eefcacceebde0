import type { Engine } from '../engine/create-engine.ts';
import type { Doc } from '../semantics/bson.ts';
import { CommandError } from '../semantics/command-error.ts';
import { encodeReply } from './encode-reply.ts';
import { parseRequest, type Request } from './parse-request.ts';

export type Answer = {
  reply: Buffer;
  /** False for a client that does not wait for the reply. */
  isExpected: boolean;
};

/**
 * Runs the command of a message and encodes its reply, also for a command that fails.
 * @throws MalformedMessage
 */
export async function answerMessage(engine: Engine, message: Buffer, connection: object): Promise<Answer> {
  const request = parseRequest(message);
  const reply = await runRequest(engine, request, connection);
  return { reply: encodeReply(request, reply), isExpected: request.expectsReply };
}

async function runRequest(engine: Engine, { kind, command }: Request, connection: object): Promise<Doc> {
  try {
    if (kind === 'query' && !isHello(command)) {
      throw new CommandError(352, 'UnsupportedOpQueryCommand', 'OP_QUERY is supported for hello only');
    }
    return { ...(await engine.run(command, connection)), ok: 1 };
  } catch (error) {
    return createErrorReply(error);
  }
}

function isHello(command: Doc): boolean {
  return ['hello', 'isMaster', 'ismaster'].includes(Object.keys(command)[0] ?? '');
}

export function createErrorReply(error: unknown): Doc {
  if (error instanceof CommandError) {
    const { code, codeName, message, fields } = error;
    return { ok: 0, errmsg: message, code, codeName, ...fields };
  }
  return { ok: 0, errmsg: `the embedded database failed: ${error}`, code: 1, codeName: 'InternalError' };
}
