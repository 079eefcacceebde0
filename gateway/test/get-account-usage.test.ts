import { answers } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/account/usage';

test('the usage shows current totals and this month’s use, next to the limits of the plan', async () => {
  api.tracking.answer({ getTotals: async () => ({ apps: 2, keywords: 30, competitors: 1 }) });
  const { body } = await api.call('GET', path);
  expect(body).toEqual({ data: answers.usage });
});

test('totals that cannot be read are an error, not zeros', async () => {
  api.tracking.fail('getTotals', 'SERVICE_UNAVAILABLE');
  const answer = await api.call('GET', path);
  expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});
