import { readFile } from 'node:fs/promises';
import { ConfigError } from '@shelfwise/runtime/process/config';
import { z } from 'zod';

/** Null or absent means no cap. */
const capProblem = 'must be a whole number from 0, or null (no cap)';
const cap = z.int(capProblem).min(0, capProblem).nullable().default(null);

/** `apps`, `keywords` and `competitors` cap what an account tracks at one time. */
const limitsSchema = z.strictObject(
  {
    apps: cap,
    keywords: cap,
    competitors: cap,
    keyword_inspections_per_month: cap,
    niche_analyses_per_month: cap,
    autocomplete_queries_per_month: cap,
    metadata_simulations_per_month: cap,
    api_requests_per_month: cap,
    /** days before today that a history may begin */
    historical_data_days: cap,
  },
  'must be a JSON object; {} means no caps',
);

/** Without `api_access` every call is refused with PLAN_REQUIRED. */
const planSchema = z.strictObject(
  { api_access: z.boolean('must be true or false'), limits: limitsSchema },
  'must be a JSON object with api_access and limits',
);

const planNameSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'is not a plan name (a-z, 0-9 and -)');

const plansFileSchema = z.record(planNameSchema, planSchema, 'must be a JSON object with one plan per name');

export type PlanLimits = z.output<typeof limitsSchema>;
export type Plan = z.output<typeof planSchema>;
export type Plans = ReadonlyMap<string, Plan>;

/** The plans that exist without a plans file. */
export const builtInPlans: Plans = new Map([
  [
    'free',
    {
      api_access: false,
      limits: {
        apps: 1,
        keywords: 25,
        competitors: 3,
        keyword_inspections_per_month: 20,
        niche_analyses_per_month: 3,
        autocomplete_queries_per_month: 100,
        metadata_simulations_per_month: 20,
        api_requests_per_month: 100,
        historical_data_days: 7,
      },
    },
  ],
  ['unlimited', { api_access: true, limits: limitsSchema.parse({ api_requests_per_month: 10_000 }) }],
]);

/**
 * The plan with this name. A name that does not exist, such as one removed from the file, gives a plan without access.
 */
export function findPlan(plans: Plans, name: string): Plan {
  return plans.get(name) ?? { api_access: false, limits: limitsSchema.parse({}) };
}

/**
 * The built-in plans and those of the operator's JSON file. A plan of the file replaces a built-in one of the same
 * name. A limit that the file omits has no cap.
 * @throws ConfigError that names every problem of the file
 */
export async function readPlans(file: string | undefined): Promise<Plans> {
  if (file === undefined) return builtInPlans;
  const parsed = plansFileSchema.safeParse(await readJson(file));
  if (parsed.success) return new Map([...builtInPlans, ...Object.entries(parsed.data)]);
  const problems = parsed.error.issues.map((issue) => `  ${describeProblem(issue)}`);
  throw new ConfigError(`SHELFWISE_PLANS_FILE is not valid:\n${problems.join('\n')}`);
}

/** For example `team.api_access must be true or false`. */
function describeProblem(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.') || 'the file';
  if (issue.code === 'unrecognized_keys')
    return `${path} has unknown fields: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  // zod's issue for a plan name only says that the key is invalid; the nested issue has the reason.
  const { message } = (issue.code === 'invalid_key' && issue.issues[0]) || issue;
  return `${path} ${message}`;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new ConfigError(`SHELFWISE_PLANS_FILE cannot be read as JSON: ${reason}`);
  }
}
