import { setTimeout as sleep } from 'node:timers/promises';
import { claimDataFolder } from '@shelfwise/embedded/claim-data-folder';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { createControlSocket, fetchProcessState, type ProcessState } from './control-socket.ts';
import { explainDiskFull, isDiskFull } from './is-disk-full.ts';

const waitMs = 10_000;
const pollMs = 200;

/**
 * Claims the data folder for this process and opens its control socket. Waits up to ten seconds for a process that is
 * about to release the folder (draining, or running a command), but not for one that runs.
 * @throws StartError when another process keeps the folder, or when the folder cannot be used
 */
export async function claimFolder(dataDir: string, self: Omit<ProcessState, 'url' | 'tracking' | 'scoring'>) {
  const control = createControlSocket({ ...self, url: null, tracking: null, scoring: null });
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const claim = await wrapFolderErrors(dataDir, () => claimDataFolder(dataDir, control.listener));
    if (claim.kind === 'claimed') return { control, release: claim.release };
    const other = await fetchProcessState(claim.socketPath);
    const isReleasing = other === null || other.state === 'draining' || other.state === 'running a command';
    if (!isReleasing || Date.now() > giveUpAt) throw new StartError(describeConflict(dataDir, other));
    await sleep(pollMs);
  }
}

function describeConflict(dataDir: string, other: ProcessState | null): string {
  const who = other
    ? `process ${other.pid}, ${other.state}${other.url ? ` on ${other.url}` : ''}`
    : 'its process does not answer';
  return `The data folder ${dataDir} is in use by another Shelfwise (${who}).\nStop it first, or set SHELFWISE_DATA_DIR to another folder.`;
}

/** @throws StartError when `work` cannot create the folder or write to it */
export async function wrapFolderErrors<Result>(
  dataDir: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (isDiskFull(cause, dataDir)) throw new StartError(explainDiskFull(dataDir), { cause });
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    const advice = 'Set SHELFWISE_DATA_DIR to a folder that you can write to.';
    throw new StartError(`The data folder ${dataDir} cannot be used: ${reason}. ${advice}`, { cause });
  }
}
