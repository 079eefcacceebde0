import { createNamesTopic } from './names-topic.ts';

const scanners = [
  ...['Scanly - QR Code and Barcode Reader', 'QR Code Reader', 'Swift QR Code Reader'],
  ...['PDF Scanner', 'Receipt Scanner', 'Police Scanner', 'Wifi Scanner'],
];

test.each([
  ['QR Code Reader', true],
  ['Code Scanner', true],
  ['QR code', true],
  ['Police Scanner', false],
  ['Learn to Code', false],
])('where three titles have two of three words, two are needed: %s', (text, expected) => {
  expect(createNamesTopic('qr code scanner', scanners, 'en-US')(text)).toBe(expected);
});

test.each([
  ['note taking', true],
  ['Handwriting Notes', true],
  ['Dating App for Students', false],
  ['dating app', false],
  ['best app for free', false],
])(
  'where hardly a title has a word, one that a title has is enough, but no generic word: %s',
  (text, expected) => {
    const titles = ['Shopping App', '#1 Dating App', 'Inkwell - note taking'];
    expect(createNamesTopic('note taking app for students', titles, 'en-US')(text)).toBe(expected);
  },
);

test.each([
  ['Simple Habits', true],
  ['hurricane tracker', false],
])('where few titles have two words, the word of the fewest titles is needed: %s', (text, expected) => {
  const titles = ['Period Tracker', 'Package Tracker', 'Hurricane Tracker', 'Simple Habit', 'Habit Bull'];
  expect(createNamesTopic('habit tracker', titles, 'en-US')(text)).toBe(expected);
});

test('where no title has a word, every text counts', () => {
  expect(createNamesTopic('calender', ['Calendar', 'Day Planner'], 'en-US')('agenda')).toBe(true);
  expect(createNamesTopic('calender', [], 'en-US')('agenda')).toBe(true);
});

test.each([
  ['invoices', 'Invoice Maker', 'en-US'],
  ['recipe', 'Healthy Recipes', 'en-US'],
  ['photo editor', 'PhotoEditor Pro', 'en-US'],
  ['receta', 'Recetas Fáciles', 'es-ES'],
  ['写真加工', '写真加工アプリ', 'ja-JP'],
])('forms of a word are equal: %s, %s', (topic, title, lang) => {
  const namesTopic = createNamesTopic(topic, [title, title, title], lang);
  expect(namesTopic(title)).toBe(true);
  expect(namesTopic('Wetter')).toBe(false);
});

test('the words of a topic of generic words count', () => {
  const namesTopic = createNamesTopic('free app', ['Free App', 'Free App', 'Free App'], 'en-US');
  expect(namesTopic('Free App Store')).toBe(true);
  expect(namesTopic('Free Fall')).toBe(false);
});

test('a topic without letters is its own word', () => {
  const namesTopic = createNamesTopic('🔥', ['🔥 Streak', '🔥 Camp', '🔥 Maps'], 'en-US');
  expect(namesTopic('🔥 Dating')).toBe(true);
  expect(namesTopic('Weather')).toBe(false);
});
