import type { CompletedCommand } from './describe-commands.ts';

/** The completion for bash: `source <(shelfwise completion bash)`. */
export function formatBash(commands: readonly CompletedCommand[]): string {
  const valueCases = commands.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name: option, choices }) => {
        const complete =
          choices.length > 0
            ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`
            : 'COMPREPLY=($(compgen -f -- "$current"))';
        return `    '${name} --${option}') ${complete}; return ;;`;
      }),
  );
  const wordCases = commands.map(({ name, options, wordChoices }) => {
    const words = [...wordChoices, ...options.map((option) => `--${option.name}`)];
    return `    ${name}) words='${words.join(' ')}' ;;`;
  });
  return `_shelfwise() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$current"))
    return
  fi
  case "$command $previous" in
${valueCases.join('\n')}
  esac
  case "$command" in
${wordCases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _shelfwise shelfwise`;
}
