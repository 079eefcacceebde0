import { readFileSync } from 'node:fs';
import { changesAccount } from '@shelfwise/gateway/oauth/use-call-credential';
import { routes } from '@shelfwise/gateway/routes/index';
import { version } from '@shelfwise/runtime/version';
import type { JsonSchema } from '../api/operation.ts';
import { instructions } from '../create-server.ts';
import { prompts } from '../prompts.ts';
import { readStdioSettings } from '../stdio-settings.ts';
import { tools } from './index.ts';

/** Endpoints beyond the interface, which have no tool. */
const explained = ['getTrackedKeywordScores', 'getKeywordScores'];
const keywordsField = ['getKeywordsField', 'setKeywordsField', 'deleteKeywordsField'];
/**
 * They decide who else gets data of the account, or show how that went: a person does it on the dashboard. Texts of stores, which an
 * assistant reads, could ask it to.
 */
const ofChannels = [
  ...['createAlertChannel', 'updateAlertChannel', 'deleteAlertChannel', 'testAlertChannel'],
  ...['listAlertDeliveries', 'redeliverAlerts'],
];
const ofShareLinks = ['listShareLinks', 'createShareLink', 'endShareLink'];
/** A digest is for people, and an assistant reads `list_alerts`. Made once, on the dashboard. */
const ofDigests = ['listAlertDigests', 'createAlertDigest', 'updateAlertDigest', 'deleteAlertDigest'];
/** An assistant knows the id of what it has started. */
const ofJobs = ['listJobs'];
const withoutTool = [
  ...['untrackApplication', 'listMovers'],
  ...explained,
  ...keywordsField,
  ...ofChannels,
  ...ofDigests,
  ...ofShareLinks,
  ...ofJobs,
];
const toolNames = tools.map(({ name }) => name);

describe('the tools', () => {
  it('are one for each endpoint, unless it has none', () => {
    expect(new Set(toolNames).size).toBe(tools.length);
    const endpoints = routes.map(({ operationId }) => operationId).filter((id) => !withoutTool.includes(id));
    expect(tools.map(({ operation }) => operation.id).sort()).toEqual(endpoints.sort());
  });

  it('change something exactly where the gateway asks a connection for the scope write', () => {
    const changing = routes.filter(changesAccount).map(({ operationId }) => operationId);
    const marked = tools.filter(({ effect }) => effect !== 'none').map(({ operation }) => operation.id);
    expect(marked.sort()).toEqual(changing.filter((id) => !withoutTool.includes(id)).sort());
  });

  it('are marked as what they are: thirteen change what is tracked, noted or published', () => {
    const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
    expect(changing.sort()).toEqual([
      'add_application',
      'add_competitor',
      'add_note',
      'cancel_job',
      'create_alert_rule',
      'delete_alert_rule',
      'remove_competitor',
      'remove_note',
      'set_keyword_favorite',
      'start_job',
      'track_keywords',
      'untrack_keyword',
      'update_alert_rule',
    ]);
    const destructive = tools
      .filter(({ annotations }) => annotations.destructiveHint)
      .map(({ name }) => name);
    expect(destructive.sort()).toEqual([
      'cancel_job',
      'delete_alert_rule',
      'remove_competitor',
      'remove_note',
      'untrack_keyword',
    ]);
    const open = tools.filter(({ annotations }) => annotations.openWorldHint).map(({ name }) => name);
    expect(open.sort()).toEqual([
      'add_application',
      'add_competitor',
      'inspect_keyword',
      'run_autocomplete',
      'run_niche_analysis',
      'search_apps',
      'simulate_metadata',
      'start_job',
      'top_charts',
      'track_keywords',
    ]);
    const repeated = tools.filter(({ annotations }) => !annotations.idempotentHint).map(({ name }) => name);
    expect(repeated).toEqual(['start_job', 'add_note', 'create_alert_rule']);
  });

  it.each(tools)('$name has every parameter of its endpoint, described and bounded', (tool) => {
    const { parameters } = tool.operation;
    const properties = Object.entries(tool.inputSchema.properties ?? {});
    expect(properties).toHaveLength([...parameters.path, ...parameters.query, ...parameters.body].length);
    for (const [name, schema] of properties) {
      expect({ name, description: schema.description }).toEqual({
        name,
        description: expect.stringMatching(/\w/),
      });
      expect({ name, unbounded: allParts(schema).filter(isUnbounded) }).toEqual({ name, unbounded: [] });
    }
    expect(tool.inputSchema.additionalProperties).toBe(false);
  });

  it.each(tools)(
    '$name says in under 900 characters what it gives and what it costs',
    ({ description, operation }) => {
      expect(description.length).toBeLessThan(900);
      expect(description).toMatch(
        operation.cost === 1 ? /Costs 1 API request of/ : /Costs no API request\.$/,
      );
    },
  );

  it.each(tools)('$name says what a null in its answer means', ({ description, outputSchema }) => {
    const nullable = allParts(outputSchema).filter(({ anyOf }) => anyOf?.some(({ type }) => type === 'null'));
    expect(nullable.filter((field) => !field.description)).toEqual([]);
    if (nullable.length > 0) expect(description).toMatch(/\bnull\b/i);
  });

  it('say how to get the next page', () => {
    const paged = tools.filter(({ inputSchema }) => inputSchema.properties?.per_page);
    expect(paged).toHaveLength(15);
    for (const { description } of paged)
      expect(description).toMatch(/while meta\.has_more, call again with page \+ 1\./i);
  });

  it('name only other tools that exist, as the prompts and the instructions do', () => {
    const known = new Set([...toolNames, ...allFieldNames(), ...warnings]);
    const texts = [...tools.map(({ description }) => description), ...prompts.map(({ write }) => write({}))];
    for (const text of [...texts, instructions])
      for (const name of text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [])
        expect({ text, name, isKnown: known.has(name) }).toEqual({ text, name, isKnown: true });
  });

  it('explain every warning of an analysis of a niche', () => {
    const tool = tools.find(({ name }) => name === 'run_niche_analysis');
    const { description = '' } = tool?.outputSchema.properties?.meta?.properties?.warnings ?? {};
    const codes = description.match(/\b[a-z]+(?:_[a-z]+)+(?=: )/g) ?? [];
    expect(codes).toHaveLength(6);
    for (const code of codes) {
      expect(warnings).toContain(code);
      expect(instructions).toContain(code);
    }
  });

  it('take ids as numbers and as digits', async () => {
    const audit = tools.find(({ name }) => name === 'get_aso_health');
    expect(audit?.inputSchema.properties?.app_id).toMatchObject({
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(audit?.inputSchema.required).toEqual(['app_id']);
    expect(await inputsOf('get_aso_health', { app_id: '42', include_words: true })).toEqual([
      { id: 42, include_words: true },
    ]);
    for (const id of ['4x', 'com.example', '..', 0, null])
      await expect(inputsOf('get_aso_health', { app_id: id })).rejects.toThrow(
        /^app_id must be an id of Shelfwise/,
      );
  });

  it('take a null as not given, except where it has a meaning', async () => {
    const context = { rating: null, screenshots: null, languages: 3 };
    const draft = { app_id: 1, title: null, context };
    const meant = { app_id: 1, context: { rating: null, languages: 3 } };
    expect(await inputsOf('simulate_metadata', draft)).toEqual([meant]);
    expect(await inputsOf('list_metadata_simulations', { search: null })).toEqual([{ per_page: 25 }]);
  });

  it('leave what is no object to the API, which says what is wrong', async () => {
    for (const context of ['4.7', 4.7, [4.7]])
      expect(await inputsOf('simulate_metadata', { app_id: 1, context })).toEqual([{ app_id: 1, context }]);
  });

  it('take the number of an app in the store as its id', async () => {
    const input = { app_id: 700_970_012, store: 'ITUNES', country: 'US', lang: 'en-US' };
    expect(await inputsOf('add_application', input)).toEqual([{ ...input, app_id: '700970012' }]);
  });

  it('leave out descriptions when an app_id is null as when there is none', async () => {
    const tool = tools.find(({ name }) => name === 'list_applications');
    const call = async () => ({ data: [{ id: 1, description: 'Long' }] });
    const options = { signal: new AbortController().signal };
    expect(await tool?.run({ call }, { app_id: null }, options)).toEqual({ data: [{ id: 1 }] });
    expect(await tool?.run({ call }, { app_id: 1 }, options)).toEqual({
      data: [{ id: 1, description: 'Long' }],
    });
  });

  it('are in the README, with their endpoints and costs', () => {
    const readme = readFileSync('mcp/README.md', 'utf8');
    for (const { name, effect, operation } of tools) {
      const { method, path, cost } = operation;
      const change = effect === 'none' ? '' : ' *';
      expect(readme).toContain(
        `| \`${name}\`${change} | ${method} ${path.replace('/api/v1', '')} | ${cost} |`,
      );
    }
  });

  it('have the version of the package, whose manifest is as registries want it', () => {
    const manifest = JSON.parse(readFileSync('mcp/server.json', 'utf8'));
    const { name, version: packed, mcpName } = JSON.parse(readFileSync('mcp/package.json', 'utf8'));
    expect(version).toBe(packed);
    expect(manifest).toMatchObject({ name: mcpName, version: packed });
    expect(manifest.packages).toEqual([expect.objectContaining({ identifier: name, version: packed })]);
    expect(manifest.description.length).toBeLessThanOrEqual(100);
  });

  it('can be started with the settings of the README and of the manifest', () => {
    const readme = readFileSync('mcp/README.md', 'utf8');
    const blocks = [...readme.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => JSON.parse(block));
    const { shelfwise: local } = blocks.at(-1).mcpServers;
    const { bin } = JSON.parse(readFileSync('mcp/package.json', 'utf8'));
    expect(Object.keys(bin)).toEqual([local.command]);
    const [{ environmentVariables: variables }] = JSON.parse(
      readFileSync('mcp/server.json', 'utf8'),
    ).packages;
    const names = variables.map(({ name }: { name: string }) => name);
    expect(Object.keys(local.env)).toEqual(names);
    const env = { [names[0]]: 'sw_live_x', [names[1]]: 'http://api.example' };
    const exit = (code: number) => {
      throw new Error(`it ends with ${code}`);
    };
    expect(readStdioSettings({ argv: [], env, exit })).toEqual({
      key: 'sw_live_x',
      baseUrl: 'http://api.example',
    });
  });
});

const bounds = {
  string: ['enum', 'pattern', 'maxLength', 'const', 'format'],
  integer: ['maximum', 'enum', 'pattern'],
  number: ['maximum'],
  array: ['maxItems'],
} as const;

/** Those of meta.warnings. */
const warnings = [
  ...['stale_store_data', 'audit_pending', 'audit_partial', 'history_save_failed', 'topic_page_unread'],
  ...['topic_page_short', 'no_terms_read', 'no_related_terms', 'no_searched_terms'],
];

/** What the API gets of a call. */
async function inputsOf(name: string, input: Record<string, unknown>): Promise<unknown[]> {
  const inputs: unknown[] = [];
  const call = async (_: unknown, given: unknown) => ({ data: inputs.push(given) });
  const tool = tools.find((one) => one.name === name);
  await tool?.run({ call }, input, { signal: new AbortController().signal });
  return inputs;
}

/** Whether a part of a schema accepts any value, or values of any size. */
function isUnbounded(schema: JsonSchema): boolean {
  const { type, anyOf, pattern = '' } = schema;
  if (type === undefined) return !anyOf && !('enum' in schema);
  const isLimit = (name: string) => name in schema && !(name === 'pattern' && /[*+]\$$/.test(pattern));
  return Object.entries(bounds).some(([bounded, limits]) => type === bounded && !limits.some(isLimit));
}

/** A schema and the schemas in it. */
function allParts(schema: JsonSchema): JsonSchema[] {
  const { anyOf = [], properties = {}, items = [] } = schema;
  return [schema, ...[anyOf, Object.values(properties), items].flat().flatMap(allParts)];
}

/** The names of all fields and parameters. */
function allFieldNames(): string[] {
  return tools
    .flatMap(({ operation, inputSchema }) => [operation.answer, inputSchema])
    .flatMap(allParts)
    .flatMap(({ properties = {} }) => Object.keys(properties));
}
