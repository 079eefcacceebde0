import { z } from 'zod';
import { StoreFailure } from '../store-failure.ts';
import { dropRepeated } from './drop-repeated.ts';
import { unlikeShape } from './garbage.ts';
import { text, webUrl } from './itunes-row.ts';

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
        currency: z.string().regex(/^[A-Z]{3}$/),
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

/** What stands in a feed beside its rows. */
const knownKeys: ReadonlySet<string> = new Set('author entry icon id link rights title updated'.split(' '));

/**
 * The rows of a top chart, the first rank first. Like a search, one row that cannot be read fails the chart. `name` is
 * that of the feed that was asked for; a chart that calls itself another is none.
 */
export function parseChartPage(body: unknown, name: string): ChartRow[] {
  const page = chartPage.safeParse(body);
  if (!page.success) throw unlikeShape(page.error);
  const { feed } = page.data;
  if (feed.id !== undefined && !feed.id.label.includes(name)) {
    throw new StoreFailure('garbage', `sent another chart than ${name}`);
  }
  const parsed = z.array(chartRow).safeParse(rowsOf(feed));
  if (!parsed.success) throw unlikeShape(parsed.error);
  return dropRepeated(parsed.data, ({ appId }) => appId);
}

/**
 * A single row comes as itself, and a chart without rows comes without their key. One that has something unknown in
 * its place is no empty chart.
 */
function rowsOf(feed: Record<string, unknown>): unknown {
  const { entry } = feed;
  if (entry !== undefined) return Array.isArray(entry) ? entry : [entry];
  const unknownKeys = Object.keys(feed).filter((key) => !knownKeys.has(key));
  if (unknownKeys.length === 0) return [];
  throw new StoreFailure(
    'garbage',
    `sent a chart without rows (entry), with ${unknownKeys.join(', ')} instead`,
  );
}

function larger(one: z.output<typeof image>, other: z.output<typeof image>) {
  return other.attributes.height > one.attributes.height ? other : one;
}
