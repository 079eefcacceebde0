import { Metadata } from '@grpc/grpc-js';
import type { CallContext, CallOptions } from './grpc-types.ts';

const requestIdKey = 'x-request-id';
const callerIdKey = 'x-caller-id';
const startedKey = 'x-started';

/** What travels with a call besides its deadline. */
export function callMetadata({ requestId, callerId }: CallOptions): Metadata {
  const metadata = new Metadata();
  metadata.set(requestIdKey, requestId);
  if (callerId !== undefined) metadata.set(callerIdKey, callerId);
  return metadata;
}

export function readCallMetadata(metadata: Metadata): Pick<CallContext, 'requestId' | 'callerId'> {
  const read = (key: string) => metadata.get(key)[0]?.toString();
  return { requestId: read(requestIdKey) ?? 'none', callerId: read(callerIdKey) };
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
