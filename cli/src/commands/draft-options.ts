import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandRun, Values } from './define-command.ts';
import { readText } from './read-input.ts';

/** The texts of a draft. */
export const draftOptions = {
  title: { value: 'TEXT', text: 'name of the app' },
  subtitle: { value: 'TEXT', text: 'subtitle; on Google Play the short description' },
  description: { value: 'TEXT', text: 'description' },
  'description-file': { value: 'FILE', text: 'read the description from a file; -: from stdin' },
  'kw-field': { value: 'TEXT', text: 'keywords field; App Store only' },
} as const;

type Draft = Partial<Record<'title' | 'subtitle' | 'description' | 'kw_field', string>>;

/** The texts that were given. A line break at the end of a file does not count. @throws CliError */
export async function readDraft(values: Values<typeof draftOptions>, run: CommandRun): Promise<Draft> {
  const { title, subtitle, description, 'description-file': file, 'kw-field': kwField } = values;
  if (description !== undefined && file !== undefined)
    throw new CliError(exitCodes.usage, 'Give --description or --description-file, not both.');
  const draft: Draft = {};
  if (title !== undefined) draft.title = title;
  if (subtitle !== undefined) draft.subtitle = subtitle;
  if (description !== undefined) draft.description = description;
  if (file !== undefined) draft.description = (await readText(file, run)).replace(/\r?\n$/, '');
  if (kwField !== undefined) draft.kw_field = kwField;
  return draft;
}
