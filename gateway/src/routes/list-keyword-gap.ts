import type { GapTerm } from '@shelfwise/proto/scoring/v1/scoring';
import type { CompetitorRelation } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import {
  keptAge,
  keptMeta,
  keptTerm,
  seenPages,
  termListFields,
  toKeptMeta,
  toKeptTerm,
  toTermListQuery,
} from './answers/kept-term.ts';
import { findTrackedListing } from './answers/tracked-app.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import {
  booleanParameter,
  idListParameter,
  idParameter,
  integerParameterWithDefault,
  scoreParameter,
} from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

const maxCompetitors = 5;
/** Pages are found by their first 30 apps. */
const deepestRival = 30;

const share = z.number().min(0).max(1).nullable();

const rival = z.object({
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  rank: z
    .int()
    .min(1)
    .max(deepestRival)
    .meta({ description: 'Rank on the page.', examples: [3] }),
});

const shared = {
  ...keptTerm,
  relevance: share.meta({
    description:
      'How much the term is the business of the application, 0 to 1, as in the audit; null while too little is known, or is_partial.',
    examples: [0.62],
  }),
  gain: share.meta({
    description: 'How much of its traffic counts for the application, 0 to 1; null with relevance.',
    examples: [1],
  }),
  own_rank: shapes.rank.meta({
    description: 'Rank of the application; null: not among the first `depth` results.',
  }),
};

const ending = {
  is_tracked: z.boolean().meta({
    description: 'Whether this account tracks the term for the application.',
    examples: [false],
  }),
  ...keptAge,
  value: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: 'kei * gain, one decimal; null when one of them is, so also while is_partial.',
      examples: [41.5],
    }),
};

const gapTerm = z.object({
  ...shared,
  rivals: z
    .array(rival)
    .min(1)
    .max(maxCompetitors)
    .meta({ description: 'The competitors that rank at rival_max_rank or better, the best first.' }),
  ...ending,
});

/** One row per term and competitor. */
const gapRow = z.object({
  ...shared,
  ...ending,
  rival_app_id: rival.shape.app_id,
  rival_title: rival.shape.title,
  rival_rank: rival.shape.rank,
});

const reasons = ['no_competitors', 'no_pages', 'too_shallow', 'no_gap', 'filtered'] as const;

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing' | 'listCompetitors'>;
  scoring: Pick<Clients['scoring'], 'listKeywordGap'>;
};

export const listKeywordGap = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/keyword-gap',
  operationId: 'listKeywordGap',
  tag: 'Applications',
  summary: 'List the terms for which competitors rank and the application does not',
  description: `The terms on whose result page a competitor ranks at rival_max_rank or better, and the application at own_min_rank or worse or not at all. The most valuable comes first: value = kei * gain. ${seenPages}`,
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object({
    competitor_ids: idListParameter(
      `Only these competitors: up to ${maxCompetitors} ids of the list of competitors, separated by commas. Without it: those added last.`,
      maxCompetitors,
    ).optional(),
    rival_max_rank: integerParameterWithDefault(
      'The worst rank at which a competitor counts.',
      deepestRival,
      10,
    ),
    own_min_rank: integerParameterWithDefault(
      'The best rank of the application that makes a gap. A page counts only if it was read deep enough to show that the application ranks no better; others are counted in meta.unread. Pages of terms that the account does not track are 20 deep: with the default of 31 they are left out, also where the application is not on them, unless the store shows no more results; 21 or less includes them.',
      100,
      31,
    ),
    min_traffic: scoreParameter(
      'Only terms with at least this traffic_score. One whose score is null is left out, also at 0.',
      5,
    ).default(5),
    include_brands: booleanParameter(
      'Whether to list terms that name the brand of another developer.',
    ).optional(),
    ...termListFields({
      sorts: ['value', 'traffic', 'difficulty', 'kei', 'gain', 'rank', 'keyword'],
      rank: 'own_rank',
      tracked: 'Only terms that the account tracks for the application (yes) or does not track (no).',
    }),
  }),
  sample: { params: { id: 1 }, query: { own_min_rank: 2, tracked: 'yes' } },
  data: z.array(gapTerm).max(shapes.maxListRows),
  csv: csvTable(gapRow, toGapRows),
  meta: shapes.paginationMeta.extend({
    ...keptMeta,
    reason: z
      .enum(reasons)
      .nullable()
      .meta({
        description:
          'Why nothing is found. no_competitors: the application has none. no_pages: none ranks well enough on a kept page. too_shallow: no page that was read deep enough shows a gap; lower own_min_rank. no_gap: on these pages the application ranks better. filtered: all that was found is left out by min_traffic, max_difficulty, search, tracked or include_brands. Null: there are rows.',
        examples: ['too_shallow'],
      }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    NOT_FOUND: 'This account has no competitor with that id.',
  },
  async handler(deps: Deps, { account, params, query, call, now }) {
    const [listing, { relations }] = await Promise.all([
      // Refuses an application of another account: scoring does not check who tracks it.
      findTrackedListing(deps, { account_id: account.id, id: params.id }, call),
      deps.tracking.listCompetitors({ account_id: account.id, app_id: params.id }, call),
    ]);
    const titles = chooseCompetitors(relations, query.competitor_ids);
    const { terms, total, kept, reason } = await deps.scoring.listKeywordGap(
      {
        account_id: account.id,
        app: listing,
        competitor_app_ids: [...titles.keys()],
        rival_max_rank: query.rival_max_rank,
        own_min_rank: query.own_min_rank,
        include_brands: query.include_brands ?? false,
        query: toTermListQuery(query),
      },
      call,
    );
    return {
      data: terms.map((term) => toGapTerm(term, titles, now)),
      meta: {
        ...shapes.toPaginationMeta(total, query),
        ...toKeptMeta(kept),
        reason: z
          .enum(reasons)
          .nullable()
          .parse(reason ?? null),
      },
    };
  },
});

/** The titles of the chosen competitors by store identifier, or of those added last. @throws NOT_FOUND */
function chooseCompetitors(
  relations: readonly CompetitorRelation[],
  wanted: readonly number[] | undefined,
): Map<string, string | null> {
  const relationOf = new Map(relations.map((relation) => [relation.id, relation]));
  const chosen = wanted?.map((id) => relationOf.get(id)) ?? relations.slice(0, maxCompetitors);
  return new Map(
    chosen.map((relation) => {
      if (!relation) throw new AppError('NOT_FOUND', 'This account has no competitor with that id.');
      const listing = relation.competitor?.listing;
      if (!listing) throw new Error('the reply of tracking has an incomplete relation');
      return [listing.app_id, listing.title ?? null];
    }),
  );
}

function toGapTerm(
  { term, own_rank, rivals, relevance, gain, value }: GapTerm,
  titles: ReadonlyMap<string, string | null>,
  now: Date,
): z.output<typeof gapTerm> {
  const { scores, age, is_tracked } = toKeptTerm(term, now);
  return {
    ...scores,
    relevance: relevance ?? null,
    gain: gain ?? null,
    own_rank: own_rank ?? null,
    rivals: rivals.map(({ app_id, rank }) => ({ app_id, title: titles.get(app_id) ?? null, rank })),
    is_tracked,
    ...age,
    value: value ?? null,
  };
}

function* toGapRows(terms: z.output<typeof gapTerm>[]): Generator<z.output<typeof gapRow>> {
  for (const { rivals, ...term } of terms)
    for (const { app_id, title, rank } of rivals)
      yield { ...term, rival_app_id: app_id, rival_title: title, rival_rank: rank };
}
