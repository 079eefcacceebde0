import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { explainCommandError } from './explain-command-error.ts';

test('problems of fields name the options, one sentence per line', () => {
  const error = invalidParams({ on_day: 'works on the sample only', plan: 'must be one of free, unlimited' });
  expect(explainCommandError(error, { on_day: 'day' })).toBe(
    '--day works on the sample only.\n--plan must be one of free, unlimited.',
  );
});

test('other errors keep their message; an unexpected error is printed whole', () => {
  expect(explainCommandError(new AppError('NOT_FOUND', 'No account has this id.'))).toBe(
    'No account has this id.',
  );
  expect(explainCommandError(new StartError('The port is in use.'))).toBe('The port is in use.');
  const unexpected = new Error('a bug');
  expect(explainCommandError(unexpected)).toBe(unexpected);
});
