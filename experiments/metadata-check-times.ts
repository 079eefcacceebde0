/**
 * What a metadata check costs by itself, without a network: a usual draft, and hostile ones of 5,000 and 20,000 units per
 * text. Trust the growth, not the numbers: about 4 means that time grows with the length only; 16 would be its square.
 * Fails above 9.
 *
 *   node --import tsx --conditions=source experiments/metadata-check-times.ts
 */
import { stores } from '@shelfwise/facts/store';
import type { Draft } from '@shelfwise/proto/scoring/v1/scoring';
import { checkMetadata } from '@shelfwise/scoring/domain/check/check-metadata';

const rounds = 9;
const maxUnits = 20_000;
const maxGrowth = 9;

const usual: Draft = {
  title: 'Habitember: Habit Tracker',
  subtitle: 'Daily goals and streaks',
  description: 'Build habits that last, one day at a time. '.repeat(90),
  kw_field: 'routine,planner,goals,journal,streak',
};
console.log(`a usual draft: ${bestMs(usual).toFixed(2)} ms for both stores`);

const hostile: Record<string, string> = {
  'one word': 'a',
  emoji: '🎧',
  flags: '🇸',
  stars: '★ ',
  exclamations: '! ',
  'half emoticons': ':-',
  carets: '^_',
  blanks: ' ',
  'line breaks': '\r',
  commas: ', ',
  punctuation: '.-\'("',
  keywords: 'ab,',
  capitals: 'ABCDE ',
  'free free': 'free ',
  'long phrases': 'best app of the ',
  'openings of phrases': 'no ',
  numbers: '1.',
  'Han characters': '最',
  'Han words': '無料',
  katakana: 'ー',
  Hangul: '무료',
  marks: 'e\u0301\u0302\u0303',
  'unseen characters': '\u200d',
  'one character that is many': 'ﷺ',
};
for (const [name, part] of Object.entries(hostile)) {
  const short = bestMs(sameText(part, maxUnits / 4));
  const long = bestMs(sameText(part, maxUnits));
  const growth = long / short;
  const columns = [
    `${short.toFixed(1)} ms`.padStart(10),
    `${long.toFixed(1)} ms`.padStart(10),
    `x${growth.toFixed(1)}`,
  ];
  console.log([name.padEnd(28), ...columns].join('  '));
  if (growth > maxGrowth) process.exitCode = 1;
}

function sameText(part: string, units: number): Draft {
  const text = part.repeat(Math.ceil(units / part.length)).slice(0, units);
  return { title: text, subtitle: text, description: text, kw_field: text };
}

/** CPU time of both stores' checks, the least of some rounds: other processes do not count, the first rounds warm up. */
function bestMs(draft: Draft): number {
  const took = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (const store of stores) checkMetadata(store, draft);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...took);
}
