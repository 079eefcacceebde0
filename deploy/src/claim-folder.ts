import { setTimeout as sleep } from 'node:timers/promises';
import { claimDataFolder } from '@shelfwise/embedded/claim-data-folder';
import { askHolder, createControl, type HolderState } from './control.ts';

/** The data folder belongs to another process; the message says to which. */
export class FolderTakenError extends Error {
  override readonly name = 'FolderTakenError';
}

const waitMs = 10_000;
const lookEveryMs = 200;

/**
 * Makes this process the only one on the data folder. Waits up to ten seconds for a holder that is about to let go
 * (draining, or an account command), not for one that runs.
 * @throws FolderTakenError
 */
export async function claimFolder(dataDir: string, pid: number) {
  const control = createControl(pid);
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const claim = await claimDataFolder(dataDir, control.listener);
    if (claim.kind === 'claimed') return { control, release: claim.release };
    const holder = await stateOf(claim.socketPath);
    const isLettingGo = holder === null || holder.state === 'draining' || holder.state === 'account-command';
    if (!isLettingGo || Date.now() > giveUpAt) throw new FolderTakenError(describe(dataDir, holder));
    await sleep(lookEveryMs);
  }
}

/** What the holder says of itself; null when it has just gone. */
async function stateOf(socketPath: string): Promise<HolderState | null> {
  try {
    return (await askHolder(socketPath, '/state')).body as HolderState;
  } catch {
    return null;
  }
}

function describe(dataDir: string, holder: HolderState | null): string {
  const who = holder
    ? `process ${holder.pid}, ${holder.state}${holder.url ? ` on ${holder.url}` : ''}`
    : 'a process';
  return `The data folder ${dataDir} is in use by another Shelfwise (${who}).\nStop it first, or set SHELFWISE_DATA_DIR to another folder.`;
}
