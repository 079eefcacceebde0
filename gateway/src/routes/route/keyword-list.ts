import { KeywordOrder_Field as Field, type KeywordOrder } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import * as shapes from '../shapes/shapes.ts';
import { booleanParameter, integerParameter, scoreParameter } from './fields.ts';

/** What lists of tracked keywords share: how they are narrowed, ordered and paged. */

/** The maximum number of rows on a page, and in an answer without paging. */
const maxRows = shapes.maxListRows;
const defaultPerPage = 200;
/** In code points. Tracking accepts 400 UTF-16 units, in which 100 code points always fit. */
const maxSearchLength = 100;

const orderFields = {
  keyword: Field.KEYWORD,
  rank: Field.RANK,
  traffic: Field.TRAFFIC,
  difficulty: Field.DIFFICULTY,
  delta: Field.DELTA,
} as const;

const sorts = [
  'keyword',
  '-keyword',
  'rank',
  '-rank',
  'traffic',
  '-traffic',
  'difficulty',
  '-difficulty',
  'delta',
  '-delta',
] as const satisfies (keyof typeof orderFields | `-${keyof typeof orderFields}`)[];

type Sort = (typeof sorts)[number];

export const keywordListFields = {
  favorites: booleanParameter('Whether to list only favorites.').optional(),
  sort: z
    .enum(sorts)
    .meta({
      description:
        'What the rows are ordered by, from the lowest value; a leading - is from the highest. rank: current_rank, so that rank 1 is first. delta: see there, so that -delta has the biggest gain first. Rows whose value is null come last in either direction; equal ones are ordered by keyword, then keyword_id. Without sort: favorites first, then by keyword.',
      examples: ['-traffic'],
    })
    .optional(),
  search: z
    .string()
    .max(maxSearchLength)
    .meta({
      description:
        'Part of the keyword, matched literally in any letter case, apart from invisible characters. Empty: all keywords.',
      examples: ['habit'],
    })
    .optional(),
  min_traffic: scoreParameter(
    'Only keywords with at least this traffic_score. One whose score is null is left out, also at 0.',
  ).optional(),
  max_difficulty: scoreParameter(
    'Only keywords with at most this difficulty_score. One whose score is null is left out, also at 100.',
  ).optional(),
  // Neither has a default in the schema: the handler must know whether one was sent, which turns paging on.
  page: integerParameter(
    { description: 'Page number, from 1. Turns paging on; 1 when only per_page is sent.', examples: [1] },
    shapes.maxPage,
  ).optional(),
  per_page: integerParameter(
    {
      description: `Rows per page, at most ${maxRows}. Turns paging on; ${defaultPerPage} when only page is sent.`,
      examples: [50],
    },
    maxRows,
  ).optional(),
};

type Query = z.output<z.ZodObject<typeof keywordListFields>>;

export function keywordListMeta<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.union([
    shapes.paginationMeta.extend(shape),
    z.object({
      total: shapes.count.meta({ description: 'Number of keywords.' }),
      has_more: z.boolean().meta({ description: 'Whether there are more keywords than the list holds.' }),
      ...shape,
    }),
  ]);
}

/** What tracking is asked, and the totals of the answer. Sending page or per_page turns paging on. */
export function resolveKeywordList(query: Query) {
  const isPaged = query.page !== undefined || query.per_page !== undefined;
  const page = query.page ?? 1;
  const perPage = query.per_page ?? (isPaged ? defaultPerPage : maxRows);
  return {
    asked: {
      favorites_only: query.favorites ?? false,
      page,
      per_page: perPage,
      order: query.sort && toOrder(query.sort),
      search: query.search || undefined,
      min_traffic: query.min_traffic,
      max_difficulty: query.max_difficulty,
    },
    toMeta: (total: number) =>
      isPaged
        ? shapes.toPaginationMeta(total, { page, per_page: perPage })
        : { total, has_more: total > maxRows },
  };
}

function toOrder(sort: Sort): KeywordOrder {
  const descending = sort.startsWith('-');
  const field = (descending ? sort.slice(1) : sort) as keyof typeof orderFields;
  return { field: orderFields[field], descending };
}
