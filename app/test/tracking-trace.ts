import type { ReceivedSpan } from '../../testing/trace-collector.ts';

// What a trace of `POST /applications` must have: spans from the first one on, each the parent of the next.
const request = 'server POST /api/v1/applications';
const tracking = 'shelfwise.tracking.v1.TrackingService/TrackApplication';
const storeFetch = 'shelfwise.store.v1.StoreFetchService/GetListing';
const topic = 'tracking.application-tracked.v1';
const inTracking = [request, `client ${tracking}`, `server ${tracking}`];

export type SpanPath = readonly string[];

/** Tracking writes to its database. */
export const writePath: SpanPath = [...inTracking, 'client insert tracked_apps'];

/** Tracking asks store-fetch, which calls the store. */
export const storePath: SpanPath = [
  ...inTracking,
  `client ${storeFetch}`,
  `server ${storeFetch}`,
  'client call itunes-lookup',
];

/** Tracking publishes an event, and scoring applies it to its database. */
export const eventPath: SpanPath = [
  ...inTracking,
  `producer publish ${topic}`,
  `consumer process ${topic}`,
  'client update watchers',
];

/** Whether these spans, and those that they are in, have arrived: they come in any order, and of several processes. */
export function isWhole(spans: readonly ReceivedSpan[], paths: readonly SpanPath[]): boolean {
  const arrived = pathsOf(spans);
  return paths.every((path) => arrived.has(path.join(' > ')));
}

export function expectPath(trace: readonly ReceivedSpan[], path: SpanPath): void {
  expect([...pathsOf(trace)]).toContain(path.join(' > '));
}

/** The spans of the trace of the request, the request first. */
export function traceOfTracking(spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] {
  const root = spans.find((span) => `${span.kind} ${span.name}` === request && span.parentId === '');
  if (!root) throw new Error('the request has no span');
  return [root, ...spans.filter((span) => span !== root && span.traceId === root.traceId)];
}

/** The kinds and names from the first span of a trace to each of its spans. */
function pathsOf(spans: readonly ReceivedSpan[]): Set<string> {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  const pathTo = (span: ReceivedSpan): string => {
    const parent = byId.get(`${span.traceId} ${span.parentId}`);
    return `${parent ? `${pathTo(parent)} > ` : ''}${span.kind} ${span.name}`;
  };
  return new Set(spans.map(pathTo));
}
