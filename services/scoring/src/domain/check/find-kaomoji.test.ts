import { readData } from '../../../test/read-data.ts';
import { findKaomoji } from './find-kaomoji.ts';

const { faces, others } = readData<{ faces: string[]; others: string[] }>('kaomoji.json');

test.each(faces)('%s is a face', (face) => {
  expect(findKaomoji(face)).toEqual([face]);
  expect(findKaomoji(`Notes ${face}`)).toEqual([face]);
  expect(findKaomoji(`${face} Notes`)).toEqual([face]);
});

test.each(others)('"%s" has no face', (text) => expect(findKaomoji(text)).toEqual([]));
