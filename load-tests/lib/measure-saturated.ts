import { firstMessage, forkProgram } from '../../experiments/lib/fork-program.ts';
import type { Call } from '../k6/journey.ts';
import { readLocalProcess } from './process-samples.ts';
import type { SaturateCounts, SaturateOrder } from './saturate.ts';

/** A call with the key of its account. */
export type SentCall = Call & { key: string };

/** What a process has done that always had something to do. */
export type Saturated = { calls: number; seconds: number; cpuSeconds: number };

const connections = 32;
const warmUpMs = 3000;
const measuredMs = 10_000;

/**
 * Sends these calls to a server of this machine, as fast as it answers. Its code is warm when the measurement begins.
 * @throws Error for an answer other than 200
 */
export async function measureSaturated(
  { url, pid }: { url: string; pid: number },
  calls: readonly SentCall[],
): Promise<Saturated> {
  const readProcess = readLocalProcess(pid);
  const child = forkProgram(new URL('saturate.ts', import.meta.url));
  const saturate = async (ms: number): Promise<SaturateCounts> => {
    const order: SaturateOrder = {
      port: Number(new URL(url).port),
      requests: calls.map(toRequest),
      connections,
      ms,
    };
    child.send(order);
    const counts = await firstMessage<SaturateCounts>(child);
    if (counts.failed > 0) throw new Error(`bare Express answered ${counts.failed} calls without 200`);
    return counts;
  };
  const readCpuSeconds = async () => (await readProcess())?.cpuSeconds ?? Number.NaN;
  try {
    await saturate(warmUpMs);
    const before = await readCpuSeconds();
    const { answered, ms } = await saturate(measuredMs);
    return { calls: answered, seconds: ms / 1000, cpuSeconds: (await readCpuSeconds()) - before };
  } finally {
    child.disconnect();
  }
}

function toRequest({ key, method, path, body }: SentCall): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const entity = text && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} /api/v1${path} HTTP/1.1\r\nHost: bare\r\nX-API-Key: ${key}\r\n${entity}\r\n${text}`;
}
