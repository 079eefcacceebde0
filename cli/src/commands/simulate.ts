import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { endpoints } from '../api/endpoints.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Column, formatTable } from '../print/format-table.ts';
import { type Flag, formatFlags } from '../print/print-flags.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { defineCommand } from './define-command.ts';
import { draftOptions, readDraft } from './draft-options.ts';
import { storefrontOptions } from './storefront-options.ts';

const axes = ['global', 'coverage', 'targeting', 'appeal'] as const;
type Axis = (typeof axes)[number];

type Simulated = {
  app: { title: string | null; app_id: string } | null;
  aso_health: (Record<Axis, number> & { tier_label: string }) | null;
  delta: Record<Axis, number | null> | null;
  flags: Flag[];
  saved: { id: number; is_new: boolean };
  notes: string[];
};

/** One of the scores. `delta`: against the listing of the app. */
type AxisRow = { axis: Axis; score: number | null; delta: number | null; hasApp: boolean };

const columns: Column<AxisRow>[] = [
  { title: 'axis', value: (row) => row.axis },
  {
    title: 'draft',
    value: (row) => row.score,
    note: (row) => (row.score === null ? 'too few words could be read' : null),
  },
  {
    title: 'change',
    value: (row) => row.delta,
    note(row) {
      if (row.delta !== null) return null;
      return row.hasApp ? 'see the notes below' : 'there is no app to compare with';
    },
  },
];

const options = {
  app: { value: 'APP', text: 'the app: texts that are left out are those of its listing' },
  ...storefrontOptions,
  ...draftOptions,
  context: {
    value: 'KEY=VALUE',
    isMultiple: true,
    text: 'what else is scored, such as rating=4.6, screenshots=6 or has_video=true',
  },
} as const;

/** Scores a draft. */
export const simulate = defineCommand({
  name: 'simulate',
  summary: 'Score a draft of a listing and compare it with the app',
  words: [],
  endpoint: endpoints.simulateMetadata,
  options,
  details:
    'Without --app, --store, --country and --lang are needed. Spends one API request, and takes some seconds when words are read for the first time. The run is saved.',
  example: "simulate --app 1 --subtitle 'Routine Planner: Goals & Mood'",
  async run(run, values) {
    const { app, store, country, lang, context } = values;
    const draft = await readDraft(values, run);
    const body = {
      app_id: app === undefined ? undefined : toNumber(app),
      store,
      country,
      lang,
      ...draft,
      context: context && readContext(context),
    };
    const { text, data, meta } = await run.api.call<Simulated>(endpoints.simulateMetadata, { body });
    if (run.format === 'json') {
      await run.printJson(text);
      return exitCodes.ok;
    }
    await run.print(format(data, run.width));
    printWarnings(run, meta);
    return exitCodes.ok;
  },
});

/** What is no number is sent as it is: the API says what would be right. */
function toNumber(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Values as JSON has them; other texts stay texts. @throws CliError */
function readContext(given: readonly string[]): Record<string, unknown> {
  const pairs = given.map((pair) => {
    const [, key, value] = /^(\w+)=(.+)$/s.exec(pair) ?? [];
    if (key !== undefined && value !== undefined) return [key, readValue(value)] as const;
    throw new CliError(exitCodes.usage, '--context must be KEY=VALUE, such as rating=4.6.');
  });
  return Object.fromEntries(pairs);
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function format(simulated: Simulated, width: number | null): string {
  const { app, aso_health: scores, delta, flags, saved, notes } = simulated;
  const rows = axes.map((axis) => ({
    axis,
    score: scores?.[axis] ?? null,
    delta: delta?.[axis] ?? null,
    hasApp: app !== null,
  }));
  const name = app === null ? 'A draft without an app' : `A draft for ${app.title ?? app.app_id}`;
  const run = `saved as run ${saved.id}${saved.is_new ? '' : ', which it was before'}`;
  return [
    `${toPrintableLine(name)}, ${run}`,
    formatTable(columns, rows, width),
    ...(notes.length > 0 ? [notes.map(toPrintableLine).join('\n')] : []),
    formatFlags(flags),
  ].join('\n\n');
}
