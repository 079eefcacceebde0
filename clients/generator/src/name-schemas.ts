import type { Schema } from './openapi-types.ts';

/**
 * What says nothing to a program that reads an answer. The API may be newer than the client, so fields may be added. A `format`
 * would make some generators parse texts.
 */
const dropped = [
  'additionalProperties',
  'default',
  'example',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
  'propertyNames',
  'uniqueItems',
];

/** ListKeywords of listKeywords, AppId of app_id, Itunes of ITUNES: generators keep such names. */
export function toPascal(name: string): string {
  const text = name === name.toUpperCase() ? name.toLowerCase() : name;
  return text.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Moves every object of a schema into `named`, because generators number objects without a name, and a number changes with
 * each new endpoint. The name says where the object is: `ListKeywordsRowAhead`.
 * @throws Error when two objects would have one name
 */
export function nameObjects(schema: Schema, name: string, named: Record<string, Schema>): Schema {
  const own = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !dropped.includes(keyword)),
  ) as Schema;
  const { properties, items, anyOf } = schema;
  if (properties) {
    if (named[name]) throw new Error(`two objects would be ${name}`);
    const object: Schema = { ...own };
    // First, so that a type comes before those inside it.
    named[name] = object;
    object.properties = Object.fromEntries(
      Object.entries(properties).map(([field, one]) => [
        field,
        nameObjects(explainDefault(one), name + toPascal(field), named),
      ]),
    );
    return { $ref: `#/components/schemas/${name}` };
  }
  if (items) return { ...own, items: nameObjects(items, name, named) };
  if (anyOf)
    return { ...own, anyOf: anyOf.map((one) => nameObjects(one, name + toDifference(one, anyOf), named)) };
  if (typeof schema.additionalProperties === 'object')
    return { ...own, additionalProperties: nameObjects(schema.additionalProperties, `${name}Value`, named) };
  return own;
}

/** An object among others is named after the first field that they do not have. */
function toDifference({ properties }: Schema, all: readonly Schema[]): string {
  const objects = all.filter((one) => one.properties);
  if (!properties || objects.length < 2) return '';
  const others = objects.filter((one) => one.properties !== properties);
  const difference = Object.keys(properties).find((field) => !others.some((one) => one.properties?.[field]));
  if (difference === undefined) throw new Error(`no field tells ${Object.keys(properties)} from the others`);
  return toPascal(difference);
}

/** A client sends only what its caller says, so a default is a fact about the API. */
function explainDefault(schema: Schema): Schema {
  if (schema.default === undefined) return schema;
  return { ...schema, description: `${schema.description} Default: ${schema.default}.` };
}
