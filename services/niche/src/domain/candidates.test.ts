import fc from 'fast-check';
import { chooseCandidates } from './candidates.ts';

const choose = (
  found: { topic?: string; suggestions?: string[][]; titles?: string[] },
  { lang = 'en-US', limit = 100 } = {},
) => chooseCandidates({ topic: 'habit tracker', suggestions: [], titles: [], ...found }, lang, limit);
const chosen = (...given: Parameters<typeof choose>) => choose(...given).chosen;

test('the topic comes first, in normal form, then the store’s suggestions, then phrases of titles', () => {
  const found = {
    topic: '  Habit TRACKER ',
    suggestions: [['habit tracker free', 'Habit Tracker App']],
    titles: ['Habit Goals', 'Habit Goals & Mood Tracker'],
  };
  expect(chosen(found)).toEqual([
    'habit tracker',
    'habit tracker free',
    'habit tracker app',
    'habit goals',
    'mood tracker',
  ]);
});

test('suggestions are ordered by their best position, then by the number of lists, then by their positions in all lists', () => {
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

test('phrases of more titles come first, ties in the order of the normal form', () => {
  const titles = ['Mood Tracker', 'Sleep Habit', 'Mood Tracker, Calm Habit', 'Sleep Habit', 'Sleep Habit'];
  expect(chosen({ titles }).slice(1)).toEqual(['habit', 'sleep habit', 'mood tracker', 'calm habit']);
});

test('every term is chosen once', () => {
  const suggestions = [['habit tracker', 'Daily  Planner'], ['daily planner']];
  expect(chosen({ suggestions, titles: ['Daily Planner', 'Daily Planner'] })).toEqual([
    'habit tracker',
    'daily planner',
  ]);
});

test('terms beyond the limit are left out and counted', () => {
  const suggestions = [['habit tracker free', 'habit tracker app', 'habit tracker log']];
  expect(choose({ suggestions }, { limit: 2 })).toEqual({
    chosen: ['habit tracker', 'habit tracker free'],
    dropped: 2,
  });
  expect(choose({ suggestions }, { limit: 4 }).dropped).toBe(0);
});

test('terms of stop words and praise alone are left out, and so are terms that no store can be searched for', () => {
  const suggestions = [['the', 'free app', 'best of', 'x', 'y'.repeat(101), 'to do list', 'free games']];
  expect(chosen({ suggestions }).slice(1)).toEqual(['to do list', 'free games']);
  expect(chosen({ suggestions: [['無料 アプリ', '無料 ゲーム']] }, { lang: 'ja-JP' }).slice(1)).toEqual([
    '無料 ゲーム',
  ]);
});

describe('phrases of titles that are not about the topic', () => {
  const from = (titles: string[], suggestions: string[][] = []) => chosen({ titles, suggestions });

  test('a phrase is a candidate when it shares a word with the topic or a suggestion', () => {
    const titles = ['Zig Ridge: Ball Games', 'Mood Tracker', 'Water Reminder'];
    expect(from(titles)).toEqual(['habit tracker', 'mood tracker']);
    expect(from(titles, [['habit reminder']])).toContain('water reminder');
  });

  test('a phrase is a candidate when three titles have it', () => {
    const titles = ['Larkling - Daily Routine', 'Oakling - Daily Routine'];
    expect(from(titles)).not.toContain('daily routine');
    expect(from([...titles, 'Daily Routine'])).toContain('daily routine');
  });

  test('a single word of a suggestion is no candidate', () => {
    const titles = ['Water Reminder', 'Reminder: Mood'];
    expect(from(titles, [['habit reminder']])).not.toContain('reminder');
  });

  test('generic words alone are no candidate, however many titles have them', () => {
    const titles = ['Get Daily Habits', 'Get Much Mood', 'Get Daily Sleep', 'Daily & Much', 'See how much'];
    expect(from(titles, [['how much habit']]).filter((term) => /get|much|daily$/.test(term))).toEqual([
      'how much habit',
    ]);
  });
});

describe('names of apps are no candidates', () => {
  const from = (titles: string[], suggestions: string[][] = []) => chosen({ titles, suggestions }).slice(1);

  test.each([
    ['before the separator', 'Streakly: Habit Tracker'],
    ['after the separator', 'Habit Tracker - Streakly'],
    ['after an unknown phrase', 'Cut Out Habit - Streakly'],
    ['at the beginning', 'Streakly Habit Tracker'],
    ['of two words', 'Noble Streakly – Habit Tracker'],
    ['of two words at the beginning', 'Noble Streakly Habit Tracker'],
  ])('a name %s', (_, title) => {
    const terms = from([title, 'Habit Log', 'Habit Log']);
    expect(terms).toContain('habit log');
    expect(terms.filter((term) => term.includes('streakly'))).toEqual([]);
  });

  test('a word that several names share is no candidate, even in three titles or next to a word of the topic', () => {
    const titles = ['Otter Field: Habit Tracker', 'Habit Log - Finch Otter', 'Otter: Habit List'];
    expect(from(titles).filter((term) => /otter|field|finch/.test(term))).toEqual([]);
  });

  test('a description stays, even when only one title has it', () => {
    expect(from(['Streakly: Mood & Sleep Tracker'])).toEqual(['sleep tracker']);
    expect(from(['Cut Out Habit - Streakly'])).toContain('cut out habit');
  });

  test('a word that describes another app, or that the store suggests, is no name', () => {
    const titles = ['Streak: Habit Tracker', 'Habit Streak & Goals'];
    expect(from(titles)).toContain('habit streak');
    expect(from(['Streaks: Mood Diary'], [['streaks']])).toContain('streaks');
  });

  test('a part that two titles share is no name', () => {
    const titles = ['Habit Tracker - Daily Routine', 'Routine: Habit Log', 'Goal Tracker - Daily Routine'];
    expect(from([...titles, 'Daily Routine'])).toContain('daily routine');
  });

  test('in Japanese a blank separates the name, too', () => {
    const titles = ['英語の単語 Streakly', '英語の単語 アプリ', 'Larkling 英語の単語'];
    const terms = chosen({ topic: '英語', titles }, { lang: 'ja-JP' });
    expect(terms).toContain('英語の単語');
    expect(terms.filter((term) => /[a-z]/.test(term))).toEqual([]);
  });
});

describe('pieces of phrases are no candidates', () => {
  const from = (titles: string[]) => chosen({ titles }).slice(1);
  const japanese = (topic: string, titles: string[], suggestions: string[][] = []) =>
    chosen({ topic, titles, suggestions }, { lang: 'ja-JP' });

  test('a phrase that only occurs within a longer phrase is no candidate', () => {
    const titles = ['Habit Tracker', 'Habit Tracker', 'Tracker for Habits'];
    expect(from(titles)).toEqual(['tracker', 'tracker for habits']);
    expect(from(['Second Habit Number'])).not.toContain('second habit');
  });

  test('a phrase from the middle of a single title’s sentence is no candidate', () => {
    const title = 'Larkling: Better Mood Habit Tracker for Students, Sleep';
    expect(from([title])).toEqual(['better mood habit', 'mood habit tracker', 'tracker for students']);
    expect(from(['Larkling: One Mood Habit Log Book', 'Oakling: Your Mood Habit Log Today'])).toContain(
      'mood habit log',
    );
  });

  test('in Japanese what a cut through a word leaves is no candidate', () => {
    expect(japanese('サブスク', ['サブスク管理 Larkling', 'サブスク管理アプリ'])).toEqual([
      'サブスク',
      'サブスク管理',
    ]);
    expect(japanese('家計簿', ['家計簿マネーフォワード ME'])).toEqual(['家計簿']);
    expect(japanese('絵', ['絵の描き方を学ぶ'])).toEqual(['絵']);
  });

  test('in Japanese a piece is a candidate when it stands by itself elsewhere', () => {
    const titles = ['習慣管理', '習慣・目標管理'];
    expect(japanese('目標', titles)).toContain('目標管理');
    expect(japanese('習慣化', ['習慣化計画'])).toEqual(['習慣化', '習慣化計画']);
  });
});

describe('malformed phrases are no candidates', () => {
  const from = (titles: string[], lang = 'en-US') => chosen({ titles }, { lang }).slice(1);

  test('a phrase that begins or ends with a bare number, a function word or praise', () => {
    expect(from(['32 Habit', 'Habit 2', '2 Habit Tracker', 'A Habit', 'Habit Pro', 'Best Habit'])).toEqual([
      'habit',
    ]);
    expect(from(['To Do Habit', 'To Do Habit', 'To Do Habit'])).toContain('to do habit');
  });

  test('a phrase with letters of another language', () => {
    const titles = ['Habit 感動', 'Habit привычки', 'Habit Log'];
    expect(from([...titles, 'Habit Log'])).toEqual(['habit', 'habit log']);
    expect(from(titles, 'ru-RU')).toContain('habit привычки');
  });
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

test('the order of the titles and of the lists does not matter', () => {
  fc.assert(
    fc.property(found, ({ topic, suggestions, titles }) => {
      const reversed = { topic, suggestions: suggestions.toReversed(), titles: titles.toReversed() };
      expect(chooseCandidates(reversed, 'en-US', 20)).toEqual(
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
