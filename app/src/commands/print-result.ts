import type { Writable } from 'node:stream';

/**
 * Prints the result of a command and waits until it is written. Where the output is a pipe that is not read at once, as in a
 * pod, `process.exit` would cut it at 64 KiB. A reader that is gone ends the wait, too.
 */
export function printResult(text: string, output: Writable = process.stdout): Promise<void> {
  return new Promise((resolve) => {
    output.once('error', () => resolve());
    output.write(`${text}\n`, () => resolve());
  });
}
