import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { endpoints } from '../api/endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Column, formatTable } from '../print/format-table.ts';
import { defineCommand } from './define-command.ts';
import { draftOptions, readDraft } from './draft-options.ts';
import { storefrontOptions } from './storefront-options.ts';

type Field = {
  store_field: string;
  length: number;
  limit: number;
  remaining: number;
  indexed: boolean;
  warnings: { level: string; message: string }[];
};

type Checked = { valid: boolean; fields: Field[]; notes: string[] };

const columns: Column<Field>[] = [
  { title: 'field', value: (row) => row.store_field },
  { title: 'length', value: (row) => row.length },
  { title: 'limit', value: (row) => row.limit },
  { title: 'remaining', value: (row) => row.remaining },
  { title: 'indexed', value: (row) => row.indexed },
];

/** Checks a draft against the rules of the store. */
export const check = defineCommand({
  name: 'check',
  summary: 'Check a draft of a listing: lengths, forbidden words, wasted characters',
  words: [],
  endpoint: endpoints.checkMetadata,
  options: { store: storefrontOptions.store, ...draftOptions },
  details: 'Spends one API request. The exit code is 6 when the store would refuse the draft.',
  example: "check --store GPLAY --title 'Best Habit Tracker'",
  async run(run, values) {
    const { store } = values;
    const body = { store, ...(await readDraft(values, run)) };
    const { text, data } = await run.api.call<Checked>(endpoints.checkMetadata, { body });
    if (run.format === 'json') await run.printJson(text);
    else await run.print(format(data, run.width));
    return data.valid ? exitCodes.ok : exitCodes.notAllGood;
  },
});

function format({ valid, fields, notes }: Checked, width: number | null): string {
  const problems = fields.flatMap(({ store_field: name, warnings }) =>
    warnings.map(({ level, message }) => `${level}, ${name}: ${message}`),
  );
  return [
    valid ? 'The store would accept the draft.' : 'The store would refuse the draft.',
    formatTable(columns, fields, width),
    ...[...problems, ...notes].map(toPrintableLine),
  ].join('\n');
}
