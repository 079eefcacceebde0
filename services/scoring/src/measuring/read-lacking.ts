import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { KeywordReading, ResultPage } from '../domain/keyword/keyword-reading.ts';
import type { AppDetailsStore } from '../stores/app-details-store.ts';
import type { Ranking } from '../stores/stored-term.ts';
import type { Lacking } from './lacking.ts';
import { readChart } from './read-chart.ts';
import { readDetails } from './read-details.ts';
import { readPage } from './read-page.ts';
import { readSuggestion } from './read-suggestion.ts';
import { readOrRefusal, type StoreReader, type StoreTurn } from './store-turn.ts';

export type ReadParts = {
  /** What was kept, with what could be read in place of it. */
  reading: KeywordReading;
  isChanged: boolean;
  /** Of the page that was read; null: none was. */
  ranking: Ranking | null;
  /** Why the page that was to be read could not be. */
  refusal: AppError | null;
};

type Term = { storefront: Storefront; keyword: string; reading: KeywordReading };
type PageParts = Pick<KeywordReading, 'page' | 'chart'> & Pick<ReadParts, 'ranking' | 'refusal'>;

/** Reads what a term lacks, all that does not wait for something else at the same time. */
export async function readLacking(
  reader: StoreReader & { appDetails: AppDetailsStore },
  term: Term,
  lacking: Lacking,
  turn: StoreTurn,
): Promise<ReadParts> {
  const [{ page, chart, ranking, refusal }, suggestion] = await Promise.all([
    readPageParts(reader, term, lacking, turn),
    lacking.suggestion ? readSuggestion(reader, term, turn) : null,
  ]);
  const { reading } = term;
  return {
    reading: { page, chart, suggestion: suggestion ?? reading.suggestion },
    isChanged: page !== reading.page || suggestion !== null,
    ranking,
    refusal,
  };
}

async function readPageParts(
  reader: StoreReader & { appDetails: AppDetailsStore },
  { storefront, keyword, reading }: Term,
  lacking: Lacking,
  turn: StoreTurn,
): Promise<PageParts> {
  const { page, chart } = reading;
  if (!lacking.page) {
    const isWhole = !lacking.details || page === null;
    const detailed = isWhole ? page : await completed(reader, storefront, page, turn);
    return { page: detailed, chart, ranking: null, refusal: null };
  }
  const today = utcDay(reader.now());
  const read = await readOrRefusal(
    turn,
    readPage(reader, { storefront, keyword }, turn).then((found) => requireDay(found, today)),
  );
  if ('refusal' in read) return { page, chart, ranking: null, refusal: read.refusal };
  const { found } = read;
  const [detailed, charted] = await Promise.all([
    found.page.details_read_at ? found.page : readDetails(reader, storefront, found.page, turn),
    readChart(reader, storefront, found.page, turn),
  ]);
  return { page: detailed, chart: charted, ranking: found.ranking, refusal: null };
}

/** The page itself when nothing new could be read of its details. */
async function completed(
  reader: StoreReader & { appDetails: AppDetailsStore },
  storefront: Storefront,
  page: ResultPage,
  turn: StoreTurn,
): Promise<ResultPage> {
  if (storefront.store === 'ITUNES') return page;
  const detailed = await readDetails(reader, storefront, page, turn);
  const isSame = detailed.details_read_at?.getTime() === page.details_read_at?.getTime();
  return isSame ? page : detailed;
}

/** A page that is older than the reading shows another day's ranks. */
function requireDay<Found extends { page: ResultPage }>(found: Found, today: string): Found {
  if (found.page.day >= today) return found;
  throw new AppError('STORE_FETCH_FAILED', `The result page is of ${found.page.day}. Try again later.`);
}
