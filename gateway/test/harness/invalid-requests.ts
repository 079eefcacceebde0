import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { type SampleRequest, toSampleRequest } from '../../../testing/sample-request.ts';
import type { Route } from '../../src/routes/route/define-route.ts';

/** With exactly the fields that the answer must name. */
export type InvalidRequest = SampleRequest & { fields: string[] };

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas, and values that break them
type Json = any;
type Fields = Record<string, Json>;

/** The parameters or the body of a request, and the names of its wrong fields. */
type Wrong = [sent: Fields, fields: string[]];

/**
 * Invalid requests of a route, derived from the schemas of the document and from `alwaysRefused`: its sample with a wrong
 * field, and with every field wrong.
 */
export function invalidRequestsOf(route: Route): InvalidRequest[] {
  const { params = {}, query = {}, body = {} } = route.sample as Record<string, Fields>;
  const inParams = wrongParameters(route.params, params).filter(
    ([sent]) => !Object.values(sent).includes(''),
  );
  const inQuery = wrongParameters(route.query, query);
  const inBody = route.body ? wrongBodies(route.body, body) : [];
  return [
    ...inParams.map(([sent, fields]) => ({ ...toSampleRequest(route, { params: sent }), fields })),
    ...[...inQuery, ...withoutRequired(route.query, query), ...withWrongCountry(route.query, query)].map(
      ([sent, fields]) => ({ ...toSampleRequest(route, { query: sent }), fields }),
    ),
    ...Object.keys(route.query.shape).flatMap((name) => {
      const { path } = toSampleRequest(route, { query: without(query, name) });
      return wrongSearches(name).map((search) => ({
        path: `${path}${path.includes('?') ? '&' : '?'}${search}`,
        fields: [name],
      }));
    }),
    ...inBody.map(([sent, fields]) => ({ ...toSampleRequest(route, { body: sent }), fields })),
    ...everythingWrong(route, inParams, inQuery),
  ];
}

/** For every parameter the document forbids some of these. */
const texts = ['', ' ', 'x', 'a b', '\0', 'lost \ufffd', 'TRUE', 'itunes', 'english', 'USA', 'x'.repeat(256)];
texts.push('0', '-1', '1.5', '1e3', '0x10', '1000001', '9007199254740993', '9'.repeat(20));
texts.push('yesterday', '20260101', '2026-1-1', '1969-12-31', '2026-02-30', '2026-01-01T00:00:00Z');

/** For every number, switch or object in a body, and most texts, the document forbids some of these. */
const plainValues: Json[] = ['x', null, true, 0, -1, 0.5, 1.5, 5.1, 4096, 1e10 + 1, 1e300, { $gt: '' }];

/** For every field of a body the document forbids some of these. */
const values: Json[] = [...plainValues, '', ' ', 'a b', '\0', 'itunes', 'english', 'USA', 'x'.repeat(20_001)];
values.push([], ['x'], [{}], [5], Array(21).fill('habit'), { surprise: 1 }, JSON.parse('{"__proto__": 1}'));

const invisible = ['\u200b\u200d', '\u2060\u2060', '\ufeff\u200b\u200b'];
const brokenTerms = [' ', ' a ', 'a', '😀', 'a'.repeat(101), 'a\0', 'broken \ufffd'];

/** What a field refuses for reasons that no JSON schema expresses, by the name of the field. */
const alwaysRefused: Readonly<Record<string, readonly string[]>> = {
  country: ['XX'],
  lang: ['qq-ZZ', 'und', 'und-US'],
  keyword: [...brokenTerms, ...invisible],
  topic: [...brokenTerms, ...invisible],
  term: [...brokenTerms, ...invisible],
  prefix: [' ', 'a'.repeat(61), '\0', 'broken \ufffd', '\u200b', ...invisible],
  keywords: [...brokenTerms, ...invisible, 'broken \ud800'],
  category: ['NOPE', 'PRODUCTIVITY', 'OVERALL\n'],
};

const ajv = new Ajv2020({ strict: false });
ajv.addFormat('date', (text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false);

function wrongParameters(schema: z.ZodObject, sample: Fields): Wrong[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    const wrong = texts.filter((text) => !ajv.validate(field, toDocumented(field, text)));
    return [...wrong, ...(alwaysRefused[name] ?? [])].map(
      (text): Wrong => [{ ...sample, [name]: text }, [name]],
    );
  });
}

/** A parameter is sent as text; the document describes the value that it stands for. */
function toDocumented({ type }: Json, text: string): unknown {
  if (type === 'integer' && /^\d{1,16}$/.test(text)) return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}

/** A parameter with brackets or sent twice, also far behind, where a parser with a limit would drop it. */
const wrongSearches = (name: string) => [
  `${name}[$gt]=`,
  `${name}[]=habit`,
  `${name}=1&${name}=1`,
  `${'a&'.repeat(2000)}${name}[]=1`,
];

function wrongBodies(schema: z.ZodType, sample: Fields): Wrong[] {
  const wrongFields = Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    const wrong = [...values, ...wrongObjects(field)].filter((value) => !ajv.validate(field, value));
    const refused = (alwaysRefused[name] ?? []).map((text) => (field.type === 'array' ? [text] : text));
    return [...wrong, ...refused].map((value): Wrong => [{ ...sample, [name]: value }, [name]]);
  });
  const names = [...Object.keys(sample), 'surprise'];
  return [
    ...wrongFields,
    ...withoutRequired(schema, sample),
    ...withWrongCountry(schema, sample),
    ...['surprise', 'constructor', '__proto__'].map(
      (name): Wrong => [
        // A literal would set the prototype instead.
        Object.fromEntries([...Object.entries(sample), [name, 1]]),
        [name],
      ],
    ),
    [Object.fromEntries(names.map((name) => [name, { $gt: '' }])), names],
  ];
}

function wrongObjects(field: Json): Json[] {
  return Object.keys(field.properties ?? {}).flatMap((key) => plainValues.map((value) => ({ [key]: value })));
}

function withoutRequired(schema: z.ZodType, sample: Fields): Wrong[] {
  return (toJsonSchema(schema).required ?? []).map((name) => [without(sample, name), [name]]);
}

/** The App Store exists in Afghanistan, Google Play does not. */
function withWrongCountry(schema: z.ZodType, sample: Fields): Wrong[] {
  const { store, country } = propertiesOf(schema);
  return store && country ? [[{ ...sample, store: 'GPLAY', country: 'AF' }, ['country']]] : [];
}

/** One request in which every parameter has a wrong value; none for a route with fewer than two parameters. */
function everythingWrong(route: Route, inParams: Wrong[], inQuery: Wrong[]): InvalidRequest[] {
  const fields = [...new Set([...inParams, ...inQuery].flatMap(([, names]) => names))];
  const pickWrong = (all: Wrong[]) =>
    Object.fromEntries(all.map(([sent, [name = '']]) => [name, sent[name]]).filter(([, value]) => value));
  const { body } = route.sample;
  const wrong = { params: pickWrong(inParams), query: pickWrong(inQuery), body };
  return fields.length < 2 ? [] : [{ ...toSampleRequest(route, wrong), fields }];
}

function toJsonSchema(schema: z.ZodType): { properties?: Fields; required?: string[] } {
  return z.toJSONSchema(schema, { io: 'input' }) as Json;
}
const propertiesOf = (schema: z.ZodType): Fields => toJsonSchema(schema).properties ?? {};

function without(fields: Fields, name: string): Fields {
  const { [name]: _, ...others } = fields;
  return others;
}
