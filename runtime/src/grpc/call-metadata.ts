import { Metadata } from '@grpc/grpc-js';
import { toCallHeaders } from './call-headers.ts';
import type { CallOptions } from './grpc-types.ts';

const startedKey = 'x-started';

/** The headers of a call, as gRPC sends them. */
export function callMetadata(options: CallOptions): Metadata {
  const metadata = new Metadata();
  for (const [header, value] of Object.entries(toCallHeaders(options))) metadata.set(header, value);
  return metadata;
}

/** What a service sends ahead of its reply when the work starts (`onStarted`). */
export function startedMetadata(): Metadata {
  const metadata = new Metadata();
  metadata.set(startedKey, 'true');
  return metadata;
}

/** Every reply has metadata: only those of `startedMetadata` say that the work has started. */
export function isStarted(metadata: Metadata): boolean {
  return metadata.get(startedKey).length > 0;
}
