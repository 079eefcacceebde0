import type { Store } from '@shelfwise/facts/stores/store';
import { buildAuditInput, searched, unsearched } from '../../../../test/build-audit-input.ts';
import type { ListingTexts, TermScore } from '../audit-input.ts';
import { readListing } from '../read-listing.ts';
import { fieldEntry } from './field-entry.ts';

const terms = { photo: searched(60, 50), editor: searched(45, 40), lumen: unsearched };

function entries(store: Store, texts: Partial<ListingTexts>, scores: Record<string, TermScore> = terms) {
  return readListing(buildAuditInput(store, { texts, terms: scores })).fields.map(fieldEntry);
}

function entry(store: Store, key: keyof ListingTexts, text: string | null, scores = terms) {
  return entries(store, { [key]: text }, scores).find((field) => field.key === key);
}

test('the fields come in the store’s order, with the store’s own labels and limits', () => {
  const shown = (store: Store) => entries(store, {}).map(({ key, label, limit }) => [key, label, limit]);
  expect(shown('ITUNES')).toEqual([
    ['title', 'Name', 30],
    ['subtitle', 'Subtitle', 30],
    ['kw_field', 'Keywords', 100],
    ['description', 'Description', 4000],
  ]);
  expect(shown('GPLAY')).toEqual([
    ['title', 'App name', 30],
    ['subtitle', 'Short description', 80],
    ['description', 'Full description', 4000],
  ]);
});

test('an unknown keywords field is missing: no length, no text, no score', () => {
  expect(entry('ITUNES', 'kw_field', null)).toMatchObject({
    state: 'missing',
    score: null,
    length: null,
    text: null,
    truncated: false,
    words: [],
    hint: expect.stringContaining('simulation'),
  });
});

test('a blank field is empty and scores 0', () => {
  expect(entry('ITUNES', 'subtitle', ' \n')).toMatchObject({
    state: 'empty',
    score: 0,
    length: 2,
    text: ' \n',
  });
});

test('a description that the store does not index has no score, empty or not', () => {
  expect(entry('ITUNES', 'description', 'Edit photos')).toMatchObject({
    state: 'scored',
    score: null,
    words: [],
  });
  expect(entry('ITUNES', 'description', '')).toMatchObject({ state: 'empty', score: null, length: 0 });
});

test('a length is in UTF-16 units, and a line break counts 1', () => {
  expect(entry('GPLAY', 'description', 'one\r\ntwo 📷')?.length).toBe(10);
});

test('a preview has at most 160 characters and never half a character', () => {
  const exact = '📷'.repeat(160);
  expect(entry('GPLAY', 'description', exact)).toMatchObject({ text: exact, truncated: false });
  expect(entry('GPLAY', 'description', `${exact}!`)).toMatchObject({ text: exact, truncated: true });
});

test('a score is rounded', () => {
  expect(entry('ITUNES', 'title', 'Photo Editor')?.score).toBe(49);
});

describe('the hint', () => {
  test.each<[string, Store, keyof ListingTexts, string, string | null]>([
    [
      'a field over its limit',
      'ITUNES',
      'title',
      'x'.repeat(42),
      '12 characters over the limit of 30. The store refuses a text of this length: the next update has to shorten it.',
    ],
    [
      'a field with one character too many',
      'ITUNES',
      'title',
      'x'.repeat(31),
      '1 character over the limit of 30. The store refuses a text of this length: the next update has to shorten it.',
    ],
    [
      'an empty field',
      'ITUNES',
      'kw_field',
      '',
      'Empty: there is room for 100 characters of searched words.',
    ],
    [
      'a pending word',
      'ITUNES',
      'title',
      'Photo enigma',
      'Not measured yet: 1 word. The score can still change.',
    ],
    [
      'a field that earns nothing',
      'ITUNES',
      'title',
      'Lumen',
      'No word in it helps in search: each is not searched for, already in an earlier field, or the category’s or the developer’s name.',
    ],
    ['a field with room', 'ITUNES', 'title', 'Photo', 'Room for 25 more characters.'],
    ['a field in good order', 'ITUNES', 'title', 'Lumen Lumen: Photo Editor', null],
    [
      'a text that is not indexed',
      'ITUNES',
      'description',
      'Lumen',
      'The store does not index this text: it only has to convince those who read it.',
    ],
  ])('of %s', (_, store, key, text, hint) => {
    expect(entry(store, key, text)?.hint).toBe(hint);
  });

  test('of a field whose words are pending in an earlier one', () => {
    const [, subtitle] = entries('ITUNES', { title: 'Enigma', subtitle: 'Enigma' });
    expect(subtitle?.hint).toBe('Not measured yet: 1 word. The score can still change.');
  });

  test('of a field without a read word', () => {
    expect(entry('ITUNES', 'title', 'Enigma')?.hint).toBe(
      'Not measured yet: 1 word. The field is scored once most of its words are.',
    );
  });

  test('of a field that repeats an earlier one, or a description that is missing its words', () => {
    const repeated = entries('ITUNES', { title: 'Photo', subtitle: 'photo editor and photo' });
    expect(repeated[1]?.hint).toBe('Already used in an earlier field: 1 word.');
    const incomplete = entries('GPLAY', { title: 'Photo Editor', description: 'Lumen' });
    const almost = entries('GPLAY', { title: 'Photo Editor', description: 'Lumen photo' });
    expect(almost[2]?.hint).toBe('1 word of the name or short description is missing here.');
    expect(incomplete[2]?.hint).toBe('2 words of the name or short description are missing here.');
  });

  test('of a field with the category’s or the developer’s name, which is not a repeat', () => {
    const scores = {
      ...terms,
      reference: searched(40, 40),
      quillfoot: searched(20, 20, { app_id: '1', developer_name: 'Quillfoot' }),
    };
    const hint = (store: Store, key: keyof ListingTexts, text: string) =>
      entry(store, key, text, scores)?.hint;
    expect(hint('ITUNES', 'kw_field', 'photo,reference')).toBe(
      '1 word is the category’s or the developer’s name: it earns nothing.',
    );
    expect(hint('ITUNES', 'kw_field', 'photo,reference,quillfoot')).toBe(
      '2 words are the category’s or the developer’s name: they earn nothing.',
    );
    expect(hint('GPLAY', 'description', 'The photo reference')).toBeNull();
    const repeated = entries('ITUNES', { title: 'Photo', kw_field: 'photo,editor,reference' }, scores);
    expect(repeated[2]?.hint).toBe('Already used in an earlier field: 1 word.');
  });
});
