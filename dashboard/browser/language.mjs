// What the pages say, for the journeys that look for it: in English, or in the pseudo-language for a process with the condition
// `shelfwise-pseudo`, which the systems that it starts have, too.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundlePages } from '../scripts/bundle.mjs';

const build = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
execFileSync(process.execPath, [build, '--quiet'], { stdio: 'inherit' });
const { language } = await import('#language');
export const texts = await import('#texts');
export const { formatDay, formatNumber, formatTime, isolated } = await import('../dist/text/format.js');

export const isPseudo = language.direction === 'rtl';
if (isPseudo) await bundlePages({ isPseudo });

/** A part of a selector: an element with this text. */
export const has = (text) => `:has-text(${JSON.stringify(text)})`;

/** What a text of the table says around the names that it is given. */
export function around(text, names = 1) {
  const name = '\u0000';
  return text(...Array(names).fill(name))
    .split(name)
    .filter((part) => part.trim() !== '');
}

/** Whether something says a text of the table, with any names. */
export function says(said, text, names = 1) {
  return said !== null && around(text, names).every((part) => said.includes(part));
}
