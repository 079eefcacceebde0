type Body = { error?: unknown; code?: unknown; details?: unknown; usage?: unknown };

/** A refusal or failure that the API answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /** What is wrong with which field; no fields: with none of them. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /** When a spent quota renews, ISO 8601; null: the answer does not say. */
  readonly renewsAt: string | null;
  /** How long the API asks to wait before the next call; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: Body, retryAfterMs: number | null) {
    super(String(body.error ?? `The API answered with status ${status}.`));
    this.status = status;
    this.code = String(body.code ?? `HTTP_${status}`);
    const { issues } = (body.details ?? {}) as { issues?: { fieldErrors?: Record<string, string[]> } };
    this.fieldErrors = issues?.fieldErrors ?? {};
    const { renews_at: renewsAt } = (body.usage ?? {}) as { renews_at?: unknown };
    this.renewsAt = typeof renewsAt === 'string' ? renewsAt : null;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What to do about an error, where its own message does not say. */
const advice: Readonly<Record<string, string>> = {
  INVALID_API_KEY:
    'The key is that of --key-file, else of SHELFWISE_API_KEY, SHELFWISE_KEY_FILE or the default key file.',
  PLAN_REQUIRED: 'The account needs a plan with API access.',
  APP_NOT_FOUND: 'The ids of tracked apps are in: shelfwise apps',
  RATE_LIMITED: 'Other programs use the same key: run the command again later.',
};

/** The error in one or two lines, without secrets. */
export function describeApiError(error: ApiError): string {
  const help = advice[error.code];
  return [`${error.code}: ${error.message}`, ...(help === undefined ? [] : [help])].join('\n');
}
