type Body = { error?: unknown; code?: unknown; details?: unknown; usage?: unknown };

/** A refusal or failure that the API answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /** What is wrong with which field, and other facts; undefined without any. */
  readonly details: unknown;
  /** How long the API asks to wait before the next call; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: Body, retryAfterMs: number | null) {
    super(String(body.error ?? `The API answered with status ${status}.`));
    this.status = status;
    this.code = String(body.code ?? `HTTP_${status}`);
    this.details = body.details ?? (body.usage === undefined ? undefined : { usage: body.usage });
    this.retryAfterMs = retryAfterMs;
  }

  /** The error as the caller of a tool reads it. @param names the endpoint's name of a parameter -> the tool's */
  withNames(names: Readonly<Record<string, string>>): ApiError {
    const { issues } = (this.details ?? {}) as { issues?: { fieldErrors?: Record<string, unknown> } };
    if (!issues?.fieldErrors) return this;
    const fieldErrors = Object.fromEntries(
      Object.entries(issues.fieldErrors).map(([name, problems]) => [names[name] ?? name, problems]),
    );
    // The message has one problem after another, each after the name of its field.
    const error = this.message.replace(/(?<=^|; )\w+/g, (name) => names[name] ?? name);
    const details = { ...(this.details as object), issues: { ...issues, fieldErrors } };
    return new ApiError(this.status, { error, code: this.code, details }, this.retryAfterMs);
  }
}

/** What to do about an error, where its own message does not say. */
const advice: Readonly<Record<string, string>> = {
  MISSING_API_KEY: 'Set SHELFWISE_API_KEY in the settings of this server.',
  INVALID_API_KEY:
    'The key is wrong or was replaced: put the current one into the settings of this server. Without a key: try again, then connect again.',
  PLAN_REQUIRED: 'The account needs a plan with API access. Calling again does not help.',
  PLAN_LIMIT:
    'The message says which limit. A monthly one renews at the time named there; for history, ask for a later start. Only a limit of tracked keywords or competitors is freed by removing some: ask the user first. No tool removes an app.',
  QUOTA_EXCEEDED:
    'Calling again does not help before renews_at. Tools that spend no API request still work: the lists of applications, keywords and competitors, and the histories of ranks and scores.',
  NOT_FOUND: 'Take the id from the list tool of its kind.',
  APP_NOT_FOUND:
    'Tracked apps are in list_applications, what tracks a keyword in list_keywords, competitors in list_competitors (competitor.id). For an id of the store check id, store and country.',
  COMPETITOR_NOT_FOUND: 'Check the store id and the country: top_charts and inspect_keyword show ids.',
  DUPLICATE: 'It is tracked already: use the existing id in details.',
  RATE_LIMITED: 'Call again later, with fewer calls at once.',
};

/** An error as a model reads it: what is wrong, where, and what to do. */
export function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const parts = [`${error.code}: ${error.message}`];
  const help = advice[error.code];
  if (help) parts.push(help);
  if (error.retryAfterMs !== null)
    parts.push(`Wait ${Math.ceil(error.retryAfterMs / 1000)} s before the next call.`);
  if (error.details !== undefined) parts.push(`details: ${JSON.stringify(error.details)}`);
  return parts.join('\n');
}
