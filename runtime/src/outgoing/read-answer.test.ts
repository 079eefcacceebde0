import { causeOf, parseObject, readRetryAfterMs, readText } from './read-answer.ts';

test('a text is read up to its limit', async () => {
  expect(await readText(new Response('grün'), 5)).toBe('grün');
  await expect(readText(new Response('grün'), 4)).rejects.toThrow('too large');
  expect(await readText(new Response(null), 0)).toBe('');
});

test.each([
  ['{"data":1}', { data: 1 }],
  ['null', null],
  ['7', null],
  ['<html>', null],
])('the object of %s', (text, object) => {
  expect(parseObject(text)).toEqual(object);
});

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{}, null],
] as [Record<string, string>, number | null][])('%j asks to wait', (headers, ms) => {
  expect(readRetryAfterMs(new Response(null, { headers }))).toBe(ms);
});

test('why a call failed is the code of its cause, if it has one', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(causeOf(new Error('fetch failed', { cause: refused }))).toBe('ECONNREFUSED');
  expect(causeOf(new Error('fetch failed', { cause: new Error('no route') }))).toBe('no route');
  expect(causeOf(new Error('too large'))).toBe('too large');
});
