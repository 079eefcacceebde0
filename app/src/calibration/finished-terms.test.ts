import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFinishedTerms } from './finished-terms.ts';
import { termKey } from './parse-known-terms.ts';
import type { TermReading } from './term-reading.ts';

let folder: string;
const path = () => join(folder, 'new', 'terms.jsonl');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sw-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const reading = (term: string, changes: Partial<TermReading> = {}): TermReading => ({
  storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
  term,
  traffic: 40,
  difficulty: 30,
  kei: 55.5,
  is_partial: false,
  is_second_look_due: false,
  first_app_ratings: 1200,
  read_at: '2026-03-01T10:00:00.000Z',
  source: 'sample',
  scoring_version: 3,
  ...changes,
});
const open = (inputHash = 'a', isFresh = false) => openFinishedTerms(path(), { inputHash, isFresh });
const termsOf = ({ readings }: ReturnType<typeof open>) => [...readings.values()].map(({ term }) => term);

test('readings are there when the file is opened again', () => {
  open().add([reading('habits'), reading('mood', { traffic: null })]);
  const again = open();
  expect(again.readings.get(termKey(reading('mood')))).toEqual(reading('mood', { traffic: null }));
  again.add([reading('routine')]);
  expect(termsOf(open())).toEqual(['habits', 'mood', 'routine']);
});

test.each(['{"storefront":{"store":"ITU', '{"term":"mood"}\n', 'null\n', '\n'])(
  'a half-written or foreign line %j is dropped, and what is added after it is not lost',
  (rest) => {
    open().add([reading('habits')]);
    appendFileSync(path(), rest);
    const again = open();
    expect(termsOf(again)).toEqual(['habits']);
    again.add([reading('mood')]);
    expect(termsOf(open())).toEqual(['habits', 'mood']);
  },
);

test('a header that is half-written has no readings after it', () => {
  open();
  writeFileSync(path(), '{"format":1,"input');
  expect(termsOf(open())).toEqual([]);
  expect(readFileSync(path(), 'utf8')).toBe('{"format":1,"input_sha256":"a"}\n');
});

test('another input is noticed and keeps the file; --fresh begins again', () => {
  open().add([reading('habits')]);
  expect(() => open('b')).toThrow(/written for other contents of the input file\. Use --fresh/);
  expect(termsOf(open('a'))).toEqual(['habits']);
  expect(termsOf(open('b', true))).toEqual([]);
});

test('a file that is not of this command is not overwritten', () => {
  open();
  writeFileSync(path(), 'my notes\n');
  expect(() => open()).toThrow(/was not written by this command/);
  expect(readFileSync(path(), 'utf8')).toBe('my notes\n');
});

test('sample and live readings, and versions of the scores, are not mixed', () => {
  const finished = open();
  finished.add([reading('habits')]);
  expect(() => finished.add([reading('mood', { source: 'app-store' })])).toThrow(
    /has terms of the sample; this Shelfwise reads live stores\. Use --fresh/,
  );
  expect(() => finished.add([reading('mood', { scoring_version: 4 })])).toThrow(
    /has scores of version 3; this Shelfwise computes version 4/,
  );
  expect(termsOf(open())).toEqual(['habits']);
});

test('a folder that cannot be made is named', () => {
  writeFileSync(join(folder, 'new'), 'a file');
  expect(() => open()).toThrow(/terms\.jsonl cannot be written/);
});
