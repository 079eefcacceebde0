import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { contentSchemas, type LanguagePack, type SampleContent } from './content-schema.ts';
import { type WrittenLanguage, writtenLanguages } from './written-language.ts';

/** services/store-fetch/sample, as far from this file in src as in dist. */
export const contentFolder = join(import.meta.dirname, '../../../sample');

/** Files of topics. Their order and that of their topics decide who gets a name first. */
const topicFiles = [
  'money',
  'photo-video',
  'productivity',
  'utilities',
  'health',
  'home-life',
  'travel-weather',
  'learning',
  'media',
  'games',
];

let content: SampleContent | undefined;

/**
 * What the catalog is made of: topics, languages, names, countries and words. The files, which never change, are read at
 * the first call.
 */
export function sampleContent(): SampleContent {
  content ??= readContent(contentFolder);
  return content;
}

/**
 * Reads and checks all files of a folder.
 * @throws when a file is missing or differs from its schema; the message names the file and the fields
 */
export function readContent(folder: string): SampleContent {
  const read = <Schema extends z.ZodType>(file: string, schema: Schema) =>
    readChecked(join(folder, `${file}.json`), schema);
  const packs = writtenLanguages.map((language): [WrittenLanguage, LanguagePack] => [
    language,
    { ...read(`languages/${language}`, contentSchemas.languagePack), language },
  ]);
  return {
    topics: topicFiles.flatMap((name) => read(`topics/${name}`, contentSchemas.topics)),
    languages: Object.fromEntries(packs) as Record<WrittenLanguage, LanguagePack>,
    brands: read('brands', contentSchemas.brands),
    countries: read('countries', contentSchemas.countries),
    words: read('words', contentSchemas.words),
  };
}

function readChecked<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  const { success, data, error } = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (success) return data;
  const problems = error.issues.map(({ path: field, message }) =>
    field.length === 0 ? message : `${field.join('.')}: ${message}`,
  );
  throw new Error(`${path} differs from its schema: ${problems.join('; ')}`);
}
