import { stores } from '@shelfwise/facts/stores/store';
import type { Draft } from '@shelfwise/proto/scoring/v1/scoring';
import { checkMetadata } from '@shelfwise/scoring/domain/check/check-metadata';
import { minCpuMs } from '../lib/cpu-time.ts';
import { defineTimes } from './define-times.ts';

const maxUnits = 20_000;
const maxGrowth = 9;

const usual: Draft = {
  title: 'Habitember: Habit Tracker',
  subtitle: 'Daily goals and streaks',
  description: 'Build habits that last, one day at a time. '.repeat(90),
  kw_field: 'routine,planner,goals,journal,streak',
};
const hostile: Record<string, string> = {
  'one word': 'a',
  emoji: '🎧',
  flags: '🇸',
  stars: '★ ',
  exclamations: '! ',
  'half emoticons': ':-',
  carets: '^_',
  'mouths of brackets': ' :)',
  'half kaomoji': '(＾▽',
  'joined emoji': '👨\u200d',
  'half amounts': '$ 1 ',
  symbols: '⌘',
  'control characters': '\u0007',
  'private characters': '\ue000',
  spaces: ' ',
  'line breaks': '\r',
  commas: ', ',
  punctuation: '.-\'("',
  keywords: 'ab,',
  capitals: 'ABCDE ',
  'free free': 'free ',
  'long phrases': 'best app of the ',
  'starts of phrases': 'no ',
  numbers: '1.',
  'Han characters': '最',
  'Han words': '無料',
  katakana: 'ー',
  Hangul: '무료',
  marks: 'e\u0301\u0302\u0303',
  'invisible characters': '\u200d',
  'one character that expands': 'ﷺ',
};
/** Compare the growth, not the times: about 4 is linear in the length of the text, 16 is quadratic. Fails above 9. */
export const times = defineTimes({
  name: 'metadata-check',
  question: 'How does the CPU time of a metadata check grow from hostile texts of 5,000 units to 20,000?',
  options: {},
  async run() {
    console.log(`a usual draft: ${checkMs(usual).toFixed(2)} ms for both stores`);
    for (const [name, part] of Object.entries(hostile)) {
      const shortMs = checkMs(repeatedText(part, maxUnits / 4));
      const longMs = checkMs(repeatedText(part, maxUnits));
      const growth = longMs / shortMs;
      const columns = [
        `${shortMs.toFixed(1)} ms`.padStart(10),
        `${longMs.toFixed(1)} ms`.padStart(10),
        `x${growth.toFixed(1)}`,
      ];
      console.log([name.padEnd(28), ...columns].join('  '));
      if (growth > maxGrowth) process.exitCode = 1;
    }
  },
});

function repeatedText(part: string, units: number): Draft {
  const text = part.repeat(Math.ceil(units / part.length)).slice(0, units);
  return { title: text, subtitle: text, description: text, kw_field: text };
}

function checkMs(draft: Draft): number {
  return minCpuMs(() => {
    for (const store of stores) checkMetadata(store, draft);
  });
}
