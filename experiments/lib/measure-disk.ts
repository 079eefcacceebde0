import { statSync } from 'node:fs';
import type { Services } from '@shelfwise/app/start/start-services';
import { createEventLog } from '@shelfwise/embedded/bus/event-log';
import { databaseFile } from '@shelfwise/embedded/start-engine';
import { dayMs } from '@shelfwise/runtime/day';
import { createStores } from '@shelfwise/tracking/create-dependencies';
import { createPackPastDays } from '@shelfwise/tracking/snapshots/pack-past-days';
import mongoose from 'mongoose';

/** What the data takes: documents and their BSON by collection, without indexes, and the file with both. */
export type DiskUse = {
  fileBytes: number;
  collections: Record<string, { documents: number; bytes: number }>;
};

/**
 * Deletes the handled events first, as the bus does every ten minutes of real time, and packs the past months, as tracking does
 * with pauses of ten minutes.
 */
export async function measureDisk(deps: {
  dataDir: string;
  services: Pick<Services, 'databases' | 'buses'>;
  now: Date;
}): Promise<DiskUse> {
  const { dataDir, services, now } = deps;
  // Commits what the groups have handled.
  await services.buses.admin.readLag();
  if (services.databases.events) {
    const log = await createEventLog({ connection: services.databases.events, now: () => now });
    await log.deleteHandled(now, new AbortController().signal);
  }
  const { snapshots } = createStores(services.databases.tracking);
  const pack = createPackPastDays({ snapshots, sleep: async () => {} });
  await pack(new Date(now.getTime() - 3 * dayMs), new AbortController().signal);
  const collections: DiskUse['collections'] = {};
  for (const { db } of Object.values(services.databases).filter((one) => one instanceof mongoose.Connection))
    for (const { name } of (await db?.listCollections().toArray()) ?? []) {
      const use = { documents: 0, bytes: 0 };
      for await (const bytes of db?.collection(name).find({}, { raw: true }) ?? []) {
        use.documents++;
        use.bytes += (bytes as unknown as Buffer).length;
      }
      collections[`${db?.databaseName}.${name}`] = use;
    }
  return { fileBytes: statSync(databaseFile(dataDir)).blocks * 512, collections };
}
