import { CliError } from '../cli-error.ts';
import { formatBash } from '../completion/bash.ts';
import { type CompletedCommand, describeCommands } from '../completion/describe-commands.ts';
import { formatFish } from '../completion/fish.ts';
import { formatZsh } from '../completion/zsh.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Command, defineCommand } from './define-command.ts';

const shells: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: formatBash,
  zsh: formatZsh,
  fish: formatFish,
};

/** Prints the completion for a shell. @param others the commands besides this one */
export function createCompletion(others: readonly Command[]): Command {
  const completion: Command = defineCommand({
    name: 'completion',
    summary: 'Print the completion for bash, zsh or fish',
    words: ['SHELL'],
    wordChoices: Object.keys(shells),
    endpoint: null,
    options: {},
    details:
      'bash: source <(shelfwise completion bash)\nzsh: source <(shelfwise completion zsh)\nfish: shelfwise completion fish | source',
    example: 'completion bash',
    async run(run, _values, [shell = '']) {
      const format = shells[shell];
      if (!format)
        throw new CliError(exitCodes.usage, `SHELL must be one of ${Object.keys(shells).join(', ')}.`);
      await run.print(format(describeCommands([...others, completion])));
      return exitCodes.ok;
    },
  });
  return completion;
}
