import type { Route } from '@shelfwise/gateway/routes/route/define-route';

export type SampleRequest = { path: string; body?: unknown };

/** The sample of a route as a request. `changes` replace its path parameters, its query or its body. */
export function toSampleRequest(
  { path, sample }: Pick<Route, 'path' | 'sample'>,
  changes: Partial<Route['sample']> = {},
): SampleRequest {
  const { params = {}, query = {}, body } = { ...sample, ...changes };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return { path: search === '' ? filled : `${filled}?${search}`, body };
}
