import type { Profiler } from 'node:inspector';

/** The share of a part of the path in the CPU time of a profile, from 0 to 1. */
export type PartShare = { part: string; share: number };
/** A function with the most CPU time of its own. */
export type TopFunction = { name: string; share: number };

/** The first pattern that the file of a function matches names its part. */
const parts: readonly [part: string, file: RegExp][] = [
  ['check: key and plan', /gateway\/.*\/(accounts\/|authenticate\.|plans\/)/],
  [
    'check: windows and quota',
    /gateway\/.*\/(limits\/|decide-limits|enforce-|repeat-refusal|limit-calls-in-flight)/,
  ],
  ['check: database driver (quota, keys)', /node_modules\/(mongodb|mongoose|bson|kareem|mquery)\//],
  ['check: validation', /node_modules\/zod\/|gateway\/.*\/(parse-input|read-body|explain-issue)|redact-keys/],
  [
    'log and metrics',
    /node_modules\/(pino|prom-client|sonic-boom|thread-stream)\/|record-request|gateway-metrics/,
  ],
  [
    'gRPC',
    /node_modules\/@grpc\/|runtime\/.*\/grpc\/|proto\/|node_modules\/@bufbuild|node:internal\/http2|node:http2/,
  ],
  [
    'HTTP edge',
    /gateway\/.*\/(http\/|set-headers|assign-request-id|compress-answers|let-body-arrive|call-handler|match-route)/,
  ],
  [
    'Express',
    /node_modules\/(express|router|finalhandler|send|path-to-regexp|fastify|find-my-way|parseurl|body-parser)\//,
  ],
  ['route', /gateway\/.*\/routes\//],
];
const other = 'Node: HTTP, sockets, event loop';
const isCheck = (part: string) => part.startsWith('check: ');

/**
 * The shares of the parts. A function of Node counts for the part that calls it; idle time and the profiler's own start
 * and stop are left out. Callbacks that Node starts, such as those of sockets, belong to the part of their own file.
 */
export function sharesOfParts(profile: Profiler.Profile): PartShare[] {
  const shares = new Map<string, number>();
  const { nodes, selfMicros, busyMicros } = readTimes(profile);
  const visit = (id: number, callerPart: string) => {
    const node = nodes.get(id);
    if (!node) return;
    const { url, functionName } = node.callFrame;
    const part = functionName === '(garbage collector)' ? 'garbage collection' : (partOf(url) ?? callerPart);
    shares.set(part, (shares.get(part) ?? 0) + (selfMicros.get(id) ?? 0) / busyMicros);
    for (const child of node.children ?? []) visit(child, part);
  };
  visit(profile.nodes[0]?.id ?? 0, other);
  return [...shares].map(([part, share]) => ({ part, share })).sort((a, b) => b.share - a.share);
}

export function shareOfChecks(shares: readonly PartShare[]): number {
  return shares.reduce((sum, { part, share }) => (isCheck(part) ? sum + share : sum), 0);
}

/** The functions with the most time of their own, and their files. */
export function topFunctions(profile: Profiler.Profile, count: number): TopFunction[] {
  const { nodes, selfMicros, busyMicros } = readTimes(profile);
  const byName = new Map<string, number>();
  for (const [id, micros] of selfMicros) {
    const { functionName, url, lineNumber } = nodes.get(id)?.callFrame ?? {};
    const file = url?.split('/').slice(-2).join('/');
    const name = `${functionName || '(anonymous)'}${file ? ` ${file}:${(lineNumber ?? 0) + 1}` : ''}`;
    byName.set(name, (byName.get(name) ?? 0) + micros / busyMicros);
  }
  return [...byName]
    .map(([name, share]) => ({ name, share }))
    .sort((a, b) => b.share - a.share)
    .slice(0, count);
}

function partOf(url: string): string | undefined {
  return parts.find(([, file]) => file.test(url))?.[0];
}

function readTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ignored = new Set(nodes.filter(isIgnored).flatMap(({ id, children = [] }) => [id, ...children]));
  const selfMicros = new Map<number, number>();
  let busyMicros = 0;
  for (const [index, id] of samples.entries()) {
    if (ignored.has(id)) continue;
    const micros = timeDeltas[index] ?? 0;
    selfMicros.set(id, (selfMicros.get(id) ?? 0) + micros);
    busyMicros += micros;
  }
  return { nodes: byId, selfMicros, busyMicros };
}

/** The wait for work, and the calls of the profiler itself. */
function isIgnored({ callFrame: { functionName, url } }: Profiler.ProfileNode): boolean {
  return functionName === '(idle)' || url === 'node:inspector';
}
