import { nameObjects } from './name-schemas.ts';
import type { Schema } from './openapi-types.ts';

const object = (fields: Record<string, Schema>): Schema => ({ type: 'object', properties: fields });
const text: Schema = { type: 'string' };
const number: Schema = { type: 'integer', minimum: 1, maximum: 100, examples: [3] };

function name(schema: Schema) {
  const named: Record<string, Schema> = {};
  return { type: nameObjects(schema, 'Row', named), named };
}

test('an object inside another has a name that says where it is, and a reader of it loses nothing but limits', () => {
  const { type, named } = name(
    object({ app_id: number, ahead: { anyOf: [object({ title: text }), { type: 'null' }] } }),
  );
  expect(type).toEqual({ $ref: '#/components/schemas/Row' });
  expect(named).toEqual({
    Row: object({
      app_id: { type: 'integer' },
      ahead: { anyOf: [{ $ref: '#/components/schemas/RowAhead' }, { type: 'null' }] },
    }),
    RowAhead: object({ title: text }),
  });
});

test('one object of several is named after the field that the others do not have', () => {
  const { named } = name({
    anyOf: [object({ keyword: text, success: text }), object({ keyword: text, error: text })],
  });
  expect(Object.keys(named)).toEqual(['RowSuccess', 'RowError']);
});

test('objects in lists and by key have names, too', () => {
  const { named } = name(
    object({
      days: { type: 'array', items: object({ date: text }) },
      values: { type: 'object', additionalProperties: object({ score: number }) },
    }),
  );
  expect(Object.keys(named)).toEqual(['Row', 'RowDays', 'RowValuesValue']);
});

test('a default becomes a part of the description', () => {
  const { named } = name(object({ page: { ...number, description: 'The page.', default: 1 } }));
  expect(named.Row?.properties?.page).toEqual({ type: 'integer', description: 'The page. Default: 1.' });
});

test('two objects of one name are refused', () => {
  expect(() => name(object({ a_b: object({ x: text }), aB: object({ y: text }) }))).toThrow(
    'two objects would be RowAB',
  );
});
