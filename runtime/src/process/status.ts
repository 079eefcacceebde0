import { PartStatus_State as PartState, type PartStatus } from '@shelfwise/proto/runtime/v1/status';

export { PartState, type PartStatus };

/** Checks one part of a process. A check that rejects or takes more than a second counts as down. */
export type StatusCheck = () => Promise<PartStatus>;

const checkTimeoutMs = 1000;

/** The status of every part. The checks run in parallel and take at most a second. */
export function checkAll(checks: Readonly<Record<string, StatusCheck>>): Promise<PartStatus[]> {
  return Promise.all(Object.entries(checks).map(([name, check]) => checkOne(name, check)));
}

async function checkOne(name: string, check: StatusCheck): Promise<PartStatus> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<PartStatus>((resolve) => {
    timer = setTimeout(() => resolve(down(name, 'did not answer within a second')), checkTimeoutMs);
  });
  try {
    return await Promise.race([check(), timeout]);
  } catch (error) {
    return down(name, error instanceof Error ? error.message : 'failed');
  } finally {
    clearTimeout(timer);
  }
}

function down(name: string, detail: string): PartStatus {
  return { name, state: PartState.DOWN, detail, is_embedded: false };
}

/** The state of the worst part: ok, degraded or down. */
export function worstState(parts: readonly PartStatus[]): 'ok' | 'degraded' | 'down' {
  if (parts.some((part) => part.state === PartState.DOWN)) return 'down';
  return parts.some((part) => part.state !== PartState.OK) ? 'degraded' : 'ok';
}
