import { createRecordingBus } from '../../../testing/recording-bus.ts';
import { createAuditingHarness, us } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();
const row = { account_id: 'ann', keyword_id: 1, app_id: 1 };
const tracked = { ...row, keyword: 'notes', storefront: us, scored_at: null };

const copies = [
  ['one of many copies', false],
  ['the only copy', true],
] as const;

/** Delivers when an account tracks a keyword, and no more 1 s later. Each returns its event. */
async function start(isOnlyCopy: boolean) {
  const auditing = await startAuditing({ isOnlyCopy });
  const bus = createRecordingBus();
  await auditing.subscribe(bus);
  const { at } = auditing.clock;
  const later = new Date(at.getTime() + 1000);
  return {
    ...auditing,
    bus,
    track: () => bus.deliver('tracking.keyword-tracked.v1', '1', { ...tracked, at }),
    untrack: () => bus.deliver('tracking.keyword-untracked.v1', '1', { ...row, at: later }),
  };
}

test.each(copies)('%s: late and repeated events of a deleted account leave no row', async (_, isOnlyCopy) => {
  const { bus, deleteAccount, rows, track, untrack } = await start(isOnlyCopy);
  const events = [await track(), await untrack()];
  await deleteAccount('ann');
  for (const event of [...events, ...events.toReversed()]) await bus.redeliver(event);
  expect(await rows('tracked_terms')).toEqual([]);
});

test.each(copies)(
  '%s: a late event of a deleted account leaves no row, also when it fails and becomes a dead letter',
  async (_, isOnlyCopy) => {
    const { auditor, deleteAccount, rows, track, untrack } = await start(isOnlyCopy);
    await deleteAccount('ann');
    jest.spyOn(auditor, 'onKeywordsChanged').mockRejectedValue(new Error('it fails on every attempt'));
    await expect(track()).rejects.toThrow('it fails on every attempt');
    expect(await rows('tracked_terms')).toEqual([]);
    await expect(untrack()).rejects.toThrow('it fails on every attempt');
    expect(await rows('tracked_terms')).toEqual([]);
  },
);

test('an account that is deleted while its event is handled leaves no row in the only copy', async () => {
  const { auditor, bus, deleteAccount, rows, track } = await start(true);
  const event = await track();
  jest
    .spyOn(auditor, 'onKeywordsChanged')
    .mockImplementationOnce(async () => void (await deleteAccount('ann')));
  await bus.redeliver(event);
  expect(await rows('tracked_terms')).toEqual([]);
  await bus.redeliver(event);
  expect(await rows('tracked_terms')).toEqual([]);
});
