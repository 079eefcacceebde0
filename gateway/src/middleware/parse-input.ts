import { AppError, type ErrorDetails } from '@shelfwise/runtime/errors';
import { containsKey } from '@shelfwise/runtime/log/redact-keys';
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { unexpectedFailure } from '../http/gateway-errors.ts';
import type { Route } from '../routes/route/define-route.ts';
import { explainIssue } from './explain-issue.ts';
import { getRequestContext, type Input, type RequestContext } from './request-context.ts';
import { warnOfUnknownParameters } from './unknown-parameters.ts';

/** An answer must stay short: it names at most 20 unknown body fields, each cut to 64 characters. */
const maxNamedUnknown = 20;
const maxNameLength = 64;

type InputSchemas = Pick<Route, 'params' | 'query' | 'body'>;

/**
 * Validates path, query and body against the route's schemas. All problems become one error, which a later step
 * answers.
 */
export function parseInput(route: InputSchemas): RequestHandler {
  return (request, response, next) => {
    const context = getRequestContext(response);
    if (!context.problem) {
      try {
        const { params, query, body } = request;
        Object.assign(context, checkInput(route, { params: { ...params }, query: { ...query }, body }));
      } catch (cause) {
        // A bug in a check must not let a call bypass the rate windows.
        context.problem = unexpectedFailure(cause);
      }
    }
    next();
  };
}

/** Answers the problem that an earlier step detected. */
export const refuseProblem: RequestHandler = (_request, response, next) => {
  const { problem } = getRequestContext(response);
  if (problem) throw problem;
  next();
};

/** The validated parts of a request with its warnings, or INVALID_PARAMS that names every wrong field. */
export function checkInput(
  route: InputSchemas,
  sent: { params: unknown; query: Record<string, unknown>; body: unknown },
): Pick<RequestContext, 'input' | 'warnings' | 'problem'> {
  const params = parsePart(route.params, sent.params);
  const query = parseQuery(route.query, sent.query);
  const body = route.body ? parsePart(route.body, sent.body) : { value: null, issues: [] };
  const issues = [params, query, body].flatMap((part) => part.issues);
  if (issues.length > 0) return { problem: toInvalidParams(issues) };
  return {
    input: { params: params.value, query: query.value, body: body.value } as Input,
    warnings: warnOfUnknownParameters(route.query, sent.query),
  };
}

/** One problem; `field` is null when it concerns the body as a whole. */
type FieldIssue = { field: string | null; problem: string };

function parsePart(schema: z.ZodType, value: unknown): { value: unknown; issues: FieldIssue[] } {
  const parsed = schema.safeParse(value, { error: explainIssue });
  return parsed.success
    ? { value: parsed.data, issues: findKeys(parsed.data) }
    : { value: undefined, issues: parsed.error.issues.flatMap(toFieldIssues) };
}

/**
 * A key that is sent as a value, by mistake, would otherwise appear in answers, in the database and in calls of a
 * store.
 */
function findKeys(fields: unknown): FieldIssue[] {
  if (typeof fields !== 'object' || fields === null) return [];
  const problem = 'must not contain an API key';
  return Object.entries(fields)
    .filter(([, value]) => hasKeyInside(value))
    .map(([field]) => ({ field, problem }));
}

function hasKeyInside(value: unknown): boolean {
  if (typeof value === 'string') return containsKey(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasKeyInside);
}

function toFieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  const [field, ...inside] = issue.path;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, maxNamedUnknown).map((key) => toUnknownIssue(field, key));
  if (field === undefined) return [{ field: null, problem: `The body ${issue.message}` }];
  return [{ field: String(field), problem: `${pathInside(inside)}${issue.message}` }];
}

/** `outer` is the field that contains the unknown key; undefined for a key of the body itself. */
function toUnknownIssue(outer: PropertyKey | undefined, key: string): FieldIssue {
  const name = key.slice(0, maxNameLength);
  const problem = 'is not a field of this endpoint';
  return outer === undefined
    ? { field: name, problem }
    : { field: String(outer), problem: `${name} ${problem}` };
}

/** Where a problem is inside a field, before the message: `item 2 ` of a list, or `rating ` of an object. */
function pathInside([part]: readonly PropertyKey[]): string {
  if (part === undefined) return '';
  return typeof part === 'number' ? `item ${part + 1} ` : `${String(part)} `;
}

/**
 * Unknown parameters are ignored with a warning, but not `app_id[$gt]=1` where `app_id` is known: the caller means a filter, and
 * without it the answer would be wrong.
 */
function parseQuery(schema: z.ZodObject, sent: Record<string, unknown>) {
  const bracketedNames = Object.keys(sent).filter((name) => name.includes('['));
  const fields = new Set(bracketedNames.map((name) => name.slice(0, name.indexOf('['))));
  const bracketed = [...fields].filter((field) => Object.hasOwn(schema.shape, field));
  const { value, issues } = parsePart(schema, sent);
  // A bracketed parameter is not also reported as missing.
  const otherIssues = issues.filter(({ field }) => field === null || !bracketed.includes(field));
  return { value, issues: [...otherIssues, ...bracketed.map(toBracketIssue)] };
}

function toBracketIssue(field: string): FieldIssue {
  return { field, problem: 'must be one plain value, without brackets in its name' };
}

function toInvalidParams(issues: readonly FieldIssue[]): AppError {
  const formErrors = issues.filter(({ field }) => field === null).map(({ problem }) => problem);
  const byField = new Map<string, string[]>();
  for (const { field, problem } of issues)
    if (field !== null) byField.set(field, [...(byField.get(field) ?? []), problem]);
  const sentences = [
    ...formErrors,
    ...[...byField].map(([field, problems]) => `${field} ${problems.join(', ')}`),
  ];
  const details: ErrorDetails = {
    issues: { formErrors, fieldErrors: Object.fromEntries(byField) },
    notes: [],
  };
  return new AppError('INVALID_PARAMS', sentences.join('; '), { details });
}
