import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { endpoints } from '../api/endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Column, formatTable } from '../print/format-table.ts';
import { type Flag, formatFlags } from '../print/print-flags.ts';
import { printWarnings, toDay } from '../print/print-warnings.ts';
import { scoreNote } from '../print/rank-columns.ts';
import { type CommandRun, defineCommand, toQuery } from './define-command.ts';

type Word = {
  name: string;
  traffic: number | null;
  difficulty: number | null;
  counts: number | null;
  status: string;
};

type Field = {
  label: string;
  hint: string | null;
  score: number | null;
  state: string;
  length: number | null;
  limit: number;
  words?: Word[];
};

type Term = {
  name: string;
  field: string;
  traffic: number | null;
  difficulty: number | null;
  relevance: number | null;
  verdict: string;
};

type Report = {
  global: number;
  tier_label: string;
  computed_at: string;
  axes: { key: string; score: number }[];
  fields: Field[];
  targeting: { keywords: Term[] };
  flags: Flag[];
};

type Pending = {
  words: number | null;
  words_read: number | null;
  next_look_at: string | null;
  fields: Field[];
};

type AsoHealth = {
  app: { title: string | null; app_id: string; unlisted_since: string | null };
  report: Report | null;
  pending: Pending | null;
};

/** What a score of a field that is null means. */
const stateNotes: Readonly<Record<string, string>> = {
  missing: 'the store never shows it',
  empty: 'blank in the store',
};

const fieldColumns: Column<Field>[] = [
  { title: 'field', value: (row) => row.label },
  {
    title: 'score',
    value: (row) => row.score,
    note: (row) =>
      row.score === null
        ? (stateNotes[row.state] ?? 'not indexed by the store, or too few of its words are read')
        : null,
  },
  { title: 'length', value: (row) => row.length },
  { title: 'limit', value: (row) => row.limit },
];

const termColumns: Column<Term>[] = [
  { title: 'term', value: (row) => row.name, isLong: true },
  { title: 'field', value: (row) => row.field },
  { title: 'traffic', value: (row) => row.traffic, note: (row) => scoreNote(row.traffic) },
  { title: 'difficulty', value: (row) => row.difficulty, note: (row) => scoreNote(row.difficulty) },
  {
    title: 'relevance',
    value: (row) => row.relevance,
    note: (row) => (row.relevance === null ? 'its page is not read' : null),
  },
  { title: 'verdict', value: (row) => row.verdict },
];

/** Stop words, such as “that”, are never measured. */
function wordNote({ status }: Word, value: number | null): string | null {
  return value === null && status === 'not-searched' ? 'not measured: a stop word' : scoreNote(value);
}

const wordColumns: Column<Word & { field: string }>[] = [
  { title: 'word', value: (row) => row.name, isLong: true },
  { title: 'field', value: (row) => row.field },
  { title: 'traffic', value: (row) => row.traffic, note: (row) => wordNote(row, row.traffic) },
  { title: 'difficulty', value: (row) => row.difficulty, note: (row) => wordNote(row, row.difficulty) },
  {
    title: 'counts',
    value: (row) => row.counts,
    note: (row) => (row.counts === null ? 'not known yet' : null),
  },
  { title: 'status', value: (row) => row.status },
];

const options = {
  words: { parameter: 'include_words', text: 'also every word of each field' },
} as const;

/** Shows the audit of a listing. */
export const audit = defineCommand({
  name: 'audit',
  summary: 'Show the audit of a listing: scores, terms and what to improve',
  words: ['APP'],
  endpoint: endpoints.getAsoHealth,
  options,
  details: 'Spends one API request.',
  example: 'audit 1',
  async run(run, values, [app = '']) {
    const { text, data, meta } = await run.api.call<AsoHealth>(endpoints.getAsoHealth, {
      params: { id: app },
      query: toQuery(options, values),
    });
    if (run.format === 'json') {
      await run.printJson(text);
      return exitCodes.ok;
    }
    await run.print(data.report ? formatReport(data, data.report, run) : formatPending(data, run));
    printWarnings(run, meta);
    return exitCodes.ok;
  },
});

function formatReport({ app }: AsoHealth, report: Report, { width }: CommandRun): string {
  const axes = report.axes.map(({ key, score }) => `${key} ${score}`).join(', ');
  const words = wordsOf(report.fields);
  return [
    `${describeApp(app)}: ${report.global} of 100 (${axes}); ${report.tier_label}; computed on ${toDay(report.computed_at)}`,
    formatFields(report.fields, width),
    ...(words.length > 0 ? [formatTable(wordColumns, words, width)] : []),
    report.targeting.keywords.length > 0
      ? formatTable(termColumns, report.targeting.keywords, width)
      : 'No searched term of the listing is known.',
    formatFlags(report.flags),
  ].join('\n\n');
}

/** Hints are sentences: in a column they would make each row wider than a terminal. */
function formatFields(fields: readonly Field[], width: number | null): string {
  const hints = fields.flatMap(({ label, hint }) => (hint === null ? [] : [`${label}: ${hint}`]));
  const table = formatTable(fieldColumns, fields, width);
  return hints.length === 0 ? table : `${table}\n\n${hints.map(toPrintableLine).join('\n')}`;
}

function formatPending({ app, pending }: AsoHealth, { width }: CommandRun): string {
  const head = `${describeApp(app)}: – (there is no audit yet; that is not a score of 0)`;
  if (pending === null) return head;
  const { words, words_read: read, next_look_at: nextLookAt } = pending;
  const progress =
    words === null || read === null
      ? 'How many words are read is not known'
      : `${read} of ${words} words are read`;
  const next =
    nextLookAt === null ? '' : `; unread ones are looked at again until ${nextLookAt.slice(0, 16)}Z`;
  return [`${head}\n${progress}${next}.`, formatFields(pending.fields, width)].join('\n\n');
}

function describeApp({ title, app_id: id, unlisted_since: since }: AsoHealth['app']): string {
  const name = toPrintableLine(title ?? id);
  return since === null ? name : `${name} (not in the store since ${toDay(since)})`;
}

function wordsOf(fields: readonly Field[]): (Word & { field: string })[] {
  return fields.flatMap(({ label, words = [] }) => words.map((word) => ({ ...word, field: label })));
}
