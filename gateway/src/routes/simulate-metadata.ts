import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import type { DraftContext } from '@shelfwise/proto/scoring/v1/scoring';
import { invalidParams } from '@shelfwise/runtime/errors';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { tieredAxisScores, toTieredAxisScores } from './common/axis-scores.ts';
import { hasText, keptDraftFields, toDraft } from './common/draft-fields.ts';
import { appNotTracked, capReached } from './common/error-sentences.ts';
import { idField, isSoldIn, marketFields, soldInOptions, wholeNumber } from './common/fields.ts';
import { flag, toFlag } from './common/health-report.ts';
import * as shapes from './common/shapes.ts';
import { axisDeltas, runId, scoredDraft, toAxisDeltas, toScoredDraft } from './common/simulation-run.ts';
import { staleMeta, staleSince, toStaleMeta } from './common/stale-data.ts';
import { findTrackedListing, toTrackedApp, trackedApp } from './common/tracked-app.ts';
import { simulateMetadataExample } from './examples/simulate-metadata-example.ts';

const marketKeys = ['store', 'country', 'lang'] as const;

const contextField = z
  .strictObject({
    rating: z.number().min(0).max(5).nullable().optional().meta({ description: '0 to 5; null: unrated.' }),
    rating_count: wholeNumber(1e10).min(0).optional().meta({ description: 'How many ratings.' }),
    screenshots: wholeNumber(100)
      .min(0)
      .optional()
      .meta({ description: 'How many screenshots.', examples: [6] }),
    days_since_update: wholeNumber(3650)
      .min(0)
      .optional()
      .meta({ description: 'Whole days.', examples: [12] }),
    age_months: wholeNumber(600)
      .min(0)
      .nullable()
      .optional()
      .meta({ description: 'Months since it came out; null: not known.', examples: [40] }),
    has_video: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it has a video.', examples: [false] }),
    language_count: wholeNumber(500)
      .min(1)
      .optional()
      .meta({ description: 'Languages that it is written in.', examples: [3] }),
  })
  .meta({
    description:
      'What is scored beside the texts. A key that is left out is the app’s own; without an app that of an unpublished listing.',
    examples: [{ rating: 4.6, rating_count: 1200 }],
  });

const draft = z
  .strictObject({
    app_id: idField(
      'Internal app id. What the draft leaves out is filled from its live listing, and delta is measured against it.',
    ).optional(),
    store: marketFields.store.optional(),
    country: marketFields.country.optional(),
    lang: marketFields.lang.optional(),
    ...keptDraftFields,
    context: contextField.optional(),
  })
  .refine(isSoldIn, soldInOptions)
  .superRefine(requireMarket, { when: isObject })
  .superRefine(refuseBroken, { when: isObject })
  .refine((body) => body.app_id !== undefined || hasText(body), {
    error: 'must have at least one of app_id, title, subtitle, description and kw_field',
    when: isObject,
  });

type DraftBody = z.output<typeof draft>;

/** What `requireMarket` has made sure of. */
const market = z.object(marketFields);

export const simulateMetadata = defineRoute({
  method: 'post',
  path: '/api/v1/metadata/simulate',
  operationId: 'simulateMetadata',
  summary: 'Score a draft of a listing',
  description:
    'Scores a draft and compares it with the app’s stored score. With app_id the market is the app’s own; without it store, country and lang are required and nothing is compared. Words that nobody has measured yet are read from the store: a few seconds. What could not be read in time is left out, and notes say so; when nothing could be, it is STORE_FETCH_FAILED. The run is kept, one row per distinct draft.',
  cost: 1,
  deadlineMs: 35_000,
  params: z.object({}),
  query: z.object({}),
  body: draft,
  data: z.object({
    app: trackedApp.nullable().meta({ description: 'Null for a draft from scratch.' }),
    store: shapes.store,
    country: shapes.country,
    lang: shapes.lang,
    listing: scoredDraft,
    aso_health: tieredAxisScores.meta({ description: 'Scores of the draft.' }),
    delta: axisDeltas,
    flags: z.array(flag).meta({ description: 'What to improve.' }),
    words_probed: shapes.count.meta({ description: 'How many words were weighed.' }),
    words_fetched: shapes.count.meta({
      description: 'How many of them were read from the store for the first time.',
    }),
    saved: z
      .object({
        id: runId,
        is_new: z.boolean().meta({ description: 'false: this draft was run before.' }),
      })
      .meta({ description: 'Where the run is kept.' }),
    notes: z.array(z.string()).meta({
      description: 'What did not stop the run: problems with the request, words that could not be read.',
      examples: [['kw_field was ignored: Google Play has no keywords field.']],
    }),
  }),
  meta: staleMeta,
  example: simulateMetadataExample,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: capReached('metadata_simulations'),
    STORE_FETCH_FAILED: 'No word of the draft could be read from the store in time. Try again in a minute.',
  },
  async handler({ account, body, clients, countUse, call, now }) {
    const wanted = body.app_id === undefined ? null : { account_id: account.id, id: body.app_id };
    const listing = wanted && (await findTrackedListing(clients, wanted, call));
    const app = listing && toTrackedApp(listing);
    const storefront = marketOf(body, app);
    const request = {
      account_id: account.id,
      app: listing,
      storefront,
      draft: toDraft(body),
      context: toContext(body.context ?? {}),
    };
    return countUse('metadata_simulations', async () => {
      const reply = await clients.scoring.simulateListing(request, call);
      return {
        data: {
          app,
          ...storefront,
          listing: toScoredDraft(reply.listing),
          aso_health: toTieredAxisScores(reply.aso_health),
          delta: toAxisDeltas(reply.delta),
          flags: reply.flags.map(toFlag),
          words_probed: reply.words_probed,
          words_fetched: reply.words_fetched,
          saved: { id: reply.run_id, is_new: reply.is_new },
          notes: reply.notes,
        },
        meta: toStaleMeta(reply.stale_since, listing && staleSince(listing, now)),
      };
    });
  },
});

/** Looked at whatever else is wrong, so that an answer names every wrong field. */
function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireMarket(body: object, context: z.core.$RefinementCtx): void {
  if ('app_id' in body) return;
  for (const key of marketKeys)
    if (!(key in body))
      context.addIssue({ code: 'custom', path: [key], message: 'is required without an app_id' });
}

/** A draft is kept, and shown again as it was sent. */
function refuseBroken(body: object, context: z.core.$RefinementCtx): void {
  for (const [key, text] of Object.entries(toDraft(body)))
    if (typeof text === 'string' && hasInvalidCharacters(text))
      context.addIssue({ code: 'custom', path: [key], message: 'must not hold NUL or broken Unicode' });
}

/** @throws INVALID_PARAMS when a market was sent that is not the app's own */
function marketOf(body: DraftBody, app: Storefront | null): Storefront {
  if (app === null) return market.parse(body);
  const differing = marketKeys.filter((key) => body[key] !== undefined && body[key] !== app[key]);
  if (differing.length > 0)
    throw invalidParams(
      Object.fromEntries(differing.map((key) => [key, `must be the app's own: ${app[key]}`])),
    );
  return { store: app.store, country: app.country, lang: app.lang };
}

/** A key that was not sent stays absent; one that was sent as null is a null. */
function toContext(sent: NonNullable<DraftBody['context']>): DraftContext {
  const toNumber = (value: number | null | undefined) => (value === undefined ? null : { value });
  return {
    rating: toNumber(sent.rating),
    rating_count: toNumber(sent.rating_count),
    screenshots: toNumber(sent.screenshots),
    days_since_update: toNumber(sent.days_since_update),
    age_months: toNumber(sent.age_months),
    has_video: sent.has_video,
    language_count: toNumber(sent.language_count),
  };
}
