import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { decodeTraceRequest, type ReceivedSpan } from './decode-trace-request.ts';

export type { ReceivedSpan };

export type TraceCollector = {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans(): readonly ReceivedSpan[];
  /** Resolves with the spans once they are as wanted. */
  until(isWanted: (spans: readonly ReceivedSpan[]) => boolean): Promise<readonly ReceivedSpan[]>;
  /** Whether a text is anywhere in what was received. */
  hasReceived(text: string): boolean;
  /** How it answers from now on: an HTTP status, or null for never. */
  answerWith(status: number | null): void;
  /** Requests so far, whatever their answer. */
  requests(): number;
  stop(): Promise<void>;
};

/** A server that takes spans as OTLP over HTTP, as the collectors of operators do. */
export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const waiting = new Set<() => void>();
  let status: number | null = 200;
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    if (status === null) return request.resume();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (status !== 200) return response.writeHead(status ?? 500).end();
      const sent = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      bodies.push(body);
      spans.push(...decodeTraceRequest(body));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    until: (isWanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isWanted(spans)) return;
          waiting.delete(look);
          resolve(spans);
        };
        waiting.add(look);
        look();
      }),
    hasReceived: (text) => bodies.some((body) => body.includes(text)),
    answerWith(next) {
      status = next;
    },
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
