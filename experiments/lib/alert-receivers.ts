import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { firstMessage, forkProgram } from './fork-program.ts';

/** How a receiver answers; `ok`: 200. */
export type ReceiverMode = 'ok' | 'hang' | 'error' | 'redirect';

/** A message that a receiver got. Times in epoch ms. */
export type Receipt = {
  /** path of the address, which names the receiver */
  to: string;
  /** the header webhook-id */
  id: string;
  arrivedAt: number;
  /** how it was answered */
  mode: ReceiverMode;
  /** `id`: in the feed of the account; `at`: when it was found; `subject`: kind, keyword and day. */
  events: readonly { id: number; at: number; subject: string }[];
};

export type AlertReceivers = Awaited<ReturnType<typeof startAlertReceivers>>;

/** Receivers of webhooks, all in one process. @param file keeps what they got, also over kills */
export async function startAlertReceivers(file: string) {
  const program = new URL('alert-receiver.ts', import.meta.url);
  let child = forkProgram(program, '0', file);
  const port = await firstMessage<number>(child);
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    /** The address of a receiver of a group. */
    url: (group: string, number: number) => `http://127.0.0.1:${port}/${group}/${number}`,
    setMode: (group: string, mode: ReceiverMode) => void child.send({ group, mode }),
    /** `kill -9`. */
    async kill(): Promise<void> {
      const ended = once(child, 'exit');
      end();
      await ended;
    },
    /** Answers `ok` again, at the same address. */
    async restart(): Promise<void> {
      child = forkProgram(program, String(port), file);
      await firstMessage(child);
    },
    /** Everything so far, or since the last `forget`, in the order of arrival. A line that a kill cut off was never answered. */
    read(): Receipt[] {
      if (!existsSync(file)) return [];
      return readFileSync(file, 'utf8').split('\n').flatMap(parseLine);
    },
    forget: () => writeFileSync(file, ''),
    stop(): void {
      process.off('exit', end);
      end();
    },
  };
}

function parseLine(line: string): Receipt[] {
  try {
    return [JSON.parse(line) as Receipt];
  } catch {
    return [];
  }
}
