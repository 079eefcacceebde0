import { type CompletedCommand, quote } from './describe-commands.ts';

/** The completion for zsh: `source <(shelfwise completion zsh)`, after `compinit`. */
export function formatZsh(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${escapeText(summary)}`)}`);
  const cases = commands.map(({ name, options, wordChoices }) => {
    const rest = wordChoices.length > 0 ? `*:word:(${wordChoices.join(' ')})` : '*:file:_files';
    const specs = [...options.map(toSpec), rest];
    return `    ${name}) _arguments ${specs.map(quote).join(' ')} ;;`;
  });
  return `#compdef shelfwise
_shelfwise() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
compdef _shelfwise shelfwise`;
}

function toSpec({ name, text, takesValue, choices }: CompletedCommand['options'][number]): string {
  const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:_files';
  return `--${name}[${escapeText(text)}]${takesValue ? value : ''}`;
}

/** What ends a description in these lists. */
function escapeText(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&');
}
