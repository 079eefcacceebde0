import { unsupported } from './command-error.ts';

/** A regular expression of literal text. All servers interpret it alike, and it cannot run for long. */
export type LiteralPattern = { text: string; atStart: boolean; ignoreCase: boolean };

const special = /[.*+?()[\]{}|^$]/;

/** Accepts `^?literal` with the option `i` or none. */
export function readPattern(source: string, options: string): LiteralPattern {
  if (options !== '' && options !== 'i') throw unsupported(`the regular expression option '${options}'`);
  const atStart = source.startsWith('^');
  return { text: readLiteral(source, atStart ? 1 : 0), atStart, ignoreCase: options === 'i' };
}

function readLiteral(source: string, from: number): string {
  let text = '';
  for (let index = from; index < source.length; index++) {
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
  return unsupported(`the regular expression /${source}/: only literal text with an optional leading ^`);
}

export function createPatternTest({ text, atStart, ignoreCase }: LiteralPattern): (value: string) => boolean {
  if (ignoreCase) {
    const expression = new RegExp((atStart ? '^' : '') + text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
    return (value) => expression.test(value);
  }
  return atStart ? (value) => value.startsWith(text) : (value) => value.includes(text);
}
