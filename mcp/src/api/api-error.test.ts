import { ApiError, describeError } from './api-error.ts';

test('an error names the parameters as the tool has them', () => {
  const details = {
    issues: { formErrors: [], fieldErrors: { id: ['must be a whole number'], page: ['is 0'] } },
    notes: [],
  };
  const error = new ApiError(
    400,
    { error: 'id must be a whole number, the id; page is 0', code: 'INVALID_PARAMS', details },
    null,
  ).withNames({ id: 'keyword_id' });
  expect(error.message).toBe('keyword_id must be a whole number, the id; page is 0');
  expect(error.details).toEqual({
    issues: { formErrors: [], fieldErrors: { keyword_id: ['must be a whole number'], page: ['is 0'] } },
    notes: [],
  });
});

test('an error without fields stays as it is', () => {
  const error = new ApiError(404, { error: 'There is no such id.', code: 'NOT_FOUND' }, null);
  expect(error.withNames({ id: 'keyword_id' })).toBe(error);
});

test('an exceeded quota says when it renews, and which tools still work', () => {
  const usage = { api_requests: 1000, renews_at: '2026-12-01T00:00:00.000Z' };
  const error = new ApiError(429, { error: 'The quota is spent.', code: 'QUOTA_EXCEEDED', usage }, null);
  expect(describeError(error)).toMatch(
    /^QUOTA_EXCEEDED: The quota is spent\.\n.*Tools that spend no API request.*renews_at/s,
  );
});
