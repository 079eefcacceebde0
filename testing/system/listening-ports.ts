import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The state LISTEN in /proc/net/tcp. */
const listening = '0A';

/** The TCP ports on which a process listens, on Linux. */
export function listeningPorts(pid: number): number[] {
  const inodes = socketInodes(pid);
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n').slice(1),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === listening && inodes.has(inode))
    .map(([, address = '']) => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16));
}

function socketInodes(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((fd) => readTarget(`${folder}/${fd}`));
  return new Set(targets.flatMap((target) => target.match(/^socket:\[(\d+)\]$/)?.[1] ?? []));
}

/** A descriptor may have been closed meanwhile. */
function readTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
