import {
  TermListQuery_Field as Field,
  type KeptPages,
  type KeptTerm,
  type TermListQuery,
} from '@shelfwise/proto/scoring/v1/scoring';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { z } from 'zod';
import { integerParameterWithDefault } from '../route/fields.ts';
import { keywordListFields } from '../route/keyword-list.ts';
import { isStale, resultCount } from '../shapes/ages.ts';
import * as shapes from '../shapes/shapes.ts';

/** What lists of terms with kept result pages share: how they are narrowed, ordered and paged, and what their rows say. */

/** What such a list is made from, for its description. */
export const seenPages =
  'It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too.';

export const keptTerm = {
  keyword: shapes.keyword,
  keyword_id: shapes.keywordId
    .nullable()
    .meta({ description: 'Keyword id; null while is_tracked is false.', examples: [7] }),
  traffic_score: shapes.measuredScore('How much it is searched for'),
  is_partial: shapes.isPartial,
  difficulty_score: shapes.measuredScore('How hard it is to rank'),
  kei: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: 'Keyword effectiveness index, 0 to 100; null when one of the two scores is.',
      examples: [41.5],
    }),
};

export const keptAge = {
  rank_date: shapes.date.meta({
    description:
      'UTC day on which the store was read; for a term that is not tracked, the Monday of that week.',
  }),
  depth: resultCount.max(100).meta({
    description: 'Number of results that were read, at most 100; for a term that is not tracked, at most 20.',
    examples: [20],
  }),
  stale: z.boolean().meta({
    description:
      'Whether the page is old: rank_date is before yesterday (UTC). Of a term that is not tracked: its week ended more than seven days ago.',
    examples: [false],
  }),
};

/** @throws when the row has none */
export function toKeptTerm(term: KeptTerm | null, now: Date) {
  if (term === null) throw new Error('a row in the reply of scoring has no term');
  return {
    scores: {
      keyword: term.keyword,
      keyword_id: term.keyword_id ?? null,
      traffic_score: term.traffic_score ?? null,
      is_partial: term.is_partial,
      difficulty_score: term.difficulty_score ?? null,
      kei: term.kei ?? null,
    },
    age: {
      rank_date: term.rank_date,
      depth: term.depth,
      stale: term.is_tracked ? isStale(term.rank_date, now) : isWeekOver(term.rank_date, now),
    },
    is_tracked: term.is_tracked,
  };
}

/** Whether the week of a Monday (YYYY-MM-DD, UTC) ended more than seven days ago: terms that are not tracked are read weekly. */
function isWeekOver(monday: string, now: Date): boolean {
  return monday <= utcDay(new Date(now.getTime() - 14 * dayMs));
}

export const keptMeta = {
  pages: shapes.count.meta({ description: 'Result pages that this answer was made from.' }),
  oldest_page: shapes.date
    .nullable()
    .meta({ description: 'The oldest rank_date of these pages; null without any.' }),
  unread: shapes.count.meta({
    description:
      'Terms that could not be judged: tracked keywords without a result page, and terms whose page was not read deep enough.',
  }),
  truncated: z.boolean().meta({
    description: 'Whether there are more pages than the 2,000 that were looked at.',
    examples: [false],
  }),
  truncated_by: z
    .literal('traffic')
    .nullable()
    .meta({
      description:
        'Which pages were looked at when there are more: those of the terms with the most traffic. Null: all.',
      examples: ['traffic'],
    }),
};

/** @throws when the reply of scoring does not say it */
export function toKeptMeta(kept: KeptPages | null) {
  if (kept === null) throw new Error('the reply of scoring does not say what it was made from');
  return {
    pages: kept.pages,
    oldest_page: kept.oldest_page ?? null,
    unread: kept.unread,
    truncated: kept.truncated,
    truncated_by: kept.truncated ? ('traffic' as const) : null,
  };
}

const orderFields = {
  keyword: Field.KEYWORD,
  traffic: Field.TRAFFIC,
  difficulty: Field.DIFFICULTY,
  kei: Field.KEI,
  rank: Field.RANK,
  gain: Field.GAIN,
  value: Field.VALUE,
} as const;

type OrderField = keyof typeof orderFields;

const trackedChoices = ['all', 'yes', 'no'] as const;

/**
 * The query parameters of such a list.
 * @param rank what an order by rank is about
 * @param tracked what the parameter of this name says
 */
export function termListFields<const Sort extends OrderField>(options: {
  sorts: readonly Sort[];
  rank: string;
  tracked: string;
}) {
  const sorts = options.sorts.flatMap((name) => [name, `-${name}` as const]);
  return {
    sort: z
      .enum(sorts)
      .meta({
        description: `What the rows are ordered by, from the lowest value; a leading - is from the highest. rank: ${options.rank}. Rows whose value is null come last in either direction; equal ones are ordered by keyword. Without sort: the most valuable first.`,
        examples: ['-traffic'],
      })
      .optional(),
    search: keywordListFields.search,
    max_difficulty: keywordListFields.max_difficulty,
    tracked: z
      .enum(trackedChoices)
      .meta({ description: options.tracked, examples: ['no'], default: 'all' })
      .default('all'),
    page: integerParameterWithDefault('Page number, from 1.', shapes.maxPage, 1),
    per_page: integerParameterWithDefault(
      `Rows per page, at most ${shapes.maxListRows}.`,
      shapes.maxListRows,
      50,
    ),
  };
}

export function toTermListQuery(query: {
  sort?: string | undefined;
  search?: string | undefined;
  min_traffic?: number | undefined;
  max_difficulty?: number | undefined;
  tracked: (typeof trackedChoices)[number];
  page: number;
  per_page: number;
}): TermListQuery {
  const { sort = '', tracked } = query;
  const descending = sort.startsWith('-');
  const field = (descending ? sort.slice(1) : sort) as OrderField | '';
  return {
    order: field === '' ? Field.UNSPECIFIED : orderFields[field],
    descending,
    search: query.search || undefined,
    min_traffic: query.min_traffic,
    max_difficulty: query.max_difficulty,
    is_tracked: tracked === 'all' ? undefined : tracked === 'yes',
    page: query.page,
    per_page: query.per_page,
  };
}
