import type { ListingChange, RankEffect } from '@shelfwise/proto/tracking/v1/tracking';
import { utcDay } from '@shelfwise/runtime/day';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { findPredictions, type Predictions } from './answers/predictions.ts';
import { runId } from './answers/simulation-run.ts';
import { readVisibility, type Visibility, visibilityAround } from './answers/visibility-around.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked, beyondPlan } from './route/error-examples.ts';
import { booleanParameter, idParameter, integerParameterWithDefault } from './route/fields.ts';
import { historyMeta, historyQuery, resolveHistoryWindow, toOldestDay } from './route/history-window.ts';
import * as shapes from './shapes/shapes.ts';

const maxPageRows = 50;
/** Texts of a page may be long, and each effect reads ranks of many days. */
const usualPageRows = 10;

const words = (description: string) => z.array(z.string()).meta({ description, examples: [['habit']] });

const fieldChange = z.object({
  field: z.enum(['title', 'subtitle', 'description', 'version']).meta({
    description: 'Which text it is; on Google Play the subtitle is the short description.',
    examples: ['title'],
  }),
  before: z.string().meta({ description: 'The text before the change.', examples: ['Habit Tracker'] }),
  after: z.string().meta({ description: 'The text from this day on.', examples: ['Habit Planner'] }),
  words_added: words('Words that came into this text, in normal form, each once.'),
  words_removed: words('Words that left this text.'),
});

const medianRank = (when: string) =>
  z
    .number()
    .min(1)
    .max(101)
    .nullable()
    .meta({
      description: `Median rank ${when}, over days and over the keywords that were read on 80 % of them on either side; not ranked counts 101. Null: there are under three such keywords, or there is nothing to compare.`,
      examples: [14.5],
    });

const controlGroup = z.object({
  keywords: z
    .int()
    .min(0)
    .max(20)
    .meta({
      description: 'Number of these keywords; of more, the first 20 of the list of keywords are compared.',
      examples: [12],
    }),
  rank_before: medianRank('before the change'),
  rank_after: medianRank('after the change'),
});

const group = controlGroup.extend({
  moved: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether the ranks moved after the change otherwise than those of the control, beyond chance: by more than in 95 % of 1,000 permutations of the days, and of 1,000 permutations of the keywords between group and control. It does not say that the change was the cause. Null: not known; to tell, group and control need seven keywords together.',
      examples: [true],
    }),
});

const visibility = (when: string) =>
  z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: `Median visibility ${when}, 0 to 100; null when it is not known for 80 % of these days with the basket of the day of the change.`,
      examples: [61.8],
    });

const effect = z.object({
  days: z.literal([7, 14, 28]).meta({
    description: 'How many days before and after the change are compared, without its own day.',
    examples: [7],
  }),
  added: group.meta({
    description:
      'Tracked keywords with a word that came into the texts that the store’s search reads. Function words (for, the) do not count, and forms of a word (habit, habits) are one.',
  }),
  removed: group.meta({ description: 'Tracked keywords with a word that left these texts.' }),
  control: controlGroup.meta({ description: 'Tracked keywords with neither.' }),
  visibility_before: visibility('before the change'),
  visibility_after: visibility('after the change'),
  other_changes: z
    .array(z.string())
    .max(50)
    .meta({
      description:
        'Ids of other changes of the application within these days, or on the day itself, the newest first. What moved may have followed any of them.',
      examples: [['42:9']],
    }),
});

const change = z.object({
  id: z.string().meta({ description: 'Id of the change.', examples: ['42:7'] }),
  app: z
    .object({
      app_id: shapes.storeIdentifier,
      title: shapes.title,
      is_own: z
        .boolean()
        .meta({ description: 'Whether it is the application itself, not a competitor.', examples: [true] }),
    })
    .meta({ description: 'Whose listing it is, with its title of today.' }),
  date: shapes.date.meta({ description: 'The UTC day on which the change was read.' }),
  version: z
    .string()
    .nullable()
    .meta({
      description: 'Version of the app from this day on; null when it is not known.',
      examples: ['2.1'],
    }),
  fields: z
    .array(fieldChange)
    .max(4)
    .meta({ description: 'The texts that changed; empty: only pictures did.' }),
  screenshots: z
    .object({
      added: shapes.count.meta({ description: 'New screenshots.', examples: [2] }),
      removed: shapes.count.meta({ description: 'Screenshots that are gone.', examples: [1] }),
    })
    .nullable()
    .meta({ description: 'How the screenshots changed; null: not compared, as before they were recorded.' }),
  icon_changed: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether the icon is another one; null: not compared, or not known. The App Store gives the icon of each build another address, whether or not the picture is the same.',
      examples: [false],
    }),
  rating_before: shapes.rating.meta({
    description: 'Average rating in the reading before; null: not known.',
  }),
  rating_after: shapes.rating.meta({ description: 'Average rating in this reading; null: not known.' }),
  simulation_id: runId.nullable().meta({
    description:
      'The account’s saved simulation of these texts, run before the change and against the listing before it; null: there is none, or it is a competitor.',
  }),
  predicted_delta: z
    .int()
    .min(-100)
    .max(100)
    .nullable()
    .meta({
      description: 'Change of the overall score that this simulation predicted; null: none, or not known.',
      examples: [5],
    }),
  effect: z.array(effect).max(3).nullable().meta({
    description:
      'How ranks and visibility moved after a change of the application: for 7, 14 and 28 days, as soon as they have passed. Null: 7 days have not passed, it is a competitor, or effects=false.',
  }),
});

type Change = z.output<typeof change>;

/** One row per change and text; a change of pictures alone has one row without a text. */
const csvRow = change.omit({ fields: true, effect: true }).extend(fieldChange.partial().shape);

type Deps = {
  tracking: Pick<Clients['tracking'], 'listChanges'>;
  scoring: Pick<Clients['scoring'], 'getScoreHistory' | 'findSimulations'>;
};

export const listChanges = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/changes',
  operationId: 'listChanges',
  tag: 'Applications',
  summary: 'List changes of an application’s listing and what followed',
  description:
    'Changes of title, subtitle, description, version and pictures, as daily readings found them, newest first: of the application, and with competitors=true of its competitors. A text that was not known before is no change. For each own change the tracked keywords with a word that came or went are compared with the others. What moved after a change was not necessarily caused by it. The newest 1,000 changes of a window of at most 400 days are listed. As CSV, each changed text has a row, and no effect is computed.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object({
    competitors: booleanParameter('Whether to add the changes of the competitors.').optional(),
    effects: booleanParameter('false: without effect, which is then null and costs no time.').optional(),
    ...historyQuery,
    page: integerParameterWithDefault('Page number, from 1.', shapes.maxPage, 1),
    per_page: integerParameterWithDefault(
      `Changes per page, at most ${maxPageRows}.`,
      maxPageRows,
      usualPageRows,
    ),
  }),
  sample: { params: { id: 1 }, query: { competitors: true } },
  data: z.array(change).max(maxPageRows),
  csv: csvTable(csvRow, toCsvRows),
  meta: shapes.paginationMeta.extend({
    ...historyMeta,
    truncated: z.boolean().meta({
      description:
        'Whether the window has more changes than the newest 1,000 that were looked at, those of ratings apart: narrow it to see the others.',
      examples: [false],
    }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: beyondPlan,
  },
  async handler(deps: Deps, { account, plan, params, query, call, now, isCsv }) {
    const { from, to } = resolveHistoryWindow(query, { plan, now });
    const { page, per_page: perPage } = query;
    const oldestDay = toOldestDay({ plan, now });
    const { changes, total, truncated } = await deps.tracking.listChanges(
      {
        account_id: account.id,
        app_id: params.id,
        competitors: query.competitors ?? false,
        from,
        to,
        page,
        per_page: perPage,
        oldest_day: oldestDay,
        effects: !isCsv && (query.effects ?? true),
      },
      call,
    );
    const compared = changes.filter(({ effects }) => effects.length > 0).map(({ date }) => date);
    const [visible, predictions] = await Promise.all([
      readVisibility(deps, params.id, { days: compared, oldestDay, today: utcDay(now) }, call),
      findPredictions(deps, { account_id: account.id, app_id: params.id }, changes, call),
    ]);
    return {
      data: changes.map((row) => toChange(row, visible, predictions)),
      meta: { ...shapes.toPaginationMeta(total, query), from, to, truncated },
    };
  },
});

function toChange(row: ListingChange, visible: Visibility, predictions: Predictions): Change {
  const { app, effects } = row;
  if (!app) throw new Error('the reply of tracking has no app');
  const prediction = predictions.get(row.id);
  return {
    id: row.id,
    app: { app_id: app.app_id, title: app.title ?? null, is_own: app.is_own },
    date: row.date,
    version: row.version ?? null,
    fields: row.fields.map(({ field, ...texts }) => ({
      field: fieldChange.shape.field.parse(field),
      before: texts.before,
      after: texts.after,
      words_added: texts.words_added,
      words_removed: texts.words_removed,
    })),
    screenshots: row.screenshots && { added: row.screenshots.added, removed: row.screenshots.removed },
    icon_changed: row.icon_changed ?? null,
    rating_before: row.rating_before ?? null,
    rating_after: row.rating_after ?? null,
    simulation_id: prediction?.id ?? null,
    predicted_delta: prediction?.delta ?? null,
    effect:
      effects.length === 0
        ? null
        : effects.map(({ days, added, removed, control, other_changes: others }) => ({
            days: effect.shape.days.parse(days),
            added: { ...toControl(added), moved: added?.moved ?? null },
            removed: { ...toControl(removed), moved: removed?.moved ?? null },
            control: toControl(control),
            ...visibilityAround(visible, row.date, days),
            other_changes: others,
          })),
  };
}

/** @throws when the reply has no such group */
function toControl(ranks: RankEffect | null): z.output<typeof controlGroup> {
  if (ranks === null) throw new Error('the reply of tracking has an effect without ranks');
  return {
    keywords: ranks.keywords,
    rank_before: ranks.rank_before ?? null,
    rank_after: ranks.rank_after ?? null,
  };
}

function* toCsvRows(changes: readonly Change[]): Generator<z.output<typeof csvRow>> {
  for (const { fields, effect: _, ...row } of changes) {
    if (fields.length === 0) yield row;
    for (const field of fields) yield { ...row, ...field };
  }
}
