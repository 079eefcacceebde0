/** What a command ends with. Scripts rely on these numbers. */
export const exitCodes = {
  ok: 0,
  apiError: 1,
  usage: 2,
  keyOrPlan: 3,
  limit: 4,
  storeNotReadable: 5,
  notAllGood: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** For the help and the README. */
export const exitCodeTexts: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'done',
  apiError: 'the API refused the call or failed, or did not answer',
  usage: 'called wrongly: an option, an argument, a file, or a parameter that the API refuses',
  keyOrPlan: 'no key, an invalid key, a key file that others can read, or a plan without API access',
  limit: 'a limit of the rate, the quota or the plan',
  storeNotReadable: 'the store could not be read',
  notAllGood: 'done, but a keyword could not be tracked, or the store would refuse the draft',
  interrupted: 'interrupted by Ctrl-C or SIGTERM',
};

const codesOfApi: Readonly<Record<string, ExitCode>> = {
  INVALID_PARAMS: exitCodes.usage,
  MISSING_API_KEY: exitCodes.keyOrPlan,
  INVALID_API_KEY: exitCodes.keyOrPlan,
  PLAN_REQUIRED: exitCodes.keyOrPlan,
  RATE_LIMITED: exitCodes.limit,
  QUOTA_EXCEEDED: exitCodes.limit,
  PLAN_LIMIT: exitCodes.limit,
  STORE_FETCH_FAILED: exitCodes.storeNotReadable,
  ANALYSIS_FAILED: exitCodes.storeNotReadable,
};

/** @param code an error code of the API */
export function toExitCode(code: string): ExitCode {
  return codesOfApi[code] ?? exitCodes.apiError;
}
