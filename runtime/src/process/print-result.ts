import type { Writable } from 'node:stream';

/**
 * Prints the result of a command and waits until it is written. Where the output is a pipe that is not read at once, as in a
 * pod, `process.exit` would cut it at 64 KiB. A reader that is gone ends the wait, too.
 * @throws the error of the output, such as that of a full disk: the result is then not complete
 */
export function printResult(text: string, output: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: NodeJS.ErrnoException | null) => {
      // After a failed write the event of the same error still follows.
      if (error == null) output.off('error', end);
      if (error == null || error.code === 'EPIPE') resolve();
      else reject(error);
    };
    output.once('error', end);
    output.write(`${text}\n`, end);
  });
}
