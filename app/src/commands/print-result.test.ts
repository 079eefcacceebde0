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

test('a reader that is gone is no error', async () => {
  const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  await printResult('x', gone);
});
