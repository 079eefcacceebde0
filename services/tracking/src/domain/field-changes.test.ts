import { compareFields, compareSearchedWords, createFormsOf } from './field-changes.ts';

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

type Texts = Partial<typeof before>;
const searched = (from: Texts, to: Texts, store: 'ITUNES' | 'GPLAY' = 'ITUNES', lang = 'en-US') => {
  const { added, removed } = compareSearchedWords(
    { ...before, ...from },
    { ...before, ...to },
    { store, formsOf: createFormsOf(lang) },
  );
  return [[...added], [...removed]];
};

test('a word that moves from one searched text to another neither comes nor goes', () => {
  expect(searched({}, { title: 'Habit Planner', subtitle: 'Tracker of your day' })).toEqual([
    ['planner'],
    ['plan'],
  ]);
});

test('neither do another form of a word, another case, and function words', () => {
  expect(searched({ title: 'Habit Story' }, { title: 'HABITS: Stories for the Teens' })).toEqual([
    ['teen'],
    [],
  ]);
  expect(searched({ title: 'Café' }, { title: 'cafe' }, 'GPLAY', 'fr-FR')).toEqual([[], []]);
  expect(searched({ title: '習慣' }, { title: '習慣の記録' }, 'ITUNES', 'ja')).toEqual([['記録'], []]);
});

test('the description counts only where the store searches it', () => {
  const after = { description: 'A diary.' };
  expect(searched({}, after)).toEqual([[], []]);
  // "tracker" is still in the title.
  expect(searched({}, after, 'GPLAY')).toEqual([['diary'], ['routine']]);
});

test('words of scripts without spaces are found', () => {
  const [title] = compareFields(
    { ...before, title: '習慣トラッカー' },
    { ...before, title: '習慣カレンダー' },
    'ja',
  );
  expect(title).toMatchObject({ words_added: ['カレンダー'], words_removed: ['トラッカー'] });
});
