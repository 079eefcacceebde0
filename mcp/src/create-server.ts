import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { ApiClient, CallOptions } from './api/api-client.ts';
import { ApiError, describeError } from './api/api-error.ts';
import type { Clock } from './api/call-queue.ts';
import { checkNames } from './check-names.ts';
import { compileLater } from './compile-later.ts';
import type { Tool } from './define-tool.ts';
import { prompts } from './prompts.ts';
import { resources } from './resources/index.ts';
import { tools } from './tools/index.ts';

/** What clients show their models about this server as a whole. */
export const instructions = `Shelfwise: app-store optimization for the App Store (ITUNES) and Google Play (GPLAY).
Start with list_applications: its id is the app_id of most tools. A market is store + country + language.
Null means that a value is not known, never zero; a null rank means not ranked in that day's results, a null hint that there is none. Traffic is an estimate from 0 to 100 to compare keywords with, not a search volume. Days are UTC.
meta.warnings: stale_store_data: a listing was read long ago, at stale_since: say so. audit_pending, audit_partial, and is_partial in a report: scores can still change. history_save_failed: the answer is valid, but not in the history. Of a niche analysis: topic_page_unread: fewer keywords were found than usual; and, without clusters, the reason: topic_page_short (fewer than two apps for the topic), no_terms_read (try again later), no_related_terms or no_searched_terms (try a broader topic).
Calls may be made in parallel: they are queued within the rate limit of the key. Tools that cost an API request say so; a job that inspects spends one for each keyword; get_account_usage shows what is left.
Only add_application, track_keywords, start_job, cancel_job, untrack_keyword, set_keyword_favorite, add_competitor and remove_competitor change what is tracked; add_note and remove_note, notes; create_alert_rule, update_alert_rule and delete_alert_rule, what list_alerts finds. Nothing is ever written to a store. Who else gets data of the account (share links, channels for alerts) is decided by a person, on the dashboard.`;

/** No list changes while a server runs, so there is nothing to subscribe to. */
const unchanging = { listChanged: false };

/** Between two messages about the progress of a call. */
const progressEveryMs = 5000;

const checkAnswers = compileLater(new AjvJsonSchemaValidator());

/** Made once, and compiled at the first call of each tool. */
const registered = tools.map((tool) => ({
  tool,
  inputSchema: fromJsonSchema<Record<string, unknown>>(tool.inputSchema as JsonSchemaType, checkNames),
  outputSchema: fromJsonSchema(tool.outputSchema as JsonSchemaType, checkAnswers),
}));

/**
 * A server for one connection or request, with tools, prompts and resources, on one client of the API.
 * @param access.canWrite false: without the tools that change something
 */
export function createServer(
  api: ApiClient,
  version: string,
  clock: Clock,
  { canWrite }: { canWrite: boolean } = { canWrite: true },
): McpServer {
  const server = new McpServer(
    { name: 'shelfwise', title: 'Shelfwise', version },
    { instructions, capabilities: { tools: unchanging, prompts: unchanging, resources: unchanging } },
  );
  for (const { tool, inputSchema, outputSchema } of registered) {
    const { name, title, description, annotations } = tool;
    if (!canWrite && tool.effect !== 'none') continue;
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations: { title, ...annotations } },
      (input, context) => callTool(tool, input, context, { api, clock }),
    );
  }
  for (const { name, title, description, argsSchema, write } of prompts)
    server.registerPrompt(name, { title, description, argsSchema }, (given) => ({
      messages: [{ role: 'user', content: { type: 'text', text: write(given) } }],
    }));
  for (const { name, uri, title, description, read } of resources) {
    const config = { title, description, mimeType: 'application/json' };
    const answer = async (url: URL, variables: Record<string, unknown>, context: ServerContext) => {
      const content = await read(api, variables, { signal: context.mcpReq.signal }).catch(failResource);
      return { contents: [{ uri: url.href, mimeType: 'application/json', text: JSON.stringify(content) }] };
    };
    if (uri.includes('{'))
      server.registerResource(name, new ResourceTemplate(uri, { list: undefined }), config, answer);
    else server.registerResource(name, uri, config, (url, context) => answer(url, {}, context));
  }
  return server;
}

/** A resource has no answer for a failure, so the error says what to do. */
function failResource(error: unknown): never {
  const isOfCaller = error instanceof ApiError && error.status < 500;
  const code = isOfCaller ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(code, describe(error));
}

/** The API names endpoints where a caller of tools needs their names. */
function describe(error: unknown): string {
  return tools.reduce(
    (text, { name, operation: { method, path } }) =>
      text.replaceAll(new RegExp(`${method} ${path.replace(/[{}]/g, '\\$&')}(?![\\w/{])`, 'g'), name),
    describeError(error),
  );
}

async function callTool(
  tool: Tool,
  input: Record<string, unknown>,
  context: ServerContext,
  { api, clock }: { api: ApiClient; clock: Clock },
): Promise<CallToolResult> {
  const progress = reportProgress(tool, context, clock);
  try {
    const options: CallOptions = { signal: context.mcpReq.signal, onWait: progress.say };
    const answer = await tool.run(api, input, options);
    return { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: describe(error) }] };
  } finally {
    progress.stop();
  }
}

/** Tells a client that a long call goes on, if it asked for it. */
function reportProgress({ title }: Tool, { mcpReq }: ServerContext, clock: Clock) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { say() {}, stop() {} };
  const startedAt = clock.nowMs();
  let progress = 0;
  const say = (what: string) => {
    const seconds = Math.round((clock.nowMs() - startedAt) / 1000);
    // The protocol wants it to increase, also within a second.
    progress = Math.max(progress + 1, seconds);
    const params = { progressToken, progress, message: `${title}: ${what} (${seconds} s)` };
    // A client that is gone ends the call by its signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  let cancel = clock.after(progressEveryMs, sayThatItWorks);
  function sayThatItWorks(): void {
    say('working');
    cancel = clock.after(progressEveryMs, sayThatItWorks);
  }
  return { say, stop: () => cancel() };
}
