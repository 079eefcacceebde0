import { checkCapitals } from './check-capitals.ts';

const levelsIn = (title: string) => checkCapitals('App name', title).map(({ level }) => level);

test.each(['PHOTO EDITOR', 'PHOTO EDITOR 2', 'PDF READER', 'PHOTO2 EDITOR2', 'ÜBUNG MACHT', 'ФОТО РЕДАКТОР'])(
  '"%s" is all in capitals, which Google Play refuses',
  (title) => expect(levelsIn(title)).toEqual(['error']),
);

test.each(['SPOTIFY', 'My PHOTOS Album', '2048 PUZZLE', 'CHESS 3D', '写真 EDITOR'])(
  '"%s" has a long word in capitals, which a reviewer may object to',
  (title) => expect(levelsIn(title)).toEqual(['warning']),
);

test.each([
  'VSCO',
  'VSCO: Photo',
  'BBC',
  'NASA Live TV',
  'iPhone',
  'Photo Editor',
  '写真編集',
  '2048',
  '',
  'a b',
  'WI-FI',
  'MY APP',
  'AI PDF',
  'K-9 MAIL',
  'Q&A: P2P | D&D',
])('"%s" is fine: a word of up to four letters may be a name', (title) =>
  expect(levelsIn(title)).toEqual([]),
);
