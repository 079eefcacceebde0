import { z } from 'zod';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { dropRepeated } from '../drop-repeated.ts';
import { currencyCode, orNull, plainText, text, webUrl } from '../field-shapes.ts';
import { malformedAnswer } from '../malformed-answer.ts';
import { type ChartFeed, feedName } from './store-urls.ts';

const label = z.object({ label: text });
const plainLabel = z.object({ label: plainText }).transform(({ label }) => label);

const image = z.object({ label: webUrl, attributes: z.object({ height: z.coerce.number().positive() }) });

/** Only the id is required: no other field changes a rank. */

const chartRow = z
  .object({
    id: z.object({ attributes: z.object({ 'im:id': z.string().regex(/^[1-9]\d{0,14}$/) }) }),
    'im:name': orNull(plainLabel),
    'im:artist': orNull(plainLabel),
    'im:image': orNull(z.array(orNull(image))),
    'im:price': orNull(
      z.object({
        attributes: z.object({
          amount: orNull(
            z
              .string()
              .regex(/^\d+(\.\d+)?$/)
              .transform(Number),
          ),
          currency: orNull(currencyCode),
        }),
      }),
    ),
  })
  .transform((row) => ({
    app_id: row.id.attributes['im:id'],
    title: row['im:name'],
    developer_name: row['im:artist'],
    icon: largestImage(row['im:image'] ?? []),
    price: row['im:price']?.attributes.amount ?? null,
    currency: row['im:price']?.attributes.currency ?? null,
  }));

export type ChartRow = z.output<typeof chartRow>;

const chartPage = z.object({
  feed: z.looseObject({ title: label, id: z.object({ label: z.string() }).optional() }),
});

/** The requested chart; `genre` is null for the chart of all apps. */
export type ChartQuery = Pick<ChartFeed, 'collection' | 'genre'> & { country: string };

/** All keys that a feed may have; `entry` has its rows. */
const knownKeys: ReadonlySet<string> = new Set('author entry icon id link rights title updated'.split(' '));

/**
 * The rows of a top chart, in rank order. One row without an id fails the whole chart: leaving it out would improve the
 * ranks of all apps below it. Any other unreadable field of a row is null. A feed with the address of another chart is
 * malformed. A feed without rows is an empty chart, except for the chart of all free apps, which no storefront leaves empty.
 * @throws StoreFailure `malformed`
 */
export function parseChartPage(body: unknown, query: ChartQuery): ChartRow[] {
  const page = chartPage.safeParse(body);
  if (!page.success) throw malformedAnswer(page.error);
  const { feed } = page.data;
  if (feed.id !== undefined && !isFeedOf(feed.id.label, query)) {
    throw new StoreFailure('malformed', `sent another chart than the requested one (${feed.id.label})`);
  }
  const parsed = z.array(chartRow).safeParse(rowsOf(feed));
  if (!parsed.success) throw malformedAnswer(parsed.error);
  if (parsed.data.length === 0 && query.collection === 'free' && query.genre === null) {
    throw new StoreFailure('malformed', 'sent a chart of all free apps without rows (entry)');
  }
  return dropRepeated(parsed.data, (row) => row.app_id);
}

/** Whether the feed's own address has the requested country, collection and genre. */
function isFeedOf(address: string, { country, collection, genre }: ChartQuery): boolean {
  const match = /\/([a-z]{2})\/rss\/([^/]+)\/(?:.*\bgenre=(\d+))?/i.exec(address);
  const [, feedCountry = '', name, feedGenre = null] = match ?? [];
  return feedCountry.toUpperCase() === country && name === feedName(collection) && feedGenre === genre;
}

/**
 * The list of rows. The store sends a single row without a list, and an empty chart without the key for rows. A feed
 * with an unknown key instead of rows is malformed.
 */
function rowsOf(feed: Record<string, unknown>): unknown {
  const { entry } = feed;
  if (Array.isArray(entry) && entry.length === 0) {
    throw new StoreFailure(
      'malformed',
      'sent a chart with an empty list of rows (entry), a form that the store never uses',
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

/** The address of the largest readable image; null without one. */
function largestImage(images: readonly (z.output<typeof image> | null)[]): string | null {
  const readable = images.filter((image) => image !== null);
  const [largest] = readable.sort((a, b) => b.attributes.height - a.attributes.height);
  return largest?.label ?? null;
}
