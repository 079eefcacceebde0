/** What to do about an error code of the API, where its message does not say. */
const adviceByCode: Readonly<Record<string, string>> = {
  INVALID_API_KEY: 'Give the client a key that is valid now: the account page of the dashboard makes one.',
  PLAN_REQUIRED: 'The account needs a plan with API access.',
  INVALID_PARAMS: 'details says which fields are wrong.',
  DUPLICATE: 'It exists already: details has its id.',
  APP_NOT_FOUND: 'The ids of tracked applications are those of listApplications.',
  RATE_LIMITED: 'Make fewer calls at a time: all programs with this key share its limits.',
  QUOTA_EXCEEDED: 'Make the call again when the quota renews: usage says when.',
  STORE_FETCH_FAILED: 'Make the call again in some minutes.',
  ANALYSIS_FAILED: 'Make the call again in some minutes.',
};

/** Null: its message says what to do. */
export function adviseOnCode(code: string, status: number, isRepeatable: boolean): string | null {
  if (Object.hasOwn(adviceByCode, code)) return adviceByCode[code] ?? null;
  if (status >= 500) return adviseOnSilence(isRepeatable);
  return code === `HTTP_${status}` ? 'baseUrl must be the address of a Shelfwise, without /api/v1.' : null;
}

/** Of a call that failed, or had no answer, so that it may have been done. */
export function adviseOnSilence(isRepeatable: boolean): string {
  return isRepeatable
    ? 'Make the call again later.'
    : 'Look whether it was done before you make the call again.';
}
