import { messagesOf } from '../../../testing/recording-bus.ts';
import { publishWhatIsTracked } from '../src/publish-what-is-tracked.ts';
import { createHarness, trackApp, trackCompetitor, trackKeyword } from './start-tracking.ts';

const { startTracking } = createHarness();
const never = new AbortController().signal;

test('what was tracked before is published again with the times of the rows; what was removed is not', async () => {
  const first = await startTracking();
  const appId = await trackApp(first, 'ann');
  const gone = await trackApp(first, 'ann', '2002');
  const keywordId = await trackKeyword(first, 'ann', appId, 'camera');
  const keyword = { account_id: 'ann', app_id: appId, keyword_id: keywordId };
  await first.client.setKeywordFavorite({ ...keyword, is_favorite: true });
  await trackKeyword(first, 'ann', appId, 'photo');
  const { competitor_id: competitorId } = await trackCompetitor(first, 'ann', appId, '3003');
  await first.client.untrackApplication({ account_id: 'ann', id: gone });
  await first.stop();
  // As an older version has left the row.
  await first.connection.collection('tracked_keywords').updateMany({}, { $unset: { favorite_set_at: '' } });

  const second = await startTracking({ database: first.database });
  await publishWhatIsTracked.run(second.connection, never);
  await publishWhatIsTracked.run(second.connection, never);
  await second.stop();
  const { published } = second.bus;
  const { at } = first.clock;
  const apps = messagesOf(published, 'tracking.application-tracked.v1');
  expect(apps).toMatchObject([
    { account_id: 'ann', at, listing: { id: appId } },
    { account_id: 'ann', at, listing: { id: appId } },
  ]);
  const keywords = messagesOf(published, 'tracking.keyword-tracked.v1');
  expect(keywords.map((one) => [one.keyword, one.at, one.app_id])).toEqual(
    expect.arrayContaining([
      ['camera', at, appId],
      ['photo', at, appId],
    ]),
  );
  // The second run finds the mark's time.
  expect(messagesOf(published, 'tracking.keyword-favorite-set.v1')).toEqual([
    { ...keyword, is_favorite: true, at },
  ]);
  expect(messagesOf(published, 'tracking.competitor-tracked.v1')[0]).toMatchObject({
    account_id: 'ann',
    app_id: appId,
    at,
    listing: { id: competitorId },
  });
  expect(published.every((event) => event.at > at)).toBe(true);
});

test('on an empty database nothing is published', async () => {
  const tracking = await startTracking();
  await publishWhatIsTracked.run(tracking.connection, never);
  await tracking.stop();
  expect(tracking.bus.published).toEqual([]);
});
