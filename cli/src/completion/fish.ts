import { type CompletedCommand, quote } from './describe-commands.ts';

/** The completion for fish: `shelfwise completion fish | source`. */
export function formatFish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options, wordChoices }) => {
    const whenSeen = `complete -c shelfwise -n ${quote(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c shelfwise -f -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...(wordChoices.length > 0 ? [`${whenSeen} -f -a ${quote(wordChoices.join(' '))}`] : []),
      ...options.map(({ name: option, text, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : ' -r';
        return `${whenSeen} -l ${option}${takesValue ? value : ''} -d ${quote(text)}`;
      }),
    ];
  });
  return lines.join('\n');
}
