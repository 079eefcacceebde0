import fc from 'fast-check';
import { chooseCandidates } from './candidates.ts';

const choose = (
  found: { topic?: string; suggestions?: string[][]; titles?: string[] },
  { lang = 'en-US', limit = 100 } = {},
) => chooseCandidates({ topic: 'habit tracker', suggestions: [], titles: [], ...found }, lang, limit);
const chosen = (...given: Parameters<typeof choose>) => choose(...given).chosen;

test('the topic comes first, in normal form, then what the store suggests, then what titles say', () => {
  const found = {
    topic: '  Habit TRACKER ',
    suggestions: [['habit tracker free', 'Habit Tracker App']],
    titles: ['Daily Goals', 'Daily Goals & Routines'],
  };
  expect(chosen(found)).toEqual([
    'habit tracker',
    'habit tracker free',
    'habit tracker app',
    'daily goals',
    'routines',
  ]);
});

test('what the store suggests higher, then in more lists, then higher in all of them, comes earlier', () => {
  const suggestions = [
    ['habit tracker free', 'habit tracker app'],
    ['habit tracker zen'],
    ['habit tracker app', 'habit tracker log'],
    ['habit tracker free'],
  ];
  expect(chosen({ suggestions })).toEqual([
    'habit tracker',
    'habit tracker free',
    'habit tracker app',
    'habit tracker zen',
    'habit tracker log',
  ]);
});

test('phrases of more titles come earlier, equals in the order of the normal form', () => {
  const titles = ['Mood Diary', 'Sleep Sounds', 'Mood Diary, Calm Music', 'Sleep Sounds', 'Sleep Sounds'];
  expect(chosen({ titles }).slice(1)).toEqual(['sleep sounds', 'mood diary', 'calm music']);
});

test('every term is chosen once', () => {
  const suggestions = [['habit tracker', 'Daily  Planner'], ['daily planner']];
  expect(chosen({ suggestions, titles: ['Daily Planner', 'Daily Planner'] })).toEqual([
    'habit tracker',
    'daily planner',
  ]);
});

test('beyond the limit terms are left out and counted', () => {
  const suggestions = [['habit tracker free', 'habit tracker app', 'habit tracker log']];
  expect(choose({ suggestions }, { limit: 2 })).toEqual({
    chosen: ['habit tracker', 'habit tracker free'],
    dropped: 2,
  });
  expect(choose({ suggestions }, { limit: 4 }).dropped).toBe(0);
});

test('stop words and words that only praise are no terms by themselves, nor is what no store can be searched for', () => {
  const suggestions = [['the', 'free app', 'best of', 'x', 'y'.repeat(101), 'to do list', 'free games']];
  expect(chosen({ suggestions }).slice(1)).toEqual(['to do list', 'free games']);
  expect(chosen({ suggestions: [['無料 アプリ', '無料 ゲーム']] }, { lang: 'ja-JP' }).slice(1)).toEqual([
    '無料 ゲーム',
  ]);
});

describe('names of apps are no terms', () => {
  const from = (titles: string[], suggestions: string[][] = []) => chosen({ titles, suggestions }).slice(1);

  test.each([
    ['before the separator', 'Streakly: Habit Tracker'],
    ['after the separator', 'Habit Tracker - Streakly'],
    ['after an unknown phrase', 'Cut Out Habit - Streakly'],
    ['at the beginning', 'Streakly Habit Tracker'],
    ['of two words', 'Noble Streakly – Habit Tracker'],
  ])('%s', (_, title) => {
    const terms = from([title, 'Habit Log', 'Habit Log']);
    expect(terms).toContain('habit log');
    expect(terms.filter((term) => term.includes('streakly'))).toEqual([]);
  });

  test('what an app does stays, though no other title says it', () => {
    expect(from(['Streakly: Mood & Sleep Diary'])).toEqual(['mood', 'sleep diary']);
    expect(from(['Cut Out Habit - Streakly'])).toContain('cut out habit');
  });

  test('a word that other titles have, or that is suggested, is nobody’s name', () => {
    expect(from(['Streakly: Mood', 'Streakly: Sleep'])).toContain('streakly');
    expect(from(['Streaks: Mood Diary'], [['streaks']])).toContain('streaks');
  });

  test('in Japanese a blank parts the name too', () => {
    const titles = ['英単語 Streakly', '英単語 アプリ', 'Larkling 英単語'];
    expect(chosen({ topic: '英語', titles }, { lang: 'ja-JP' })).toEqual(['英語', '英単語']);
  });
});

test('a piece that never stands without the longer phrase is no term', () => {
  const titles = ['Voice Translator', 'Voice Translator', 'Translator for Photos'];
  expect(chosen({ titles }).slice(1)).toEqual(['translator', 'voice translator', 'translator for photos']);
});

const text = fc
  .array(fc.constantFrom('habit', 'daily', 'goal', 'Streakly', 'pro', 'the', ':', ' - ', '&', '習慣'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));
const found = fc.record({
  topic: fc.constantFrom('habit', 'Daily Goal'),
  suggestions: fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 5 }),
  titles: fc.array(text, { maxLength: 10 }),
});

test('neither the order of the titles nor that of the lists matters', () => {
  fc.assert(
    fc.property(found, ({ topic, suggestions, titles }) => {
      const turned = { topic, suggestions: suggestions.toReversed(), titles: titles.toReversed() };
      expect(chooseCandidates(turned, 'en-US', 20)).toEqual(
        chooseCandidates({ topic, suggestions, titles }, 'en-US', 20),
      );
    }),
  );
});

test('a higher limit only adds terms at the end', () => {
  fc.assert(
    fc.property(found, fc.integer({ min: 1, max: 20 }), (texts, limit) => {
      const few = chooseCandidates(texts, 'en-US', limit);
      const all = chooseCandidates(texts, 'en-US', 1_000);
      expect(few.chosen).toEqual(all.chosen.slice(0, limit));
      expect(few.chosen.length + few.dropped).toBe(all.chosen.length);
      expect(new Set(all.chosen).size).toBe(all.chosen.length);
    }),
  );
});
