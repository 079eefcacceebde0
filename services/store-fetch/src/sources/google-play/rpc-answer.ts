import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { valueAt } from './value-at.ts';

/** Procedures of Google Play's `batchexecute` interface: IJ4APc for suggestions, vyAe2 for top charts. */
export type RpcId = 'IJ4APc' | 'vyAe2';

/** The start of every answer; the store adds it so that no page can run an answer as a script. */
const opening = ")]}'";

/** The store's status code (as in gRPC) for "nothing found". */
const notFound = 5;
/** Status codes (as in gRPC) that a retry would not change: invalid argument, failed precondition, out of range, unimplemented. */
const permanentStatuses: ReadonlySet<unknown> = new Set([3, 9, 11, 12]);

/**
 * The payload of a `batchexecute` answer; null when the store has nothing.
 * @throws StoreFailure `captcha`, `malformed`, or `error` with the store's status
 */
export function readRpcAnswer(answer: StoreAnswer, rpcId: RpcId): unknown {
  const text = decodeText(answer.body);
  if (!text.startsWith(opening))
    throw refusePage(answer, `sent an answer that does not begin with ${opening}`);
  const frame = framesOf(text).find((row) => valueAt(row, [0]) === 'wrb.fr' && valueAt(row, [1]) === rpcId);
  if (frame === undefined) throw new StoreFailure('malformed', `sent an answer without a part ${rpcId}`);
  const payload = valueAt(frame, [2]);
  if (payload === null) return refuseError(frame);
  return parse(payload);
}

/**
 * Writes an answer in the form that the scraper's functions read: some expect the lines of a chunked answer, some do
 * not.
 */
export function writeRpcAnswer(
  rpcId: RpcId,
  payload: unknown,
  { isChunked }: { isChunked: boolean },
): string {
  const frames = JSON.stringify([['wrb.fr', rpcId, JSON.stringify(payload)]]);
  return isChunked ? `${opening}\n\n${frames.length}\n${frames}` : `${opening}\n${frames}`;
}

/** The frames of an answer: one array of them, or several arrays (chunks), each preceded by a line with its length. */
function framesOf(text: string): unknown[] {
  const chunks = text
    .slice(opening.length)
    .split(/^\d+\s*$/m)
    .filter((chunk) => chunk.trim() !== '');
  return chunks.flatMap(parse);
}

function parse(json: unknown): unknown {
  try {
    if (typeof json !== 'string') throw new Error('not a text');
    return JSON.parse(json);
  } catch (cause) {
    throw new StoreFailure('malformed', 'sent an answer that is malformed or cut short', { cause });
  }
}

/** For a frame without payload: null when the store found nothing. */
function refuseError(frame: unknown): null {
  const status = valueAt(frame, [5]) ?? null;
  if (status === null || valueAt(status, [0]) === notFound) return null;
  throw new StoreFailure('error', `answered with an error (status ${JSON.stringify(status)})`, {
    isPermanent: permanentStatuses.has(valueAt(status, [0])),
  });
}
