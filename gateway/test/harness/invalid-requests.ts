import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { type SampleRequest, toSampleRequest } from '../../../testing/sample-request.ts';
import type { Route } from '../../src/routes/common/define-route.ts';

/** With exactly the fields that the answer must name. */
export type InvalidRequest = SampleRequest & { fields: string[] };

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, or a value that breaks it
type Json = any;
type Fields = Record<string, Json>;

const ajv = new Ajv2020({ strict: false });
ajv.addFormat('date', (text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false);

/**
 * Invalid requests of a route: its sample with one wrong field, derived from the schemas that the document shows, and
 * with `alwaysRefused` values. The last one is wrong in several fields.
 */
export function invalidRequestsOf(route: Route): InvalidRequest[] {
  const { params = {}, query = {}, body = {} } = route.sample as Record<string, Fields>;
  const send = (changes: object) => toSampleRequest(route, changes);
  const inParams = wrongTexts(route.params, '').map(([name, text]) => ({
    ...send({ params: { ...params, [name]: text } }),
    fields: [name],
  }));
  const inQuery = [
    ...wrongTexts(route.query).map(([name, text]) => ({
      ...send({ query: { ...query, [name]: text } }),
      fields: [name],
    })),
    ...requiredOf(route.query).map((name) => ({ ...send({ query: without(query, name) }), fields: [name] })),
    ...Object.keys(route.query.shape).flatMap((name) =>
      wrongSpellings(name, send({ query: without(query, name) })),
    ),
    ...wrongCountries(route.query, query).map((wrong) => ({
      ...send({ query: wrong }),
      fields: ['country'],
    })),
  ];
  const inBody = route.body
    ? wrongBodies(route.body, body).map(([wrong, fields]) => ({ ...send({ body: wrong }), fields }))
    : [];
  const all = [...inParams, ...inQuery, ...inBody];
  const names = [...new Set([...inParams, ...inQuery].flatMap(({ fields }) => fields))];
  return names.length < 2 ? all : [...all, { ...everythingWrong(route, params, query), fields: names }];
}

/** Texts of which the document says that at least one is wrong for any parameter. */
const texts = [
  '',
  ' ',
  'x',
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '9007199254740993',
  'TRUE',
  'itunes',
  'a b',
  '\0',
];
texts.push('1000001', 'english', 'USA', 'x'.repeat(256), 'lost \ufffd', 'yesterday', '20260101', '2026-1-1');
texts.push('1969-12-31', '2026-02-30', '2026-01-01T00:00:00Z');

/** Values of which the document says that at least one is wrong for any field of a body. */
const values: Json[] = [
  ...texts,
  'x'.repeat(20_001),
  null,
  true,
  0,
  -1,
  0.5,
  1.5,
  5.1,
  4096,
  1e10 + 1,
  1e300,
  [],
  {},
];
values.push(
  ['x'],
  [{}],
  [5],
  { $gt: '' },
  { surprise: 1 },
  JSON.parse('{"__proto__": 1}'),
  Array(21).fill('habit'),
);

const invisible = ['\u200b\u200d', '\u2060\u2060', '\ufeff\u200b\u200b'];
const brokenTerms = [' ', ' a ', 'a\u0000b', 'broken \ufffd'];

/** Texts that a field refuses for reasons that a JSON schema cannot express, by the field's name. */
const alwaysRefused: Readonly<Record<string, readonly string[]>> = {
  country: ['XX'],
  lang: ['qq-ZZ', 'und', 'und-US'],
  keyword: [...brokenTerms, ...invisible, 'a', '😀', 'a'.repeat(101)],
  topic: [...brokenTerms, ...invisible, 'a', '😀', 'a'.repeat(101)],
  prefix: [' ', 'a\u0000b', ...invisible, '\u200b', 'a'.repeat(61)],
  keywords: [...brokenTerms, 'a', '😀', 'a'.repeat(101), 'broken \ud800'],
  category: ['NOPE', 'PRODUCTIVITY', 'OVERALL\n'],
};

function wrongTexts(fields: z.ZodObject, ...except: string[]): [name: string, text: string][] {
  return Object.entries(propertiesOf(fields)).flatMap(([name, schema]) => {
    const wrong = texts.filter((text) => !ajv.validate(schema, toDocumented(schema, text)));
    return [...wrong, ...(alwaysRefused[name] ?? [])]
      .filter((text) => !except.includes(text))
      .map((text): [string, string] => [name, text]);
  });
}

/** A parameter is a text; the document describes what it stands for. */
function toDocumented({ type }: Json, text: string): unknown {
  if (type === 'integer' && /^\d{1,16}$/.test(text)) return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}

/** A parameter sent twice, with brackets, and in bytes that are no text. */
function wrongSpellings(name: string, { path }: SampleRequest): InvalidRequest[] {
  const start = path.includes('?') ? `${path}&` : `${path}?`;
  return [
    `${name}=1&${name}=1`,
    `${name}[$gt]=`,
    `${name}[]=habit`,
    `${'a&'.repeat(2000)}${name}=%ff&${name}=1`,
  ].map((search) => ({ path: `${start}${search}`, fields: [name] }));
}

/** Google Play does not exist in Afghanistan. */
function wrongCountries(schema: z.ZodType, fields: Fields): Fields[] {
  const { store, country } = propertiesOf(schema);
  return store && country ? [{ ...fields, store: 'GPLAY', country: 'AF' }] : [];
}

function wrongBodies(schema: z.ZodType, body: Fields): [body: Json, fields: string[]][] {
  const required = requiredOf(schema);
  const single = Object.entries(propertiesOf(schema)).flatMap(([name, field]) =>
    [
      ...[...values, ...wrongInside(field)].filter((value) => !ajv.validate(field, value)),
      ...(alwaysRefused[name] ?? []).map((text) => (field.type === 'array' ? [text] : text)),
    ].map((value): [Json, string[]] => [{ ...body, [name]: value }, [name]]),
  );
  const unknown = ['surprise', 'constructor', '__proto__'].map((name): [Json, string[]] => [
    Object.fromEntries([...Object.entries(body), [name, 1]]),
    [name],
  ]);
  const names = Object.keys(body);
  const allWrong = Object.fromEntries([...names, 'surprise'].map((name) => [name, { $gt: '' }]));
  return [
    ...single,
    ...unknown,
    ...required.map((name): [Json, string[]] => [without(body, name), [name]]),
    ...wrongCountries(schema, body).map((wrong): [Json, string[]] => [wrong, ['country']]),
    [allWrong, [...names, 'surprise']],
  ];
}

/** Objects with one wrong key. */
function wrongInside(field: Json): Json[] {
  return Object.keys(field.properties ?? {}).flatMap((key) => values.map((value) => ({ [key]: value })));
}

function everythingWrong(route: Route, params: Fields, query: Fields): SampleRequest {
  const toWrong = (fields: Fields, shape: object) =>
    Object.fromEntries(Object.keys({ ...fields, ...shape }).map((name) => [name, '\0']));
  return toSampleRequest(route, {
    params: toWrong(params, route.params.shape),
    query: toWrong(query, route.query.shape),
  });
}

function toJson(schema: z.ZodType): { properties?: Fields; required?: string[] } {
  return z.toJSONSchema(schema, { io: 'input' }) as Json;
}
const propertiesOf = (schema: z.ZodType): Fields => toJson(schema).properties ?? {};
const requiredOf = (schema: z.ZodType): string[] => toJson(schema).required ?? [];

function without(fields: Fields, name: string): Fields {
  const { [name]: _, ...others } = fields;
  return others;
}
