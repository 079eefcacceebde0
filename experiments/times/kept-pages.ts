import { statSync } from 'node:fs';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { connectDirectly } from '@shelfwise/embedded/direct/connect-directly';
import { databaseFile, startEngine } from '@shelfwise/embedded/start-engine';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { migrateDatabase } from '@shelfwise/runtime/mongo/schema/migrate-database';
import { createStores } from '@shelfwise/scoring/create-stores';
import { scoringSchema } from '@shelfwise/scoring/schema';
import { toPublicPage } from '@shelfwise/scoring/stores/public-page';
import { toRanking } from '@shelfwise/scoring/stores/term';
import { termId } from '@shelfwise/scoring/stores/term-filters';
import mongoose from 'mongoose';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { defineTimes } from './define-times.ts';
import { storefront } from './on-sample.ts';
import { ownCpuMicros } from './rounds.ts';

const pageSize = 100;
/** As a daily run saves them. */
const pagesTogether = 50;
const appsLeaving = 3;
const daysShown = 7;

type Use = { bytes: number; cpuMs: number };

export const times = defineTimes({
  name: 'kept-pages',
  question:
    'What do the ids of kept pages as one text take on the disk, and for each reading, and what does the page that accounts see of a public term, with the index from apps to it?',
  options: { pages: [10_000, 'kept pages', [1000, 1_000_000]] },
  async run({ pages }) {
    const without = await measure(pages, { isPublic: false, isPacked: false });
    const packed = await measure(pages, { isPublic: false, isPacked: true });
    const shown = await measure(pages, { isPublic: true, isPacked: true });
    const cells = ({ bytes, cpuMs }: Use) => [Math.round(bytes).toLocaleString('en-US'), cpuMs.toFixed(3)];
    const more = (use: Use, than: Use) => ({ bytes: use.bytes - than.bytes, cpuMs: use.cpuMs - than.cpuMs });
    console.log(
      formatTable(
        [`${pages} pages of ${pageSize} apps`, 'bytes each', 'CPU of a reading, ms'],
        [
          ['without the ids as one text', ...cells(without)],
          ['of a term that is not public', ...cells(packed)],
          ['of a public term', ...cells(shown)],
          ['the ids as one text', ...cells(more(packed, without))],
          ['the public page and its index', ...cells(more(shown, packed))],
        ],
      ),
    );
  },
});

/**
 * For each page: the bytes of the file, and the CPU of saving the one of the next day. A seventh of the public pages is replaced on a
 * day, by a command of its own: a measurement writes them with its scores.
 */
async function measure(
  pages: number,
  { isPublic, isPacked }: { isPublic: boolean; isPacked: boolean },
): Promise<Use> {
  const dataDir = temporaryFolder('kept-pages');
  const engine = await startEngine({ dataDir });
  const direct = connectDirectly(engine.link);
  const options = { dbName: 'scoring', autoIndex: false, autoCreate: false, ...direct.options };
  const connection = mongoose.createConnection(engine.mongodbUri, options);
  direct.adopt(connection);
  await connection.asPromise();
  const { terms } = createStores(connection);
  await migrateDatabase(connection, scoringSchema);
  const save = async (day: number) => {
    for (let start = 0; start < pages; start += pagesTogether) {
      const indexes = Array.from(
        { length: Math.min(pagesTogether, pages - start) },
        (_, index) => start + index,
      );
      await terms.saveSnapshots(
        indexes.map((index) => pageOn(day, index, isPacked)),
        new Date(day * dayMs),
      );
      const replaced = day === 0 ? indexes : indexes.filter((index) => index % daysShown === 0);
      if (isPublic) await terms.model.bulkWrite(replaced.map((index) => showOn(day, index)));
    }
  };
  try {
    await save(0);
    const bytes = statSync(databaseFile(dataDir)).blocks * 512;
    const before = ownCpuMicros();
    await save(1);
    return { bytes: bytes / pages, cpuMs: (ownCpuMicros() - before) / 1000 / pages };
  } finally {
    await connection.close();
    await engine.stop();
  }
}

/** The page of a keyword on a day: each day some of the first apps have left, and as many follow at its end. */
function pageOn(day: number, index: number, isPacked: boolean) {
  const readAt = new Date(day * dayMs);
  const ids = Array.from({ length: pageSize }, (_, at) =>
    String(9_000_000_000 + 1000 * (index % 5000) + appsLeaving * day + at),
  );
  const ranking = toRanking({ day: utcDay(readAt), read_at: readAt, source: 'sample' }, ids);
  if (!isPacked) delete ranking.packed_ids;
  return { storefront, keyword: `seeded keyword ${index}`, ranking, isDue: false };
}

function showOn(day: number, index: number) {
  const { keyword, ranking } = pageOn(day, index, true);
  const score = {
    scored_at: ranking.read_at,
    traffic: index % 101,
    difficulty: index % 97,
    is_partial: false,
    search_status: 'searched' as const,
    brand: null,
    suspected_brand: null,
    results: pageSize,
    genres: [{ key: '6007', apps: 4 }],
  };
  const shown = toPublicPage(ranking, score, ranking.read_at);
  return {
    updateOne: {
      filter: { _id: termId(storefront, keyword) },
      update: { $set: { public_until: ranking.read_at, public_page: shown } },
    },
  };
}
