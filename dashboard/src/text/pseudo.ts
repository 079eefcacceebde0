import { en, type Texts } from './en.ts';
import type { Language } from './language.ts';

/** Each Latin letter has one of these. */
const letters = 'אבגדהוזחטיכלמנסעפצקרשתךםןף';

/**
 * The pages in a language that nobody speaks, for tests: written from right to left, and each word some 40 % longer. Latin letters
 * are names, or texts that are not in the table. Only a process that was started with the condition `shelfwise-pseudo` has it.
 */
export const language: Language = {
  tag: 'he',
  direction: 'rtl',
  texts: change(en) as Texts,
  assets: 'assets-pseudo',
};

function change(part: unknown): unknown {
  if (typeof part === 'string') return changeText(part, []);
  if (typeof part === 'function') return (...args: string[]) => changeText(part(...args), args);
  if (Array.isArray(part)) return part.map((one) => (Array.isArray(one) ? changeMeaning(one) : change(one)));
  return Object.fromEntries(Object.entries(part as object).map(([key, text]) => [key, change(text)]));
}

/** A key of the keyboard is named as it is. */
function changeMeaning([key, meaning]: string[]): unknown[] {
  return [key, change(meaning)];
}

/** @param names what the text says of others, which stays as it is */
function changeText(text: string, names: readonly string[]): string {
  const [longest, ...others] = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return changeWords(text);
  return text
    .split(longest)
    .map((part) => changeText(part, others))
    .join(longest);
}

function changeWords(text: string): string {
  return text
    .replace(/[a-z]+/gi, (word) => {
      const changed = [...word.toLowerCase()].map((letter) => letters[letter.charCodeAt(0) - 97]).join('');
      return changed + changed.slice(0, Math.ceil(word.length * 0.4));
    })
    .replaceAll('→', '←');
}
