import { checkOwnStorefront } from '@shelfwise/facts/checks/check-own-storefront';
import { type Storefront, storefrontOf } from '@shelfwise/facts/stores/storefront';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import type { DraftContext } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import type { CountUse } from '../limits/count-use.ts';
import { fieldWithWords, flag, toFieldWithWords, toFlag } from './answers/aso-report.ts';
import { draftMeta, enoughWords, findStaleSince, toDraftMeta } from './answers/listing-warnings.ts';
import {
  axisDeltas,
  deltaBasis,
  deltaBounds,
  runId,
  scoredDraft,
  scoringVersion,
  toAxisDeltas,
  toDeltaBasis,
  toDeltaBounds,
  toScoredDraft,
} from './answers/simulation-run.ts';
import { findTrackedListing, toTrackedApp, trackedApp } from './answers/tracked-app.ts';
import { defineRoute } from './route/define-route.ts';
import { hasText, savedDraftFields, toDraft } from './route/draft-fields.ts';
import { appNotTracked, toCapReachedExample } from './route/error-examples.ts';
import { idField, inStorefront, storefrontFields, wholeNumber } from './route/fields.ts';
import { shownTime } from './shapes/ages.ts';
import { tieredAxisScores, toTieredAxisScores } from './shapes/axis-scores.ts';
import * as shapes from './shapes/shapes.ts';

const storefrontKeys = ['store', 'country', 'lang'] as const;

const contextField = z
  .strictObject({
    rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .optional()
      .meta({ description: 'Average rating, 0 to 5; null: unrated.' }),
    rating_count: wholeNumber(1e10).min(0).optional().meta({ description: 'Number of ratings.' }),
    screenshots: wholeNumber(100)
      .min(0)
      .optional()
      .meta({ description: 'Number of screenshots.', examples: [6] }),
    days_since_update: wholeNumber(3650)
      .min(0)
      .optional()
      .meta({ description: 'Whole days since the latest update.', examples: [12] }),
    age_months: wholeNumber(600)
      .min(0)
      .nullable()
      .optional()
      .meta({ description: 'Months since the first release; null: unknown.', examples: [40] }),
    has_video: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the listing has a video.', examples: [false] }),
    language_count: wholeNumber(500)
      .min(1)
      .optional()
      .meta({ description: 'Number of languages of the listing.', examples: [3] }),
  })
  .meta({
    description:
      'What is scored besides the texts. An omitted key takes the app’s own value; without an app, that of an unpublished listing.',
    examples: [{ rating: 4.6, rating_count: 1200 }],
  });

const draft = inStorefront(
  z.strictObject({
    app_id: idField(
      'Id of the application in Shelfwise. Texts that the draft omits are taken from its live listing, and delta compares the draft with it.',
    ).optional(),
    store: storefrontFields.store.optional(),
    country: storefrontFields.country.optional(),
    lang: storefrontFields.lang.optional(),
    ...savedDraftFields,
    context: contextField.optional(),
    include_words: z
      .boolean()
      .optional()
      .meta({
        description: 'Whether fields lists the words of the draft; they are saved with the run.',
        examples: [true],
      }),
  }),
)
  .superRefine(requireStorefront, { when: isObject })
  .superRefine(refuseInvalidCharacters, { when: isObject })
  .refine((body) => body.app_id !== undefined || hasText(body), {
    error: 'must have at least one of app_id, title, subtitle, description and kw_field',
    when: isObject,
  });

type DraftBody = z.output<typeof draft>;

/** Required here: `requireStorefront` has checked that a draft without an app has all three. */
const storefrontSchema = z.object(storefrontFields);

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'simulateListing'>;
  countUse: CountUse;
};

export const simulateMetadata = defineRoute({
  method: 'post',
  path: '/api/v1/metadata/simulate',
  operationId: 'simulateMetadata',
  tag: 'Metadata',
  summary: 'Score a draft of a listing',
  description:
    'Scores a draft and compares it with the app’s listing. With app_id, store, country and lang are the app’s own; without it, they are required and nothing is compared. A kept keywords field counts as that of the app; if only the draft has one, it is compared with the listing and an empty field (delta_basis). Words that have not been measured yet are read from the store, which takes a few seconds. Words that cannot be read in time are left out and counted in notes; when too few are left, the scores are null, and when nothing is known of any word, the answer is STORE_FETCH_FAILED. Phrases that are not read do not keep a draft from being compared: delta_bounds says what they could change. include_words adds the words of every field, which is long, and saves them with the run. The run is saved, one row per distinct draft.',
  cost: 1,
  services: ['tracking', 'scoring'],
  deadlineMs: 35_000,
  body: draft,
  sample: { body: { app_id: 1, subtitle: 'Routine Planner: Goals & Mood' } },
  data: z.object({
    app: trackedApp.nullable().meta({ description: 'The application; null for a draft without an app.' }),
    ...shapes.storefront,
    listing: scoredDraft,
    aso_health: tieredAxisScores
      .nullable()
      .meta({ description: `Scores of the draft; null when fewer than ${enoughWords} could be read.` }),
    delta: axisDeltas,
    delta_bounds: deltaBounds,
    delta_basis: deltaBasis,
    fields: z.array(fieldWithWords).nullable().meta({
      description:
        'The fields of the draft with all their words; null without include_words, and when aso_health is null.',
    }),
    flags: z.array(flag).meta({ description: 'What to improve.' }),
    scoring_version: scoringVersion,
    words_probed: shapes.count.meta({ description: 'Number of words that were assessed.' }),
    words_fetched: shapes.count.meta({
      description: 'Number of these words that were read from the store for the first time.',
    }),
    saved: z
      .object({
        id: runId,
        is_new: z.boolean().meta({ description: 'Whether the draft is new; false: it was run before.' }),
      })
      .meta({ description: 'The saved run.' }),
    notes: z.array(z.string()).meta({
      description:
        'Problems that did not stop the run: with the request, words that could not be read, and why a delta is null.',
      examples: [['kw_field was ignored: Google Play has no keywords field.']],
    }),
  }),
  meta: draftMeta,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: toCapReachedExample('metadata_simulations'),
    STORE_FETCH_FAILED: 'No word of the draft could be read from the store in time. Try again in a minute.',
  },
  async handler(deps: Deps, { account, body, call, now }) {
    const tracked = body.app_id === undefined ? null : { account_id: account.id, id: body.app_id };
    const includeWords = body.include_words ?? false;
    const listing = tracked && (await findTrackedListing(deps, tracked, call));
    const app = listing && toTrackedApp(listing);
    const storefront = resolveStorefront(body, app);
    const request = {
      account_id: account.id,
      app: listing,
      storefront,
      draft: toDraft(body),
      context: toContext(body.context ?? {}),
      include_words: includeWords,
    };
    return deps.countUse('metadata_simulations', async () => {
      const reply = await deps.scoring.simulateListing(request, call);
      return {
        data: {
          app,
          ...storefront,
          listing: toScoredDraft(reply.listing),
          aso_health: reply.aso_health && toTieredAxisScores(reply.aso_health),
          delta: toAxisDeltas(reply.delta),
          delta_bounds: toDeltaBounds(reply.delta_bounds),
          delta_basis: toDeltaBasis(reply.delta_basis),
          fields: includeWords && reply.aso_health ? reply.fields.map(toFieldWithWords) : null,
          flags: reply.flags.map(toFlag),
          scoring_version: reply.scoring_version,
          words_probed: reply.words_probed,
          words_fetched: reply.words_fetched,
          saved: { id: reply.run_id, is_new: reply.is_new },
          notes: reply.notes,
        },
        meta: toDraftMeta(
          [shownTime(reply.stale_since, { isTracked: false }), listing && findStaleSince(listing, now)],
          reply.aso_health === null,
        ),
      };
    });
  },
});

/** Checked even when other fields are wrong, so that an answer names every wrong field. */
function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireStorefront(body: object, context: z.core.$RefinementCtx): void {
  if ('app_id' in body) return;
  for (const key of storefrontKeys)
    if (!(key in body))
      context.addIssue({ code: 'custom', path: [key], message: 'is required without an app_id' });
}

/** A saved draft is shown again exactly as it was sent, so its texts must be storable without a change. */
function refuseInvalidCharacters(body: object, context: z.core.$RefinementCtx): void {
  for (const [key, text] of Object.entries(toDraft(body)))
    if (typeof text === 'string' && hasInvalidCharacters(text))
      context.addIssue({ code: 'custom', path: [key], message: 'must not contain NUL or broken Unicode' });
}

/** The app's storefront, or that of the body for a draft without an app. @throws INVALID_PARAMS when both differ */
function resolveStorefront(body: DraftBody, app: Storefront | null): Storefront {
  if (app === null) return storefrontSchema.parse(body);
  checkOwnStorefront(body, app);
  return storefrontOf(app);
}

/** Preserves the difference between an omitted key (no message) and a null (a message without a value). */
function toContext(sent: NonNullable<DraftBody['context']>): DraftContext {
  const toNullableNumber = (value: number | null | undefined) => (value === undefined ? null : { value });
  return {
    rating: toNullableNumber(sent.rating),
    rating_count: toNullableNumber(sent.rating_count),
    screenshots: toNullableNumber(sent.screenshots),
    days_since_update: toNullableNumber(sent.days_since_update),
    age_months: toNullableNumber(sent.age_months),
    has_video: sent.has_video,
    language_count: toNullableNumber(sent.language_count),
  };
}
