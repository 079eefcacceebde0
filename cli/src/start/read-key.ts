import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { CliHost } from '../cli-host.ts';
import { exitCodes } from '../exit-codes.ts';

/** A key has 50 characters. */
const mostBytes = 1000;

/**
 * The API key: of --key-file, else of SHELFWISE_API_KEY, of the file in SHELFWISE_KEY_FILE, or of the default file.
 * @throws CliError without the key, also when others can read the file
 */
export function readKey(
  { env, homeDir }: Pick<CliHost, 'env' | 'homeDir'>,
  keyFile: string | undefined,
): string {
  if (keyFile !== undefined) return readKeyFile(keyFile);
  const key = env.SHELFWISE_API_KEY?.trim();
  if (key) return checkKey(key, 'SHELFWISE_API_KEY');
  if (env.SHELFWISE_KEY_FILE) return readKeyFile(env.SHELFWISE_KEY_FILE);
  const defaultFile = join(env.XDG_CONFIG_HOME || join(homeDir, '.config'), 'shelfwise', 'key');
  try {
    return readKeyFile(defaultFile);
  } catch (error) {
    if (!(error instanceof NoFileError)) throw error;
    throw refuse(
      `There is no API key. Set SHELFWISE_API_KEY, or write the key to ${defaultFile} and run: chmod 600 ${defaultFile}`,
    );
  }
}

class NoFileError extends CliError {}

function readKeyFile(path: string): string {
  const file = openFile(path);
  try {
    const { mode, size } = fstatSync(file);
    // Windows has no such modes.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw refuse(`Others can read or change the key file. Run: chmod 600 ${path}`);
    if (size > mostBytes) throw refuse(`${path} is not a key file: it is larger than a key.`);
    return checkKey(readFileSync(file, 'utf8').trim(), path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw refuse(`The key file cannot be read (${codeOf(error)}): ${path}`);
  } finally {
    closeSync(file);
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const code = codeOf(error);
    const message = `The key file cannot be read (${code}): ${path}`;
    throw code === 'ENOENT' ? new NoFileError(exitCodes.keyOrPlan, message) : refuse(message);
  }
}

/** A header cannot carry other characters. */
function checkKey(key: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw refuse(key === '' ? `${source} is empty.` : `${source} has a character that no key has.`);
}

function refuse(message: string): CliError {
  return new CliError(exitCodes.keyOrPlan, message);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
