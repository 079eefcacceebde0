import { unsupported } from './command-error.ts';

const special = /[.*+?()[\]{}|^$]/;

/**
 * The text of a regular expression that matches it literally and anywhere. All servers interpret it alike, and it
 * cannot run for long. Refuses every other expression, and options.
 */
export function readLiteral(source: string, options: string): string {
  if (options !== '') throw unsupported(`the regular expression option '${options}'`);
  let text = '';
  for (let index = 0; index < source.length; index++) {
    let char = source.charAt(index);
    if (char === '\\') {
      index += 1;
      char = source.charAt(index);
      if (char === '' || /[a-z0-9]/i.test(char)) throw createRefusal(source);
    } else if (special.test(char)) throw createRefusal(source);
    text += char;
  }
  return text;
}

function createRefusal(source: string): Error {
  return unsupported(`the regular expression /${source}/: only literal text`);
}
