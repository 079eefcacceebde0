import { plansWith } from './harness/plans-with.ts';
import { storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ few: { competitors: 3 } }) });
const path = '/api/v1/competitors';
const body = { app_id: 42, competitor_app_id: '1274495053', ...storefront };
const tracked = { id: 5, competitor_id: 43, competitor_app_id: '1274495053', title: 'Rival Notes' };

test('a competitor is tracked, and the answer has its relation id and its internal id', async () => {
  api.tracking.answer({ trackCompetitor: async () => tracked });
  const { body: answer } = await api.call('POST', path, { body });
  expect(answer).toEqual({
    data: { id: 5, competitor: { id: 43, app_id: '1274495053', title: 'Rival Notes' } },
  });
});

test('country and language may be in any letter case; the service gets the canonical spelling and no cap', async () => {
  api.tracking.answer({ trackCompetitor: async () => tracked });
  const spelled = { ...body, country: 'us', lang: 'EN-us', competitor_app_id: ' 1274495053 ' };
  await api.call('POST', path, { body: spelled });
  const request = {
    account_id: api.accountId,
    app_id: 42,
    competitor_app_id: body.competitor_app_id,
    storefront,
  };
  expect(api.tracking.requests).toMatchObject([
    { method: 'trackCompetitor', request: { ...request, max_competitors: null } },
  ]);
});

test('id1274495053 is 1274495053 for the service, and for an address the 400 names the id in it', async () => {
  api.tracking.answer({ trackCompetitor: async () => tracked });
  await api.call('POST', path, { body: { ...body, competitor_app_id: 'id1274495053' } });
  expect(api.tracking.requests).toMatchObject([{ request: { competitor_app_id: '1274495053' } }]);
  const address = 'https://apps.apple.com/app/id1274495053';
  const { status, body: answer } = await api.call('POST', path, {
    body: { ...body, competitor_app_id: address },
  });
  expect([status, answer.details.issues.fieldErrors]).toEqual([
    400,
    { competitor_app_id: [expect.stringMatching(/ is 1274495053$/)] },
  ]);
});

test('the plan’s cap of competitors reaches the service', async () => {
  const { key } = await api.createKey('few');
  api.tracking.answer({ trackCompetitor: async () => tracked });
  await api.call('POST', path, { body, key });
  expect(api.tracking.requests[0]?.request).toMatchObject({ max_competitors: 3 });
});
