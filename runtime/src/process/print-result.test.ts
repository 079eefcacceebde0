import { Writable } from 'node:stream';
import { printResult } from './print-result.ts';

test('a result is printed before the command goes on, however slowly it is read', async () => {
  let written = '';
  const slow = new Writable({
    write(chunk, _encoding, done) {
      setImmediate(() => {
        written += chunk;
        done();
      });
    },
  });
  await printResult('x'.repeat(200_000), slow);
  expect(written).toHaveLength(200_001);
});

const failingWith = (code: string) =>
  new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });

test('a reader that is gone is no error, a full disk is', async () => {
  await printResult('x', failingWith('EPIPE'));
  await expect(printResult('x', failingWith('ENOSPC'))).rejects.toThrow('ENOSPC');
});

test('many results in a row leave no listeners behind', async () => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  for (let result = 0; result < 20; result++) await printResult('x', output);
  expect(output.listenerCount('error')).toBe(0);
});
