import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInPlans, findPlan, readPlans } from './plans.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plans-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function read(content: string) {
  const file = join(dir, 'plans.json');
  await writeFile(file, content);
  return readPlans(file);
}

test('free has no API access, small caps and 7 days of history; unlimited has 10,000 API requests a month and no other cap', async () => {
  const plans = await readPlans(undefined);
  const noCaps = {
    apps: null,
    keywords: null,
    competitors: null,
    keyword_inspections_per_month: null,
    niche_analyses_per_month: null,
    autocomplete_queries_per_month: null,
    metadata_simulations_per_month: null,
    api_requests_per_month: null,
    historical_data_days: null,
  };
  expect(plans.get('free')).toEqual({
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
  });
  expect(plans.get('unlimited')).toEqual({
    api_access: true,
    limits: { ...noCaps, api_requests_per_month: 10_000 },
  });
});

test('a file adds plans and replaces the built-in ones by name', async () => {
  const plans = await read(
    '{"team": {"api_access": true, "limits": {"apps": 5}}, "free": {"api_access": true, "limits": {}}}',
  );
  expect(plans.get('team')?.limits).toMatchObject({ apps: 5, keywords: null });
  expect(plans.get('free')?.api_access).toBe(true);
  expect(plans.get('unlimited')).toBe(builtInPlans.get('unlimited'));
});

test('a plan that no longer exists gives no access', () => {
  expect(findPlan(builtInPlans, 'gone').api_access).toBe(false);
});

test.each([
  [
    'an unknown limit',
    '{"team": {"api_access": true, "limits": {"app": 5}}}',
    /team\.limits has unknown fields: "app"$/,
  ],
  [
    'a cap below zero',
    '{"team": {"api_access": true, "limits": {"apps": -1}}}',
    /team\.limits\.apps must be a whole number from 0, or null/,
  ],
  ['a plan without api_access', '{"team": {"limits": {}}}', /team\.api_access must be true or false$/],
  ['a plan without limits', '{"team": {"api_access": true}}', /team\.limits must be a JSON object/],
  ['a plan that is no object', '{"team": 5}', /team must be a JSON object with api_access and limits$/],
  ['a list', '[]', /the file must be a JSON object with one plan per name$/],
  ['an invalid plan name', '{"My Plan": {"api_access": true, "limits": {}}}', /My Plan is not a plan name/],
  ['invalid JSON', 'plans:', /cannot be read as JSON/],
])('a plans file with %s is refused with an explanation', async (_what, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test('a missing plans file is refused', async () => {
  await expect(readPlans(join(dir, 'absent.json'))).rejects.toThrow(/SHELFWISE_PLANS_FILE/);
});
