import type { Answer, ApiClient, CallOptions } from './api/api-client.ts';
import { ApiError } from './api/api-error.ts';
import type { JsonSchema, Operation } from './api/operation.ts';
import { operations } from './gen/operations.ts';
import { leaveOut, leaveOutOfSchema } from './leave-out.ts';

/** What a call changes in the account: nothing, it adds, it makes another one each time, it changes a setting, or it removes. */
type Effect = 'none' | 'adds' | 'makes' | 'sets' | 'removes';

type Input = Readonly<Record<string, unknown>>;

type Definition = {
  name: string;
  title: string;
  /** For a model: what it gives, when to use it and when another tool, what null means. The cost is added. */
  description: string;
  /** The operationId of the endpoint. */
  operation: string;
  effect: Effect;
  /** Whether a call may read a store, besides what Shelfwise has stored. */
  readsStore: boolean;
  /** Clearer names for parameters: the endpoint's name -> the tool's. */
  names?: Readonly<Record<string, string>>;
  /** Values of parameters that are not given, where the endpoint's own would make a long answer. */
  defaults?: Readonly<Record<string, number>>;
  /** Fields of the answer that no decision needs, as paths: data[].icon. */
  leavesOut?: readonly string[];
  /** More fields to leave out of the answer to these parameters of the endpoint; they are optional in the schema. */
  leavesOutOf?: { paths: readonly string[]; when(given: Input): boolean };
};

export type Tool = Pick<Definition, 'name' | 'title'> & {
  description: string;
  operation: Operation;
  effect: Effect;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** @throws as `ApiClient.call` */
  run(api: ApiClient, input: Input, options: CallOptions): Promise<Answer>;
};

/** One tool as data. Its schemas come from the endpoint that it calls. */
export function defineTool(definition: Definition): Tool {
  const {
    name,
    title,
    effect,
    readsStore,
    names = {},
    defaults = {},
    leavesOut = [],
    leavesOutOf,
  } = definition;
  const operation = operations[definition.operation];
  if (!operation) throw new Error(`the API has no ${definition.operation}`);
  const answer = leaveOutOfSchema(operation.answer, leavesOut);
  return {
    name,
    title,
    effect,
    operation,
    description: `${definition.description} ${describeCost(operation)}`,
    inputSchema: toInputSchema(operation, names, defaults),
    outputSchema: leavesOutOf ? makeOptional(answer, leavesOutOf.paths) : answer,
    annotations: {
      readOnlyHint: effect === 'none',
      destructiveHint: effect === 'removes',
      // To add what is there is refused, and to remove what is gone changes nothing.
      idempotentHint: effect !== 'makes',
      openWorldHint: readsStore,
    },
    async run(api, input, options) {
      const given = toParameters(operation.input, toEndpointNames(input, names));
      for (const own of operation.parameters.path) requireId(names[own] ?? own, given[own]);
      const full = await api.call(operation, { ...defaults, ...given }, options).catch((error: unknown) => {
        throw error instanceof ApiError ? error.withNames(names) : error;
      });
      const paths = leavesOutOf?.when(given) ? [...leavesOut, ...leavesOutOf.paths] : leavesOut;
      return leaveOut(full, paths);
    },
  };
}

function describeCost({ cost }: Operation): string {
  return cost === 1 ? 'Costs 1 API request of the monthly quota.' : 'Costs no API request.';
}

function toInputSchema(
  operation: Operation,
  names: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, number>>,
): JsonSchema {
  const { properties = {}, required = [] } = operation.input;
  const shown = Object.entries(properties).map(([name, schema]) => {
    const withDefault = name in defaults ? setDefault(schema, defaults[name]) : schema;
    return [names[name] ?? name, isId(name, schema) ? toIdSchema(withDefault) : withDefault];
  });
  return {
    ...operation.input,
    properties: Object.fromEntries(shown),
    required: required.map((name) => names[name] ?? name),
  };
}

/** The rest of the description may speak of the endpoint's own default. */
function setDefault(schema: JsonSchema, value: number | undefined): JsonSchema {
  const [firstSentence] = schema.description?.match(/^.*?\.(?= |$)/) ?? [];
  return { ...schema, description: firstSentence ?? '', default: value };
}

/** An id of Shelfwise; the ids of stores are texts. */
function isId(name: string, schema: JsonSchema): boolean {
  return schema.type === 'integer' && (name === 'id' || name.endsWith('_id'));
}

const idPattern = '^[1-9][0-9]{0,14}$';
const largestId = 999_999_999_999_999;

/** Models send ids as numbers or as text. */
function toIdSchema({ description = '', ...number }: JsonSchema): JsonSchema {
  const text = { type: 'string', pattern: idPattern };
  return { description, anyOf: [{ ...number, maximum: largestId }, text] };
}

/**
 * What models mean by their values:
 * - ids in digits are numbers,
 * - a number for a text is its digits,
 * - a null is not given, except where the endpoint has a meaning for it.
 */
function toParameters({ properties = {} }: JsonSchema, given: Input): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => value !== null || acceptsNull(properties[name] ?? {}))
      .map(([name, value]) => [name, toMeant(name, value, properties[name] ?? {})]),
  );
}

function toMeant(name: string, value: unknown, schema: JsonSchema): unknown {
  if (typeof value === 'string' && isId(name, schema) && new RegExp(idPattern).test(value))
    return Number(value);
  if (typeof value === 'number' && schema.type === 'string') return String(value);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && schema.properties ? toParameters(schema, value as Input) : value;
}

/** It becomes a part of the path, where `..` would be another endpoint. */
function requireId(name: string, value: unknown): void {
  const isPlain = typeof value === 'number' || typeof value === 'string';
  if (isPlain && new RegExp(idPattern).test(String(value))) return;
  throw new Error(
    `${name} must be an id of Shelfwise, a whole number: take it from the list tool of its kind.`,
  );
}

function acceptsNull({ type, anyOf = [] }: JsonSchema): boolean {
  return [type].flat().includes('null') || anyOf.some(acceptsNull);
}

function toEndpointNames(input: Input, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const endpointNames = Object.fromEntries(Object.entries(names).map(([own, shown]) => [shown, own]));
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [endpointNames[name] ?? name, value]),
  );
}

function makeOptional(schema: JsonSchema, paths: readonly string[]): JsonSchema {
  const without = leaveOutOfSchema(schema, paths);
  return restoreProperties(without, schema);
}

/** The properties of `full` with what `reduced` requires. */
function restoreProperties(reduced: JsonSchema, full: JsonSchema): JsonSchema {
  const result: JsonSchema = { ...full };
  if (reduced.required) result.required = reduced.required;
  if (full.items) result.items = restoreProperties(reduced.items ?? full.items, full.items);
  if (full.anyOf)
    result.anyOf = full.anyOf.map((one, index) => restoreProperties(reduced.anyOf?.[index] ?? one, one));
  if (full.properties)
    result.properties = Object.fromEntries(
      Object.entries(full.properties).map(([name, one]) => [
        name,
        restoreProperties(reduced.properties?.[name] ?? one, one),
      ]),
    );
  return result;
}
