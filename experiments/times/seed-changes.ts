import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { daysBefore, startOfDay, utcDay } from '@shelfwise/runtime/day';
import { trackingDatabase } from '@shelfwise/tracking/config';
import { createStores } from '@shelfwise/tracking/create-dependencies';
import { toListingVersion } from '@shelfwise/tracking/domain/listing-version';
import { maxNotes } from '@shelfwise/tracking/stores/note-store';
import type { SampleSystem } from '../../testing/system/start-sample-system.ts';
import { openEmbeddedDatabase } from '../lib/open-embedded-database.ts';
import { seededWord } from './seeded-pages.ts';

/** Days from one change of a listing to the next. */
const daysBetween = { own: 14, rival: 9 };
/** The longest time before and after a change that is compared. */
const comparedDays = 28;
const maxCompetitors = 100;
/** Above the ids that a small system takes. */
const firstNoteId = 1_000_000;

type Seed = { accountIds: readonly string[]; listingId: number; days: number };

/**
 * Revisions of the listing and its competitors in the days before today: each has another title, description and version. All own ones
 * have the days before and after them that are compared. The first title and the last are those that the store shows.
 */
export async function seedChanges({ system }: SampleSystem, seed: Seed): Promise<void> {
  const { accountIds, listingId, days } = seed;
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(trackingDatabase, 'sample'));
  const { competitors, listings, listingVersions } = createStores(database);
  const today = utcDay(new Date());
  const account = { account_id: accountIds[0] ?? '', listing_id: listingId };
  const relations = await competitors.listActive(account, maxCompetitors);
  for (const id of [listingId, ...relations.map(({ competitor_id }) => competitor_id)]) {
    const listing = await listings.find(id);
    if (!listing) throw new Error(`there is no listing ${id}`);
    const isOwn = id === listingId;
    const step = isOwn ? daysBetween.own : daysBetween.rival;
    const [first, last] = isOwn ? [days - comparedDays, comparedDays] : [days, 1];
    const count = Math.floor((first - last) / step) + 1;
    for (let index = 0; index < count; index++) {
      const isLast = index === count - 1;
      const revision = listing.revision + 1 + index;
      const name = `${listing.title?.slice(0, 12)} ${seededWord(id + index)} ${seededWord(id + index + 5)}`;
      await listingVersions.add(
        toListingVersion({
          ...listing,
          title: isLast ? listing.title : name,
          description: `${listing.description} ${revision}`,
          version: `9.${revision}`,
          revision,
          changed: ['title', 'description', 'version'],
          changed_at: startOfDay(daysBefore(today, last + step * (count - 1 - index))),
          images: { icon_changed: false, screenshots_added: 0, screenshots_removed: 0 },
        }),
      );
    }
    // For the next reading. What a running system shows of the listing keeps its revision.
    await listings.model.updateOne({ _id: id }, { $set: { revision: listing.revision + count } });
  }
  await database.close();
}

/** As many as an application may have, for each account. */
export async function seedNotes(
  { system }: SampleSystem,
  { accountIds, listingId, days }: Seed,
): Promise<void> {
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(trackingDatabase, 'sample'));
  const now = new Date();
  const notes = accountIds.flatMap((accountId, account) =>
    Array.from({ length: maxNotes }, (_, index) => ({
      _id: (firstNoteId + account * maxNotes + index) as never,
      account_id: accountId,
      listing_id: listingId,
      day: daysBefore(utcDay(now), index % days),
      text: `Campaign ${index} of the spring, in the stores of all countries`,
      created_at: now,
    })),
  );
  await database.collection('notes').insertMany(notes);
  await database.close();
}
