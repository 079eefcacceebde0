import { createManualClock } from '../../../testing/manual-clock.ts';
import { createFakeReceivers } from './fake-receivers.ts';
import { playedKinds, playYear } from './play-year.ts';
import { createHarness } from './start-notify.ts';
import { drawYear, trueAlerts, yearFaults } from './year-of-faults.ts';

const { startNotify } = createHarness();

/** Years of 365 days: `npm run alert-year`. */
test('over months of days with every fault, two copies publish every true change once, and nothing else', async () => {
  const clock = createManualClock('2026-01-01T00:00:00Z');
  const receivers = createFakeReceivers();
  const one = await startNotify({ clock, receivers });
  const other = await startNotify({ clock, receivers, database: one.database });
  const year = drawYear({ seed: 40, from: '2026-01-01', days: 60 });
  const expected = trueAlerts(year);
  expect(await playYear(year, { copies: [one, other], clock, receivers })).toEqual(expected);
  for (const kind of [...playedKinds, 'channel_off'])
    expect(expected).toContainEqual(expect.stringMatching(`^${kind} `));
  expect(new Set(year.map(({ fault }) => fault))).toEqual(new Set(yearFaults));
});
