import { z } from 'zod';
import { dropRepeated } from '../drop-repeated.ts';
import { currencyCode, text, webUrl } from '../field-shapes.ts';
import { malformedAnswer } from '../malformed-answer.ts';
import { StoreFailure } from '../store-failure.ts';
import { type ChartFeed, feedName } from './store-urls.ts';

const label = z.object({ label: text });

const image = z.object({ label: webUrl, attributes: z.object({ height: z.coerce.number().positive() }) });

const chartRow = z
  .object({
    id: z.object({ attributes: z.object({ 'im:id': z.string().regex(/^[1-9]\d{0,14}$/) }) }),
    'im:name': label,
    'im:artist': label,
    'im:image': z.array(image).min(1),
    'im:price': z.object({
      attributes: z.object({
        amount: z.string().regex(/^\d+(\.\d+)?$/),
        currency: currencyCode,
      }),
    }),
  })
  .transform((row) => ({
    appId: row.id.attributes['im:id'],
    title: row['im:name'].label,
    developerName: row['im:artist'].label,
    icon: row['im:image'].reduce(larger).label,
    price: Number(row['im:price'].attributes.amount),
    currency: row['im:price'].attributes.currency,
  }));

export type ChartRow = z.output<typeof chartRow>;

const chartPage = z.object({
  feed: z.looseObject({ title: label, id: z.object({ label: z.string() }).optional() }),
});

/** The chart that is asked for; `genre` null is the one of all apps. */
export type ChartQuery = Pick<ChartFeed, 'collection' | 'genre'> & { country: string };

/** What stands in a feed beside its rows. */
const knownKeys: ReadonlySet<string> = new Set('author entry icon id link rights title updated'.split(' '));

/**
 * The rows of a top chart, the first rank first. Like a search, one row that cannot be read fails the chart. A chart
 * that calls itself another than the one that was asked for is none. Without rows it is empty, but for that of all free
 * apps: no storefront is without any.
 */
export function parseChartPage(body: unknown, query: ChartQuery): ChartRow[] {
  const page = chartPage.safeParse(body);
  if (!page.success) throw malformedAnswer(page.error);
  const { feed } = page.data;
  if (feed.id !== undefined && !isOf(feed.id.label, query)) {
    throw new StoreFailure(
      'malformed',
      `sent another chart than the one that was asked for (${feed.id.label})`,
    );
  }
  const parsed = z.array(chartRow).safeParse(rowsOf(feed));
  if (!parsed.success) throw malformedAnswer(parsed.error);
  if (parsed.data.length === 0 && query.collection === 'free' && query.genre === null) {
    throw new StoreFailure('malformed', 'sent a chart of all free apps without rows (entry)');
  }
  return dropRepeated(parsed.data, ({ appId }) => appId);
}

/** Whether a feed's own address is that of the chart: its country, its name and its genre. */
function isOf(address: string, { country, collection, genre }: ChartQuery): boolean {
  const named = /\/([a-z]{2})\/rss\/([^/]+)\/(?:.*\bgenre=(\d+))?/i.exec(address);
  const [, ofCountry = '', name, ofGenre = null] = named ?? [];
  return ofCountry.toUpperCase() === country && name === feedName(collection) && ofGenre === genre;
}

/**
 * A single row comes as itself, and a chart without rows comes without their key. One that has something unknown in
 * its place is no empty chart.
 */
function rowsOf(feed: Record<string, unknown>): unknown {
  const { entry } = feed;
  if (Array.isArray(entry) && entry.length === 0) {
    throw new StoreFailure(
      'malformed',
      'sent a chart with an empty list of rows (entry), which it never has',
    );
  }
  if (entry !== undefined) return Array.isArray(entry) ? entry : [entry];
  const unknownKeys = Object.keys(feed).filter((key) => !knownKeys.has(key));
  if (unknownKeys.length === 0) return [];
  throw new StoreFailure(
    'malformed',
    `sent a chart without rows (entry), with ${unknownKeys.join(', ')} instead`,
  );
}

function larger(a: z.output<typeof image>, b: z.output<typeof image>) {
  return b.attributes.height > a.attributes.height ? b : a;
}
