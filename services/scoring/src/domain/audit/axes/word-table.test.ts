import type { Store } from '@shelfwise/facts/stores/store';
import { buildAuditInput, searched, ungraded, unsearched } from '../../../../test/build-audit-input.ts';
import { findRepeats } from '../../check/find-repeats.ts';
import type { ListingTexts, TermScore } from '../audit-input.ts';
import { fieldOf, readListing } from '../read-listing.ts';

const terms = {
  photo: searched(60, 50),
  editor: searched(45, 40),
  collage: searched(30, 35),
  lumen: unsearched,
  reference: searched(40, 40),
  quillfoot: searched(20, 20, { app_id: 'com.example.lumen', developer_name: 'Quillfoot Works' }),
};

function statuses(store: Store, key: keyof ListingTexts, texts: Partial<ListingTexts>, more = {}) {
  const scores: Record<string, TermScore> = { ...terms, ...more };
  const words = fieldOf(readListing(buildAuditInput(store, { texts, terms: scores })), key)?.words ?? [];
  return Object.fromEntries(words.map(({ name, status }) => [name, status]));
}

test('a word earns in the first field that carries it and in no other', () => {
  const texts = { title: 'Photo Editor', subtitle: 'Photo collage', kw_field: 'collage,editor,photo' };
  expect(statuses('ITUNES', 'title', texts)).toEqual({ photo: 'earning', editor: 'earning' });
  expect(statuses('ITUNES', 'subtitle', texts)).toEqual({ photo: 'already-used', collage: 'earning' });
  expect(statuses('ITUNES', 'kw_field', texts)).toEqual({
    collage: 'already-used',
    editor: 'already-used',
    photo: 'already-used',
  });
});

test('a word with an invisible character is the word that it looks like', () => {
  const texts = { title: 'Pho\u200bto Edi\u00adtor\u200e', subtitle: '\ufeffCol\u2060lage' };
  expect(statuses('ITUNES', 'title', texts)).toEqual({ photo: 'earning', editor: 'earning' });
  expect(statuses('ITUNES', 'subtitle', texts)).toEqual({ collage: 'earning' });
});

test('a title or subtitle without a visible character is empty', () => {
  const listing = readListing(
    buildAuditInput('ITUNES', { texts: { title: '\u200b\u200b', subtitle: '\u2800' } }),
  );
  expect(listing.fields.slice(0, 2).map(({ state }) => state)).toEqual(['empty', 'empty']);
});

test.each([
  ['Photo Editor', 'photos,camera,EDITORS', ['photos', 'EDITORS']],
  ['Photos', 'photo,camera', ['photo']],
  ['Pokémon', 'pokemon,cards', ['pokemon']],
  ['C# Tutor', 'c++,java,f#', []],
  ['C# Tutor', 'c#,java', ['c#']],
  ['C++ and F#', 'c#,c++,f#', ['c++', 'f#']],
  ['Pho\u200bto', 'photo,camera', ['photo']],
  ['Bus News', 'buses,new', []],
])('the check of a draft finds the repeats that its audit finds: %j, %j', (title, field, repeats) => {
  const names = [
    'photo',
    'photos',
    'camera',
    'editor',
    'editors',
    'pokemon',
    'pokémon',
    'cards',
    'java',
    'tutor',
    'buses',
    'bus',
    'new',
  ];
  const known = Object.fromEntries([...names, 'c#', 'c++', 'f#'].map((name) => [name, searched(40, 40)]));
  const ofAudit = Object.entries(statuses('ITUNES', 'kw_field', { title, kw_field: field }, known))
    .filter(([, status]) => status === 'already-used')
    .map(([name]) => name);
  expect(findRepeats(field, [title], 'en-US')).toEqual(repeats);
  expect(ofAudit).toEqual(repeats.map((repeat) => repeat.toLowerCase()));
});

test('a word repeated within one field is listed once', () => {
  expect(statuses('ITUNES', 'title', { title: 'Photo PHOTO photo' })).toEqual({ photo: 'earning' });
});

test('the developer’s name and the category earn what they are searched for, except in the keywords field', () => {
  const words = { quillfoot: 'earning', reference: 'earning', lumen: 'not-searched' };
  expect(statuses('ITUNES', 'title', { title: 'The Quillfoot Reference: Lumen' })).toEqual({
    the: 'not-searched',
    ...words,
  });
  expect(statuses('ITUNES', 'kw_field', { kw_field: 'quillfoot,references,works,lumen' })).toEqual({
    quillfoot: 'already-used',
    references: 'not-searched',
    works: 'not-searched',
    lumen: 'not-searched',
  });
});

describe('spellings of one word', () => {
  const spelled = { ...terms, photos: searched(50, 50), phòto: searched(9, 9), editors: unsearched };

  test('a plural or an accent in a later field repeats a word that is credited', () => {
    const texts = { title: 'Photo Editor', subtitle: 'Photos, Phòto' };
    expect(statuses('ITUNES', 'subtitle', texts, spelled)).toEqual({
      photos: 'already-used',
      phòto: 'already-used',
    });
  });

  test('in one field the spelling that counts most is credited, in whatever order', () => {
    for (const title of ['Photo Photos', 'Photos Photo'])
      expect(statuses('ITUNES', 'title', { title }, spelled)).toEqual({
        photo: 'earning',
        photos: 'already-used',
      });
  });

  test('a spelling that people do not search for claims nothing', () => {
    const texts = { title: 'Editors', subtitle: 'Editor' };
    expect(statuses('ITUNES', 'subtitle', texts, spelled)).toEqual({ editor: 'earning' });
  });

  test('a long description covers a word in any spelling', () => {
    const texts = { title: 'Photo Editor', description: 'Photos, collages' };
    expect(statuses('GPLAY', 'description', texts, { ...spelled, collages: searched(5, 5) })).toEqual({
      photos: 'covered',
      collages: 'extra-reach',
      editor: 'missing',
    });
  });
});

describe('a word of the developer’s name', () => {
  const title = 'Sudoku Puzzle';
  const named = (scores: Record<string, TermScore>, developerName = 'Sudoku Puzzle Games Ltd') => {
    const listing = buildAuditInput('ITUNES', {
      texts: { title },
      developer_name: developerName,
      terms: scores,
    });
    const words = fieldOf(readListing(listing), 'title')?.words ?? [];
    return words.map(({ status }) => status);
  };
  const puzzle = searched(60, 60);
  const brand = { app_id: 'com.example.other', developer_name: 'Somebody' };

  test('is an ordinary word when people search for it and its term names no brand', () => {
    expect(named({ sudoku: searched(66, 58), puzzle })).toEqual(['earning', 'earning']);
  });

  test('counts nothing when it names the brand of another developer', () => {
    expect(named({ sudoku: searched(66, 58, brand), puzzle })).toEqual(['irrelevant', 'earning']);
    expect(named({ sudoku: unsearched, puzzle })).toEqual(['not-searched', 'earning']);
  });

  test('is pending until its results are read, which show whether it is a brand', () => {
    expect(named({ sudoku: ungraded(40), puzzle })).toEqual(['pending', 'earning']);
  });

  test('is pending until it is measured', () => {
    expect(named({ puzzle })).toEqual(['pending', 'earning']);
  });

  test('is ordinary when it is a common word in company names', () => {
    const listing = buildAuditInput('ITUNES', {
      texts: { title: 'Games Studio' },
      developer_name: 'Gridmoor Games Studio',
      terms: { games: unsearched, studio: searched(20, 20) },
    });
    const words = fieldOf(readListing(listing), 'title')?.words ?? [];
    expect(words.map(({ kind, status }) => [kind, status])).toEqual([
      ['content', 'not-searched'],
      ['content', 'earning'],
    ]);
  });
});

test('a category of several words excludes none of its words', () => {
  const listing = buildAuditInput('ITUNES', { texts: { title: 'Photo' }, genre: 'Photo & Video', terms });
  expect(fieldOf(readListing(listing), 'title')?.words[0]?.status).toBe('earning');
});

test('a word that the store suggests is pending until its result page is read', () => {
  const read = buildAuditInput('ITUNES', { texts: { title: 'Mystery' }, terms: { mystery: ungraded(60) } });
  const [row] = readListing(read).fields[0]?.words ?? [];
  expect(row).toMatchObject({ status: 'pending', traffic: 60, difficulty: null });
});

test('a word without search data is pending only in the first field that carries it', () => {
  const texts = { title: 'Mystery', subtitle: 'Mystery enigma' };
  expect(statuses('ITUNES', 'title', texts)).toEqual({ mystery: 'pending' });
  expect(statuses('ITUNES', 'subtitle', texts)).toEqual({ mystery: 'already-used', enigma: 'pending' });
});

test('a repeat is already used, searched or not; the category and the developer’s name are when they are searched', () => {
  const texts = { title: 'Lumen the Reference', subtitle: 'Lumen the Reference', kw_field: 'lumen' };
  const repeated = { lumen: 'already-used', the: 'not-searched', reference: 'already-used' };
  expect(statuses('ITUNES', 'title', texts)).toMatchObject({ lumen: 'not-searched' });
  expect(statuses('ITUNES', 'subtitle', texts)).toEqual(repeated);
  expect(statuses('ITUNES', 'kw_field', texts)).toEqual({ lumen: 'already-used' });
});

test('the words of a long description are covered, missing or extra reach compared with the other fields', () => {
  const texts = {
    title: 'Photo Editor',
    subtitle: 'Mystery',
    description: 'Make a collage of each photo, and photo lumen mystery enigma',
  };
  const listing = buildAuditInput('GPLAY', { texts, terms: { ...terms, make: unsearched } });
  const words = fieldOf(readListing(listing), 'description')?.words ?? [];
  expect(words.map(({ name, status, occurrences }) => [name, status, occurrences])).toEqual([
    ['make', 'not-searched', 1],
    ['a', 'not-searched', 1],
    ['collage', 'extra-reach', 1],
    ['of', 'not-searched', 1],
    ['each', 'not-searched', 1],
    ['photo', 'covered', 2],
    ['and', 'not-searched', 1],
    ['lumen', 'not-searched', 1],
    ['mystery', 'pending', 1],
    ['enigma', 'pending', 1],
    ['editor', 'missing', 0],
  ]);
});

test('occurrences are counted for the long description only, and every word has its own scores', () => {
  const listing = buildAuditInput('GPLAY', { texts: { title: 'Photo collage enigma' }, terms });
  expect(fieldOf(readListing(listing), 'title')?.words).toMatchObject([
    { name: 'photo', traffic: 60, difficulty: 50, occurrences: null },
    { name: 'collage', traffic: 30, difficulty: 35, occurrences: null },
    { name: 'enigma', traffic: null, difficulty: null, occurrences: null },
  ]);
});

test('the App Store’s description has no word table, because the store does not index it', () => {
  expect(statuses('ITUNES', 'description', { description: 'photo editor' })).toEqual({});
});
