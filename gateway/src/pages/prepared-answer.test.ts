import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { answerPrepared } from './prepared-answer.ts';

test('the body is made once, by the first request', async () => {
  const createBody = jest.fn(() => Buffer.from('the document'));
  const answer = answerPrepared(createBody, { type: 'text/plain', maxAgeSeconds: 1 });
  expect(createBody).not.toHaveBeenCalled();
  const end = jest.fn();
  const response = { set() {}, end } as unknown as Response;
  for (let call = 0; call < 2; call++) await answer({ fresh: false } as Request, response, () => {});
  expect(end.mock.calls.map(([body]) => String(body))).toEqual(['the document', 'the document']);
  expect(createBody).toHaveBeenCalledTimes(1);
});

test('requests wait for the same body; when it could not be made, the next request tries again', async () => {
  let isReadable = false;
  const createBody = jest.fn(async () => {
    if (!isReadable) throw new Error('not readable');
    return Buffer.from('the document');
  });
  const answer = answerPrepared(createBody, { type: 'text/plain', maxAgeSeconds: 1 });
  const end = jest.fn();
  const response = { set() {}, end } as unknown as Response;
  const ask = () => answer({ fresh: false } as Request, response, () => {});
  const refused = await Promise.allSettled([ask(), ask()]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isReadable = true;
  await Promise.all([ask(), ask()]);
  expect(end).toHaveBeenCalledTimes(2);
  expect(createBody).toHaveBeenCalledTimes(2);
});

test('what browsers keep for long has a smaller form', async () => {
  const body = readFileSync(__filename);
  const sizes = [];
  for (const isImmutable of [true, false]) {
    const end = jest.fn();
    const response = { set() {}, vary() {}, end } as unknown as Response;
    const request = { fresh: false, headers: { 'accept-encoding': 'br' } } as unknown as Request;
    await answerPrepared(() => body, { type: 'text/plain', maxAgeSeconds: 1, isImmutable })(
      request,
      response,
      () => {},
    );
    const [[form]] = end.mock.calls;
    expect(brotliDecompressSync(form)).toEqual(body);
    sizes.push(form.length);
  }
  expect(sizes[0]).toBeLessThan(sizes[1]);
});
