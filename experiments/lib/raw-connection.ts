import { connect, type Socket } from 'node:net';

export type RawConnection = { socket: Socket };

/** Opens a connection that sends these bytes. `reads: false`: it takes none of the answers. */
export async function openRawConnection(
  url: string,
  bytes: string,
  { reads }: { reads: boolean },
): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A refused or reset connection is a result of the attack, not a failure of the script.
  socket.on('error', () => {});
  if (reads) socket.resume();
  else socket.pause();
  await new Promise<void>((resolve) => {
    socket.once('connect', () => socket.write(bytes, () => resolve()));
    socket.once('close', () => resolve());
  });
  return { socket };
}

/** The same GET request many times in a row, from this address when the server trusts one proxy. */
export function pipelined(path: string, count: number, address = '203.0.113.1'): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(count);
}
