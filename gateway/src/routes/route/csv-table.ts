import { z } from 'zod';
import type { CsvValue } from '../../http/csv.ts';
import { booleanParameter } from './fields.ts';

/** The parameters of every endpoint that has CSV, in addition to its own. */
export const csvParameters = {
  bom: booleanParameter(
    'true: a CSV begins with a byte order mark, so that Excel reads it as UTF-8. JSON has none.',
  ).optional(),
};

/** How the data of an endpoint is written as CSV. */
export type CsvTable<Data> = {
  /** The names of the columns; those of the fields of an object are dotted: `ahead.title`. */
  columns: readonly string[];
  /** The values of each row, in the order of the columns. */
  readRows(data: Data): Iterable<CsvValue[]>;
};

/**
 * The columns are the fields of the row's schema, in their order, so that a new field is a new column. A field of a nested
 * object is a column, a list of texts one cell; a list of objects is left out.
 * @throws Error for a field that is none of these
 */
export function csvTable<Row extends z.ZodObject, Data>(
  row: Row,
  toRows: (data: Data) => Iterable<z.output<Row>>,
): CsvTable<Data> {
  const paths = findPaths(z.toJSONSchema(row, { io: 'output' }) as Schema, []);
  return {
    columns: paths.map((path) => path.join('.')),
    *readRows(data) {
      for (const one of toRows(data)) yield paths.map((path) => readValue(one, path));
    },
  };
}

/** A list whose rows are the rows of the CSV. */
export function csvOfList<Row extends z.ZodObject>(row: Row): CsvTable<z.output<Row>[]> {
  return csvTable(row, (data) => data);
}

type Schema = {
  /** A list, with `null`, for a nullable field. */
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

type Path = readonly string[];

const scalarTypes = ['string', 'number', 'integer', 'boolean'];

function findPaths(schema: Schema, path: Path): Path[] {
  const { properties = {}, items, anyOf } = schema;
  const [type = ''] = [schema.type ?? []].flat().filter((one) => one !== 'null');
  const [only, ...others] = (anyOf ?? []).filter((one) => one.type !== 'null');
  if (only && others.length === 0) return findPaths(only, path);
  if (type === 'object')
    return Object.entries(properties).flatMap(([name, field]) => findPaths(field, [...path, name]));
  if (type === 'array' && items?.type === 'object') return [];
  if (scalarTypes.includes(type) || (type === 'array' && items?.type === 'string')) return [path];
  throw new Error(`the field ${path.join('.')} has no form in CSV`);
}

/** Undefined below an object that is null or absent. */
function readValue(row: unknown, path: Path): CsvValue {
  let value = row;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value as CsvValue;
}
