import { localSocketPath, removeDeadSocket } from '@shelfwise/embedded/local-socket';

export type OperatorSockets = ReturnType<typeof prepareOperatorSockets>;

/**
 * The addresses of the services that operators' commands call, on local sockets of the data folder. Removes the sockets
 * that a killed process left behind, so the caller must own the folder.
 * @throws Error when something else is in the place of a socket
 */
export function prepareOperatorSockets(dataDir: string) {
  return { tracking: prepare(dataDir, 'tracking.sock'), scoring: prepare(dataDir, 'scoring.sock') };
}

function prepare(dataDir: string, name: string): string {
  const path = localSocketPath(dataDir, name);
  removeDeadSocket(path);
  return `unix:${path}`;
}
