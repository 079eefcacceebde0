import { compareFields, compareSearchedWords } from './field-changes.ts';

const before = {
  title: 'Habit Tracker',
  subtitle: 'Plan your day',
  description: 'A tracker.\nFor routines.',
  version: '1.2',
};

test('each text that differs is shown with the words that came and went, each once', () => {
  const after = { ...before, title: 'Habit: habit planner', version: '1.3' };
  expect(compareFields(before, after, 'en-US')).toEqual([
    {
      field: 'title',
      before: 'Habit Tracker',
      after: 'Habit: habit planner',
      words_added: ['planner'],
      words_removed: ['tracker'],
    },
    { field: 'version', before: '1.2', after: '1.3', words_added: [], words_removed: [] },
  ]);
  expect(compareFields(before, before, 'en-US')).toEqual([]);
});

test('a text that was not known before or after is no change', () => {
  const unread = { title: null, subtitle: null, description: null, version: null };
  expect(compareFields(before, unread, 'en')).toEqual([]);
  expect(compareFields(unread, before, 'en')).toEqual([]);
  expect(compareFields(before, { ...before, subtitle: '' }, 'en')).toMatchObject([
    { field: 'subtitle', words_removed: ['plan', 'your', 'day'] },
  ]);
});

test('a word that moves from one searched text to another neither comes nor goes', () => {
  const after = { ...before, title: 'Habit Planner', subtitle: 'Tracker of your day' };
  expect(compareSearchedWords(before, after, { store: 'ITUNES', lang: 'en-US' })).toEqual({
    words_added: ['planner', 'of'],
    words_removed: ['plan'],
  });
});

test('the description counts only where the store searches it', () => {
  const after = { ...before, description: 'A diary.' };
  const words = (store: 'ITUNES' | 'GPLAY') => compareSearchedWords(before, after, { store, lang: 'en-US' });
  expect(words('ITUNES')).toEqual({ words_added: [], words_removed: [] });
  // "tracker" is still in the title.
  expect(words('GPLAY')).toEqual({ words_added: ['diary'], words_removed: ['for', 'routines'] });
});

test('words of scripts without spaces are found', () => {
  const [title] = compareFields(
    { ...before, title: '習慣トラッカー' },
    { ...before, title: '習慣カレンダー' },
    'ja',
  );
  expect(title).toMatchObject({ words_added: ['カレンダー'], words_removed: ['トラッカー'] });
});
