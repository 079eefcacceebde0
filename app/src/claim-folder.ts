import { setTimeout as sleep } from 'node:timers/promises';
import { claimDataFolder } from '@shelfwise/embedded/claim-data-folder';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { createControl, type HolderState, holderState } from './control.ts';

const waitMs = 10_000;
const lookEveryMs = 200;

/**
 * Makes this process the only one on the data folder. Waits up to ten seconds for a holder that is about to let go
 * (draining, or an account command), not for one that runs.
 * @throws StartError when the folder is another process's, or cannot be used
 */
export async function claimFolder(
  dataDir: string,
  holder: Omit<HolderState, 'url' | 'tracking' | 'scoring'>,
) {
  const control = createControl({ ...holder, url: null, tracking: null, scoring: null });
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const claim = await usable(dataDir, () => claimDataFolder(dataDir, control.listener));
    if (claim.kind === 'claimed') return { control, release: claim.release };
    const other = await holderState(claim.socketPath);
    const isLettingGo = other === null || other.state === 'draining' || other.state === 'account-command';
    if (!isLettingGo || Date.now() > giveUpAt) throw new StartError(describe(dataDir, other));
    await sleep(lookEveryMs);
  }
}

function describe(dataDir: string, holder: HolderState | null): string {
  const who = holder
    ? `process ${holder.pid}, ${holder.state}${holder.url ? ` on ${holder.url}` : ''}`
    : 'a process';
  return `The data folder ${dataDir} is in use by another Shelfwise (${who}).\nStop it first, or set SHELFWISE_DATA_DIR to another folder.`;
}

/** @throws StartError when the folder cannot be made or written to */
export async function usable<Result>(dataDir: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    const advice = 'Set SHELFWISE_DATA_DIR to a folder of yours.';
    throw new StartError(`The data folder ${dataDir} cannot be used: ${reason}. ${advice}`, { cause });
  }
}
