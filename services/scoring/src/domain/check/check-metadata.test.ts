import { stores } from '@shelfwise/facts/stores/store';
import type { CheckMetadataReply } from '@shelfwise/proto/scoring/v1/scoring';
import fc from 'fast-check';
import { checkMetadata } from './check-metadata.ts';

function warningsOn(reply: CheckMetadataReply, field: string): (string | undefined)[][] {
  const found = reply.fields.find((entry) => entry.field === field);
  return found?.warnings.map(({ level, message }) => [level, message]) ?? [];
}

test('an App Store draft: every field has the store’s own name and limit', () => {
  const draft = {
    title: 'Habitember: Habit Tracker',
    subtitle: 'Daily goals and streaks',
    description: 'Build habits that last.',
    kw_field: 'routine,planner',
  };
  const base = { over: false, warnings: [] };
  expect(checkMetadata('ITUNES', draft)).toEqual({
    valid: true,
    fields: [
      { field: 'title', store_field: 'Name', indexed: true, length: 25, limit: 30, remaining: 5, ...base },
      {
        field: 'subtitle',
        store_field: 'Subtitle',
        indexed: true,
        length: 23,
        limit: 30,
        remaining: 7,
        ...base,
      },
      {
        field: 'kw_field',
        store_field: 'Keywords',
        indexed: true,
        length: 15,
        limit: 100,
        remaining: 85,
        ...base,
      },
      {
        field: 'description',
        store_field: 'Description',
        indexed: false,
        length: 23,
        limit: 4000,
        remaining: 3977,
        ...base,
      },
    ],
    notes: [],
    keywords: {
      terms: ['routine', 'planner'],
      duplicates: [],
      too_short: [],
      phrases: [],
      wasted_on_spaces: 0,
      wasted_on_duplicates: 0,
    },
  });
});

test('a Google Play draft: three fields, and a note that the store has no keywords field', () => {
  const reply = checkMetadata('GPLAY', {
    title: 'Habitember',
    subtitle: 'Daily goals',
    description: 'Habits.',
    kw_field: 'a,b',
  });
  expect(
    reply.fields.map(({ field, store_field: storeField, limit, indexed }) => [
      field,
      storeField,
      limit,
      indexed,
    ]),
  ).toEqual([
    ['title', 'App name', 30, true],
    ['subtitle', 'Short description', 80, true],
    ['description', 'Full description', 4000, true],
  ]);
  expect(reply).toMatchObject({
    valid: true,
    notes: ['kw_field was ignored: Google Play has no keywords field.'],
    keywords: null,
  });
});

test('on Google Play a keywords field alone gives only a note', () => {
  const notes = ['kw_field was ignored: Google Play has no keywords field.'];
  expect(checkMetadata('GPLAY', { kw_field: 'a' })).toEqual({
    valid: true,
    fields: [],
    notes,
    keywords: null,
  });
});

test('only the texts that were sent are checked; null and absent mean not sent, empty means sent', () => {
  const fieldsOf = (draft: Parameters<typeof checkMetadata>[1]) =>
    checkMetadata('ITUNES', draft).fields.map(({ field }) => field);
  expect(fieldsOf({ subtitle: 'x', title: null })).toEqual(['subtitle']);
  expect(fieldsOf({ description: '' })).toEqual(['description']);
  expect(checkMetadata('ITUNES', { title: 'Notes' }).keywords).toBeNull();
  expect(checkMetadata('ITUNES', { kw_field: '' }).keywords).toMatchObject({ terms: [] });
});

test.each(stores)('an empty or blank title is refused (%s), another empty text is not', (store) => {
  for (const title of ['', ' \n ']) {
    const reply = checkMetadata(store, { title });
    expect(reply.valid).toBe(false);
    expect(warningsOn(reply, 'title')).toContainEqual(['error', expect.stringContaining('is empty')]);
  }
  expect(checkMetadata(store, { subtitle: '', description: '', kw_field: '' }).valid).toBe(true);
});

test('the App Store refuses a name of one character, Google Play does not', () => {
  expect(checkMetadata('ITUNES', { title: 'X' }).valid).toBe(false);
  expect(checkMetadata('ITUNES', { title: 'Xy' }).valid).toBe(true);
  expect(checkMetadata('GPLAY', { title: 'X' }).valid).toBe(true);
});

test('a text over its limit is refused, and the message states the excess', () => {
  const reply = checkMetadata('GPLAY', { title: `${'a'.repeat(30)}é` });
  expect(reply.fields[0]).toMatchObject({ length: 31, remaining: -1, over: true });
  expect(warningsOn(reply, 'title')).toEqual([
    ['error', 'The App name has 31 characters, 1 more than the 30 that Google Play takes.'],
  ]);
  expect(checkMetadata('GPLAY', { title: 'a'.repeat(30) }).valid).toBe(true);
  expect(warningsOn(checkMetadata('ITUNES', { kw_field: 'a'.repeat(101) }), 'kw_field')).toEqual([
    ['error', 'The Keywords field has 101 characters, 1 more than the 100 that the App Store takes.'],
  ]);
});

const broken = ['Notes\0', 'Notes \ud83c', '\udfa7Notes', 'Notes \ufffd'];
const textKeys = ['title', 'subtitle', 'kw_field', 'description'] as const;

test.each(broken.flatMap((text) => textKeys.map((key) => [text, key] as const)))(
  'invalid characters are an error of the field that contains them: %j as %s',
  (text, key) => {
    const { valid, fields } = checkMetadata('ITUNES', { title: 'Notes', [key]: text });
    const errors = fields.flatMap(({ field, warnings }) =>
      warnings.filter(({ level }) => level === 'error').map(({ rule, message }) => [field, rule, message]),
    );
    expect(valid).toBe(false);
    expect(errors).toEqual([[key, null, expect.stringContaining('invalid characters')]]);
  },
);

test('a complete emoji, a line break and a tab are valid in a description', () => {
  expect(checkMetadata('GPLAY', { description: 'Music 🎧\r\n\tnow' })).toMatchObject({ valid: true });
});

test('messages name the stores as in a sentence', () => {
  const [field] = checkMetadata('ITUNES', { title: 'Best Notes' }).fields;
  expect(field?.warnings[0]?.message).toMatch(/^A reviewer of the App Store may object to claims of a rank/);
});

test('keywords over 100 characters are refused; over 100 bytes they are a warning', () => {
  expect(checkMetadata('ITUNES', { kw_field: 'a'.repeat(101) }).valid).toBe(false);
  const reply = checkMetadata('ITUNES', { kw_field: '写'.repeat(40) });
  expect(reply.valid).toBe(true);
  expect(warningsOn(reply, 'kw_field')).toEqual([['warning', expect.stringContaining('120 bytes')]]);
});

test.each([
  [' Notes', 'The App name starts or ends with white space.'],
  ['Notes\n', 'The App name starts or ends with white space.'],
  ['My  Notes', 'The App name has double spaces.'],
  ['My\u00a0 Notes', 'The App name has double spaces.'],
  ['My\nNotes', 'The App name is one line: the store shows its line breaks as spaces.'],
])('%j: %s', (title, message) => {
  const reply = checkMetadata('GPLAY', { title });
  expect(warningsOn(reply, 'title')).toEqual([['warning', message]]);
  expect(reply.valid).toBe(true);
});

test('paragraphs of a description do not count as double spaces', () => {
  const reply = checkMetadata('GPLAY', { description: 'One.\r\n\r\nTwo.' });
  expect(reply.fields[0]).toMatchObject({ length: 10, warnings: [] });
});

test('emoji: refused in every field of the App Store and in Google Play’s app name, allowed in its descriptions', () => {
  const draft = { title: 'Music 🎧', subtitle: 'Music 🎧', description: 'Music 🎧', kw_field: 'beats,🎧🎤' };
  const levels = (store: 'ITUNES' | 'GPLAY') =>
    checkMetadata(store, draft).fields.map(({ warnings }) => warnings.map(({ level }) => level));
  expect(levels('GPLAY')).toEqual([['error'], ['info'], ['info']]);
  expect(levels('ITUNES')).toEqual([['error'], ['error'], ['error'], ['error']]);
});

test('repeated signs and capitals are refused only in Google Play’s app name', () => {
  for (const text of ['Music!!!', 'MUSIC PLAYER']) {
    expect(checkMetadata('GPLAY', { title: text }).valid).toBe(false);
    expect(checkMetadata('GPLAY', { subtitle: text, description: text }).valid).toBe(true);
    expect(
      checkMetadata('ITUNES', { title: text, subtitle: text }).fields.flatMap(({ warnings }) => warnings),
    ).toEqual([]);
  }
});

test('emoticons are refused in every field of the App Store and in Google Play’s app name', () => {
  const text = 'Music :-)';
  for (const key of textKeys) expect(checkMetadata('ITUNES', { [key]: text }).valid).toBe(false);
  expect(checkMetadata('GPLAY', { title: text }).valid).toBe(false);
  expect(checkMetadata('GPLAY', { subtitle: text, description: text })).toMatchObject({
    valid: true,
    fields: [{ warnings: [] }, { warnings: [] }],
  });
});

test('kaomoji count in a title only, and are named once', () => {
  for (const store of stores) {
    const reply = checkMetadata(store, { title: 'Notes (^_^)', description: 'Notes (´･ω･`)' });
    expect(warningsOn(reply, 'title')).toEqual([
      ['error', expect.stringMatching(/emoticons .*: "\(\^_\^\)"\.$/)],
    ]);
    expect(warningsOn(reply, 'description')).toEqual([]);
  }
});

test('symbols are a warning on the App Store, nothing on Google Play; signs of brands and numbers are fine', () => {
  const draft = { title: '⌘ Keys ♫ ★', description: '■ One\n► Two' };
  const reply = checkMetadata('ITUNES', draft);
  expect(reply.valid).toBe(true);
  expect(warningsOn(reply, 'title')).toEqual([['warning', expect.stringContaining(': "⌘", "♫", "★".')]]);
  expect(warningsOn(reply, 'description')).toEqual([['warning', expect.stringContaining(': "■", "►".')]]);
  expect(checkMetadata('GPLAY', draft).fields.flatMap(({ warnings }) => warnings)).toEqual([]);
  for (const title of [
    'Notely™',
    'Brand® ©',
    '20° Weather',
    '№ One',
    'C# → F#',
    '1 + 1 = 2',
    'A|B ~ C^D',
    '5 € and ½',
  ])
    expect(
      warningsOn(checkMetadata('ITUNES', { title }), 'title').filter(
        ([, message]) => !message?.includes('price'),
      ),
    ).toEqual([]);
});

test('a title without a visible character is empty', () => {
  for (const store of stores)
    for (const title of [
      '\u200b\u200b',
      '\ufeff \u2060',
      '\u3164\u3164',
      '\u2800\u2800',
      '\u00ad',
      '\u202e\u202c',
      '\u0007\t',
    ])
      expect(warningsOn(checkMetadata(store, { title }), 'title')).toContainEqual([
        'error',
        expect.stringContaining('is empty'),
      ]);
});

test('in Google Play’s short description the words of its name are a warning, and words in words are none', () => {
  const levelsOf = (subtitle: string) =>
    checkMetadata('GPLAY', { subtitle }).fields[0]?.warnings.map(({ level, rule }) => [level, rule]);
  expect(levelsOf('A free and simple way to count what you eat, without ads.')).toEqual([
    ['warning', 'price'],
  ]);
  expect(levelsOf('The best app of the year: play now, for kids')).toEqual([
    ['warning', 'ranking'],
    ['warning', 'play-program'],
    ['warning', 'call-to-action'],
    ['warning', 'kids'],
  ]);
  expect(levelsOf('Freedom for freelancers: a carefree topping')).toEqual([]);
});

test('amounts of money count in titles as words about price', () => {
  const warning = (store: 'ITUNES' | 'GPLAY', title: string) =>
    checkMetadata(store, { title }).fields[0]?.warnings.map(({ level, rule }) => [level, rule]);
  for (const title of [
    'Notes $0.99',
    'Notes 1.99 USD',
    '메모 990원',
    'メモ 120円',
    '记事本 6元',
    'Заметки 99 ₽',
    'Notizen 0,99 €',
  ]) {
    expect(warning('GPLAY', title)).toEqual([['error', 'price']]);
    expect(warning('ITUNES', title)).toEqual([['warning', 'price']]);
  }
  const { fields } = checkMetadata('GPLAY', { title: 'Free Notes ＄０．９９' });
  expect(fields[0]?.warnings).toEqual([
    { level: 'error', rule: 'price', message: expect.stringContaining(': "Free", "＄０．９９".') },
  ]);
  expect(checkMetadata('GPLAY', { subtitle: 'Save $500 a year' }).fields[0]?.warnings).toEqual([]);
});

test.each([
  ['№1 Notes', '"№1"'],
  ['Nº 1 Notes', '"Nº 1"'],
  ['ＢＥＳＴ Notes', '"ＢＥＳＴ"'],
  ['ｾｰﾙ Notes', '"ｾｰﾙ"'],
  ['Be\u200bst Notes', '"Be\u200bst"'],
  ['Gra\u0301tis', '"Gra\u0301tis"'],
  ['ﷺ Free ﷺ Best', '"Best"'],
])('a message quotes the text as it was sent: %j, %s', (title, quoted) => {
  const messages = warningsOn(checkMetadata('GPLAY', { title }), 'title').map(([, message]) => message);
  expect(messages.join()).toContain(quoted);
});

test('a message says that a brand may hold such a word', () => {
  for (const title of ['Best Buy', 'Free Fire'])
    for (const store of stores)
      expect(warningsOn(checkMetadata(store, { title }), 'title')).toEqual([
        [expect.any(String), expect.stringContaining('brand')],
      ]);
});

test('repeats are up to plurals, accents and letter case; C++, C# and F# are words of their own', () => {
  const repeatsIn = (title: string, field: string) =>
    warningsOn(checkMetadata('ITUNES', { title, kw_field: field }), 'kw_field').map(([, message]) =>
      message?.replace(/^.*: /, ''),
    );
  expect(repeatsIn('Photo Editor', 'photos,camera')).toEqual(['"photos".']);
  expect(repeatsIn('Photos', 'photo,camera')).toEqual(['"photo".']);
  expect(repeatsIn('Pokémon Guide', 'POKEMON,cards')).toEqual(['"POKEMON".']);
  expect(repeatsIn('C# Tutor', 'c++,java')).toEqual([]);
  expect(repeatsIn('C# Tutor', 'c#,java')).toEqual(['"c#".']);
  expect(repeatsIn('C++ Tutor', 'C++,f#,java')).toEqual(['"C++".']);
  expect(repeatsIn('F# & C', 'f#')).toEqual(['"f#".']);
  expect(repeatsIn('Photo Editor', 'ｐｈｏｔｏ,camera')).toEqual(['"ｐｈｏｔｏ".']);
  expect(repeatsIn('Ha\u200bbit Tracker', 'habits,goals')).toEqual(['"habits".']);
});

test('one store can accept a draft that the other refuses', () => {
  const draft = { title: 'Free Music Player' };
  expect(checkMetadata('ITUNES', draft)).toMatchObject({
    valid: true,
    fields: [{ warnings: [{ level: 'warning', rule: 'price' }] }],
  });
  expect(checkMetadata('GPLAY', draft)).toMatchObject({
    valid: false,
    fields: [{ warnings: [{ level: 'error', rule: 'price' }] }],
  });
});

test('a form or limit warning has no rule', () => {
  const { fields } = checkMetadata('GPLAY', { title: ` ${'A B!!! 🎧'.repeat(4)}` });
  expect(fields[0]?.warnings.length).toBeGreaterThan(3);
  expect(fields[0]?.warnings.every(({ rule }) => rule === null)).toBe(true);
});

const claims = [
  'free',
  ' best',
  '🎧',
  '!!!',
  ',',
  '\r\n',
  '  ',
  'ABC',
  '写真',
  'é',
  ':)',
  "'",
  'download now',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...claims), { maxLength: 40 }).map((parts) => parts.join('')),
);
const draft = fc.record(
  { title: text, subtitle: text, description: text, kw_field: text },
  { requiredKeys: [] },
);

test('for any draft: lengths are UTF-16 units, and a draft is valid unless a field has an error', () => {
  fc.assert(
    fc.property(fc.constantFrom(...stores), draft, (store, sent) => {
      const { valid, fields, keywords } = checkMetadata(store, sent);
      expect(fields.map(({ field }) => field).toSorted()).toEqual(
        Object.keys(sent)
          .filter((key) => store === 'ITUNES' || key !== 'kw_field')
          .toSorted(),
      );
      for (const { field, length, limit, remaining, over, warnings } of fields) {
        expect(length).toBe((sent[field as keyof typeof sent] ?? '').split(/\r\n|\r|\n/).join('\n').length);
        expect(remaining).toBe(limit - length);
        expect(over).toBe(length > limit);
        if (over && field !== 'title')
          expect(warnings).toContainEqual(expect.objectContaining({ level: 'error', rule: null }));
      }
      expect(valid).toBe(!fields.some(({ warnings }) => warnings.some(({ level }) => level === 'error')));
      expect(keywords !== null).toBe(store === 'ITUNES' && sent.kw_field !== undefined);
    }),
  );
});

test('a message stays short, however long the text is', () => {
  const long = ' free FREE🎧best!!!Überlang'.repeat(500);
  for (const store of stores) {
    const { fields } = checkMetadata(store, {
      title: long,
      subtitle: long,
      description: long,
      kw_field: long,
    });
    const messages = fields.flatMap(({ warnings }) => warnings.map(({ message }) => message));
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(400);
  }
});
