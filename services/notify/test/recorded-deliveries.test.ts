import { Webhook } from 'standardwebhooks';
import { createRecording, readDeliveries, recordDeliveries } from './record-deliveries.ts';
import { createHarness } from './start-notify.ts';

const { startNotify } = createHarness();
afterEach(() => jest.restoreAllMocks());

test('the service sends the recorded deliveries; if a change is intended, run npm run record-examples', async () => {
  const recording = createRecording();
  expect(await recordDeliveries(await startNotify(recording), recording)).toEqual(readDeliveries());
});

test('each verifies with the published library', () => {
  const { secret, deliveries } = readDeliveries();
  for (const { headers, body } of Object.values(deliveries)) {
    jest.spyOn(Date, 'now').mockReturnValue(1000 * Number(headers['webhook-timestamp']));
    expect(new Webhook(secret).verify(JSON.stringify(body), headers)).toEqual(body);
  }
});
