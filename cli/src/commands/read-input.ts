import { createReadStream } from 'node:fs';
import { untilAborted } from '@shelfwise/runtime/concurrency/until-aborted';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandRun } from './define-command.ts';

/** In UTF-16 units: a hundred thousand keywords of a hundred characters. */
const mostCharacters = 10_000_000;

/**
 * The text of a file; `-` is what is piped in.
 * @throws CliError when it cannot be read
 */
export async function readText(
  path: string,
  { stdin, signal }: Pick<CommandRun, 'stdin' | 'signal'>,
): Promise<string> {
  const chunks = (path === '-' ? stdin : createReadStream(path))[Symbol.asyncIterator]();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (;;) {
      // What waits for a terminal ends with Ctrl-C.
      const { value: chunk, done } = await untilAborted(chunks.next(), signal);
      if (done) return text + decoder.decode();
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      if (text.length > mostCharacters) throw new Error('it is too large');
    }
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : (code ?? message);
    throw new CliError(exitCodes.usage, `The input cannot be read (${reason}): ${path}`);
  }
}

/** The lines with something in them, each once, without blanks around them. */
export function toLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r]/).map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== '');
}
