import type { Command } from '../commands/define-command.ts';
import { allOptions } from '../start/common-options.ts';

/** What a completion knows of a command. */
export type CompletedCommand = {
  name: string;
  summary: string;
  /** The values of its first word; empty: files. */
  wordChoices: readonly string[];
  options: readonly { name: string; text: string; takesValue: boolean; choices: readonly string[] }[];
};

export function describeCommands(commands: readonly Command[]): CompletedCommand[] {
  return commands.map((command) => ({
    name: command.name,
    summary: command.summary,
    wordChoices: command.wordChoices ?? [],
    options: Object.entries(allOptions(command)).map(([name, { text, value, choices = [] }]) => ({
      name,
      text,
      takesValue: value !== undefined,
      choices,
    })),
  }));
}

/** A text in single quotes of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
