import { toPrintableJson, toPrintableLine, toPrintableLines } from './printable.ts';

const red = '\u001b[31m';
const csi = '\u009b2J';
const override = '\u202egnp.exe';

test('control characters of a text become spaces, and other characters stay', () => {
  expect(toPrintableLine(`a${red}b${csi}c\td\ne\u007f`)).toBe('a [31mb 2Jc d e ');
  expect(toPrintableLine(override)).toBe(' gnp.exe');
  const text = 'Café 日本語 👩‍💻 العربية ñ';
  expect(toPrintableLine(text)).toBe(text);
});

test('a text of several lines keeps its newlines, and nothing else that moves the cursor', () => {
  expect(toPrintableLines(`one\ntwo\r${red}\u0085three`)).toBe('one\ntwo  [31m three');
});

test('JSON is printed without control characters and parses to the same value', () => {
  const value = { title: `a${red}${csi}${override}\u007f\n` };
  const json = toPrintableJson(value);
  expect(json).not.toMatch(/[^ -~]/);
  expect(JSON.parse(json)).toEqual(value);
});
