import type { ComparedListing, ListingVisibility } from '@shelfwise/proto/scoring/v1/scoring';
import type { CompetedApp, CompetitorRelation } from '@shelfwise/proto/tracking/v1/tracking';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStore, toStorefront } from './answers/from-proto.ts';
import { findStaleSince, staleFields, toStaleFields } from './answers/listing-warnings.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { isStale, rankAge } from './shapes/ages.ts';
import { listingFields, toListingFields, unlistedSince } from './shapes/listing-fields.ts';
import * as shapes from './shapes/shapes.ts';

const visibility = (what: string) =>
  z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: `Visibility of ${what} in searches for the application’s terms, 0 to 100; null while too few of their result pages have been read, and when there are fewer than five terms that name no brand. ${shapes.firstDayNote}`,
      examples: [61.8],
    });

const competedApp = z.object({
  id: shapes.internalId,
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  icon: shapes.icon,
  store: shapes.store,
});

const competitorApp = z.object({
  id: shapes.internalId,
  ...listingFields,
  store: shapes.store,
  unlisted_since: unlistedSince,
});

const relation = z.object({
  id: shapes.relationId,
  app: competedApp.meta({ description: 'The application that the competitor competes with.' }),
  competitor: competitorApp.meta({ description: 'The competitor, with its store listing.' }),
  app_score: visibility('the application'),
  competitor_score: visibility('the competitor'),
  snapshot_date: shapes.date.nullable().meta({
    description:
      'UTC day of the result pages that both scores come from: an earlier day until one has been read today; null while none has been read.',
  }),
  rank_date: rankAge.rank_date
    .nullable()
    .meta({ description: 'The same as snapshot_date; when it is null, stale is true.' }),
  stale: rankAge.stale,
});

/** A new column comes last, so that the positions of the others stay. */
const relationRow = relation.extend({
  competitor: competitorApp.omit({ unlisted_since: true }),
  'competitor.unlisted_since': unlistedSince,
});

function toRelationRow(row: z.output<typeof relation>): z.output<typeof relationRow> {
  return { ...row, 'competitor.unlisted_since': row.competitor.unlisted_since };
}

type Deps = {
  tracking: Pick<Clients['tracking'], 'listCompetitors'>;
  scoring: Pick<Clients['scoring'], 'compareVisibility'>;
};

export const listCompetitors = defineRoute({
  method: 'get',
  path: '/api/v1/competitors',
  operationId: 'listCompetitors',
  tag: 'Competitors',
  summary: 'List competitors',
  description:
    'Newest first, at most 1,000; use app_id to get older ones. Both scores of a row use the same terms and result pages, so they can be compared.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 35_000,
  query: z.object({
    app_id: idParameter('Only competitors of the application with this id in Shelfwise.').optional(),
  }),
  data: z.array(relation).max(shapes.maxListRows),
  csv: csvTable(relationRow, (relations: z.output<typeof relation>[]) => relations.map(toRelationRow)),
  meta: shapes.truncatedListMeta.extend(staleFields),
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: Deps, { account, query, call, now }) {
    const request = { account_id: account.id, app_id: query.app_id };
    const { relations, total } = await deps.tracking.listCompetitors(request, call);
    const pairs = relations.map(toPair);
    const scores = await compare(deps, pairs, call);
    const listings = relations.flatMap(({ app, competitor }) => [app, competitor]);
    const moments = listings.map((listing) => listing && findStaleSince(listing, now));
    return {
      data: pairs.map((pair) => toRelation(pair, scores, now)),
      meta: { ...shapes.toTruncatedListMeta(total, pairs.length), ...toStaleFields(moments) },
    };
  },
});

type Pair = { id: number; app: CompetedApp; competitor: z.output<typeof competitorApp> };

/** @throws when the app or the competitor is missing */
function toPair({ id, app, competitor }: CompetitorRelation): Pair {
  if (app === null || competitor === null)
    throw new Error('the reply of tracking has an incomplete relation');
  const { store } = toStorefront(competitor.storefront);
  return {
    id,
    app,
    competitor: {
      id: competitor.id,
      ...toListingFields(competitor.listing),
      store,
      unlisted_since: competitor.unlisted_since?.toISOString() ?? null,
    },
  };
}

/**
 * By internal app id: the visibility of the app, and of each competitor by store identifier, and the day of the result
 * pages. Null: no result page has been read.
 */
type Scores = ReadonlyMap<
  number,
  { appScore: number | null; competitorScores: ReadonlyMap<string, number | null>; day: string | null }
>;

/**
 * One call for all pairs. When scoring is unavailable, the list fails: nulls would claim that no page has been read.
 */
async function compare(
  { scoring }: Pick<Deps, 'scoring'>,
  pairs: readonly Pair[],
  call: CallOptions,
): Promise<Scores> {
  if (pairs.length === 0) return new Map();
  const { listings } = await scoring.compareVisibility({ listings: toCompared(pairs) }, call);
  return new Map(listings.map((listing) => [listing.id, toScores(listing)]));
}

function toCompared(pairs: readonly Pair[]): ComparedListing[] {
  const competitors = new Map<number, string[]>();
  for (const { app, competitor } of pairs) {
    const ids = competitors.get(app.id);
    if (ids) ids.push(competitor.app_id);
    else competitors.set(app.id, [competitor.app_id]);
  }
  return [...competitors].map(([id, competitorAppIds]) => ({ id, competitor_app_ids: competitorAppIds }));
}

function toScores({ score, competitors, day }: ListingVisibility) {
  const byApp = competitors.map((app): [string, number | null] => [app.app_id, app.score ?? null]);
  return { appScore: score ?? null, competitorScores: new Map(byApp), day: day ?? null };
}

/** @throws when the reply of scoring has no entry for a requested score; a null is an entry */
function toRelation({ id, app, competitor }: Pair, scores: Scores, now: Date): z.output<typeof relation> {
  const compared = scores.get(app.id);
  const competitorScore = compared?.competitorScores.get(competitor.app_id);
  if (compared === undefined || competitorScore === undefined)
    throw new Error(`the reply of scoring has no scores of relation ${id}`);
  return {
    id,
    app: {
      id: app.id,
      app_id: app.app_id,
      title: app.title ?? null,
      icon: app.icon ?? null,
      store: toStore(app.store),
    },
    competitor,
    app_score: compared.appScore,
    competitor_score: competitorScore,
    snapshot_date: compared.day,
    rank_date: compared.day,
    stale: isStale(compared.day, now),
  };
}
