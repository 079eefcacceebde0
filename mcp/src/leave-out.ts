import type { JsonSchema } from './api/operation.ts';

/**
 * A copy of an answer without some fields. A path is like `data[].icon`; where it leads nowhere, nothing changes.
 */
export function leaveOut<Value>(value: Value, paths: readonly string[]): Value {
  return paths.reduce<unknown>((rest, path) => removeValue(rest, toSteps(path)), value) as Value;
}

/** The schema of an answer without these fields. @throws when it has no such field, which is an error of the tool */
export function leaveOutOfSchema(schema: JsonSchema, paths: readonly string[]): JsonSchema {
  return paths.reduce((rest, path) => {
    const { schema: without, count } = removeField(rest, toSteps(path));
    if (count === 0) throw new Error(`the answer has no ${path}`);
    return without;
  }, schema);
}

/** 'data[].icon' -> data, [], icon */
function toSteps(path: string): string[] {
  return path.split('.').flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), '[]'] : [step]));
}

function removeValue(value: unknown, [step = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return step === '[]' ? value.map((item) => removeValue(item, rest)) : value;
  if (typeof value !== 'object' || value === null || !(step in value)) return value;
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...value, [step]: removeValue(inner, rest) };
}

type Removal = { schema: JsonSchema; count: number };

function removeField(schema: JsonSchema, steps: readonly string[]): Removal {
  if (schema.anyOf) {
    const options = schema.anyOf.map((option) => removeField(option, steps));
    const anyOf = options.map((option) => option.schema);
    return { schema: { ...schema, anyOf }, count: sum(options.map(({ count }) => count)) };
  }
  const [step = '', ...rest] = steps;
  if (step === '[]') {
    if (!schema.items) return { schema, count: 0 };
    const items = removeField(schema.items, rest);
    return { schema: { ...schema, items: items.schema }, count: items.count };
  }
  const field = schema.properties?.[step];
  if (!field) return { schema, count: 0 };
  const { [step]: _, ...others } = schema.properties ?? {};
  if (rest.length === 0) {
    const required = (schema.required ?? []).filter((name) => name !== step);
    return { schema: { ...schema, properties: others, required }, count: 1 };
  }
  const inner = removeField(field, rest);
  return {
    schema: { ...schema, properties: { ...schema.properties, [step]: inner.schema } },
    count: inner.count,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
