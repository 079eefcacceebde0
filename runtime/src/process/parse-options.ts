import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * `parseArgs` with errors of one sentence: without Node's hint how to write a positional argument that starts with a
 * dash, which no command has.
 * @throws Error with a message for the user
 */
export function parseOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const sentence = (error as Error).message.replace(/\.? To specify a positional argument .*$/s, '');
    throw new Error(sentence.endsWith('.') ? sentence : `${sentence}.`, { cause: error });
  }
}
