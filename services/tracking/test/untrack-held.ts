import { createGate } from '../../../testing/gate.ts';
import { until } from '../../../testing/until.ts';
import type { Tracking } from './start-tracking.ts';

/** Untracks an application. The call is answered after two seconds, while its removal is held at the first batch. */
export async function untrackHeld(
  { client, connection, clock }: Tracking,
  id: number,
  kind = 'TrackedKeyword',
) {
  const { opened, open: release } = createGate();
  let isHeld = false;
  const { collection } = connection.model(kind);
  const bulkWrite = collection.bulkWrite.bind(collection);
  jest.spyOn(collection, 'bulkWrite').mockImplementation((async (...args: Parameters<typeof bulkWrite>) => {
    // The relay uses the same method to empty outboxes.
    if (JSON.stringify(args[0]).includes('"active":false')) {
      isHeld = true;
      await opened;
    }
    return bulkWrite(...args);
  }) as typeof bulkWrite);
  const untracking = client.untrackApplication({ account_id: 'ann', id });
  await until(() => isHeld && clock.sleeping() > 2);
  clock.advance(2000);
  return { reply: await untracking, release };
}
