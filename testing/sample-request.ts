import type { Route } from '@shelfwise/gateway/routes/common/define-route';

export type SampleRequest = { path: string; body?: unknown };

/** The sample of a route as a request; `changes` replace parts of it. */
export function toSampleRequest(
  { path, sample }: Pick<Route, 'path' | 'sample'>,
  changes: Partial<Route['sample']> = {},
): SampleRequest {
  const {
    params = {},
    query = {},
    body,
  } = { ...sample, ...changes } as Record<string, Record<string, string>>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return { path: search ? `${filled}?${search}` : filled, body };
}
