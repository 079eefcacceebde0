import mongoose from 'mongoose';
import { describeCause, showError } from './log-error.ts';

const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

const email = 'someone@example.com';
const duplicate = new MongoServerError({
  code: 11000,
  message: `E11000 duplicate key error collection: shelfwise.accounts index: email_1 dup key: { email: "${email}" }`,
  keyValue: { email },
});
const cast = new mongoose.Error.CastError('Number', email, 'email');
const bulk = new MongoBulkWriteError(
  { message: `E11000 dup key: { email: "${email}" }`, code: 11000, writeErrors: [] },
  {} as never,
);

test.each([
  ['a duplicate key', duplicate],
  ['a value of another type', cast],
  ['a refused write of many', bulk],
  ['what one has caused', new Error('the account is not stored', { cause: duplicate })],
])('%s is logged without the values of documents', (_, error) => {
  const shown = JSON.stringify(showError(error));
  expect(shown).not.toContain(email);
  expect(shown).toContain(error.name);
  expect(shown).toContain('log-error.test.ts');
});

test('an error of the database says what failed', () => {
  expect(showError(duplicate)).toMatchObject([
    {
      type: 'MongoServerError',
      code: 11000,
      message: 'E11000 duplicate key error collection: shelfwise.accounts index: email_1 dup key:',
    },
  ]);
});

test('other errors keep their message and cause', () => {
  const shown = showError(new Error('cannot read', { cause: new Error('no such file') }));
  expect(shown).toMatchObject({ type: 'Error', message: 'cannot read: no such file' });
});

test('the cause of a failure is one line without the values of documents', () => {
  const duplicate = Object.assign(new Error('E11000 duplicate key: { email: "jo@example.com" }'), {
    name: 'MongoServerError',
  });
  expect(describeCause(duplicate)).toBe('MongoServerError: E11000 duplicate key:');
  expect(describeCause(new RangeError('too far'))).toBe('RangeError: too far');
  expect(describeCause('a text')).toBeUndefined();
});
