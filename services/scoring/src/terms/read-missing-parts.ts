import { isDeepStrictEqual } from 'node:util';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { secondLookAt } from '../domain/keyword/empty-looks.ts';
import type { KeywordReading, ResultPage } from '../domain/keyword/keyword-reading.ts';
import type { Ranking } from '../stores/term.ts';
import type { MissingParts } from './missing-parts.ts';
import { type ReadFreeChart, readChart } from './read-chart.ts';
import { type DetailsReader, readDetails } from './read-details.ts';
import { readPage } from './read-page.ts';
import { readSuggestion } from './read-suggestion.ts';
import { type ReadContext, readOrFailure } from './store-reader.ts';

export type ReadParts = {
  /** The previous reading, with each part replaced that could be read. */
  reading: KeywordReading;
  isChanged: boolean;
  /** The ranking on the page that was read; null when no page was read. */
  ranking: Ranking | null;
  /** Why the missing page could not be read; null when it was read or was not missing. */
  failure: AppError | null;
};

export type PartsReader = DetailsReader & { readFreeChart: ReadFreeChart };

type KnownTerm = { storefront: Storefront; keyword: string; reading: KeywordReading };
type PageParts = Pick<KeywordReading, 'page' | 'chart'> & Pick<ReadParts, 'ranking' | 'failure'>;

/** Reads the missing parts of a term; independent parts are read at the same time. */
export async function readMissingParts(
  reader: PartsReader,
  term: KnownTerm,
  missingParts: MissingParts,
  context: ReadContext,
): Promise<ReadParts> {
  const [{ page, chart, ranking, failure }, read] = await Promise.all([
    readPageParts(reader, term, missingParts, context),
    missingParts.suggestion && !isTooEarly(term, reader.now()) ? readSuggestion(reader, term, context) : null,
  ]);
  const { reading } = term;
  const { empty_looks: looks } = reading;
  const { suggestion, empty_looks } = read ?? { suggestion: null, empty_looks: looks };
  return {
    reading: { page, chart, suggestion: suggestion ?? reading.suggestion, empty_looks },
    isChanged: page !== reading.page || suggestion !== null || !isDeepStrictEqual(empty_looks, looks),
    ranking,
    failure,
  };
}

/** Whether lists were empty at the first look, and it is too early for the second. */
function isTooEarly({ reading }: KnownTerm, now: Date): boolean {
  const at = secondLookAt(reading.empty_looks, now);
  return at !== null && at > now;
}

async function readPageParts(
  reader: PartsReader,
  { storefront, keyword, reading }: KnownTerm,
  missingParts: MissingParts,
  context: ReadContext,
): Promise<PageParts> {
  const { page, chart } = reading;
  if (!missingParts.page) {
    const needsDetails = missingParts.details && page !== null;
    const detailed = needsDetails ? await withMissingDetails(reader, storefront, page, context) : page;
    return { page: detailed, chart, ranking: null, failure: null };
  }
  const today = utcDay(reader.now());
  const read = await readOrFailure(
    context,
    readPage(reader, { storefront, keyword, hadResults: page && page.size > 0 }, context).then((result) =>
      requireDay(result, today),
    ),
  );
  if ('failure' in read) return { page, chart, ranking: null, failure: read.failure };
  const { page: newPage, ranking } = read.found;
  const [detailed, newChart] = await Promise.all([
    newPage.details_read_at ? newPage : readDetails(reader, storefront, newPage, context),
    readChart(reader, storefront, newPage, context),
  ]);
  return { page: detailed, chart: newChart, ranking, failure: null };
}

/**
 * Returns the same object when no newer details could be read: the reading is then unchanged. App Store pages contain
 * their details.
 */
async function withMissingDetails(
  reader: DetailsReader,
  storefront: Storefront,
  page: ResultPage,
  context: ReadContext,
): Promise<ResultPage> {
  if (storefront.store === 'ITUNES') return page;
  const detailed = await readDetails(reader, storefront, page, context);
  const isSame = detailed.details_read_at?.getTime() === page.details_read_at?.getTime();
  return isSame ? page : detailed;
}

/** Rejects a page that store-fetch read on an earlier day, because it shows the ranks of that day. */
function requireDay<Result extends { page: ResultPage }>(result: Result, today: string): Result {
  if (result.page.day >= today) return result;
  throw new AppError('STORE_FETCH_FAILED', `The result page is from ${result.page.day}. Try again later.`);
}
