import { createHash, timingSafeEqual } from 'node:crypto';
import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import { z } from 'zod';
import { healthServiceName } from './grpc-health.ts';

/** The header of a call. grpcurl: `-H "x-grpc-secret: $GRPC_SECRET"`. */
const secretHeader = 'x-grpc-secret';

/** 32 to 1,024 characters of ASCII without blanks, because a header cannot carry others. The messages contain no part of it. */
export const grpcSecretSetting = z
  .string()
  .min(32, 'must have 32 bytes or more, such as those of: openssl rand -hex 32')
  .max(1024, 'must have 1024 bytes at most')
  .regex(/^[!-~]+$/, 'must be printable ASCII without blanks, such as that of: openssl rand -hex 32');

export const secretAdvice = 'Set GRPC_SECRET to the same value for every process and command.';

export function addSecret(metadata: Metadata, secret: string | null): void {
  if (secret !== null) metadata.set(secretHeader, secret);
}

/**
 * Refuses calls without this secret as UNAUTHENTICATED, before a message is read. Reflection needs it, too. Health does not:
 * orchestrators ask for it, and it says nothing else.
 */
export function createSecretCheck(secret: string, isRequired: () => boolean): ServerInterceptor {
  const expected = digest(secret);
  /** Digests have one length, so the comparison takes as long for every secret. */
  const isRight = (sent: readonly unknown[]) =>
    sent.length === 1 && timingSafeEqual(digest(String(sent[0])), expected);

  return ({ path }, call) => {
    const isChecked = isRequired() && !path.startsWith(`/${healthServiceName}/`);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, receive) {
            const sent = metadata.get(secretHeader);
            metadata.remove(secretHeader);
            if (!isChecked || isRight(sent)) return receive(metadata);
            call.sendStatus({ code: status.UNAUTHENTICATED, details: explain(sent.length === 0) });
          },
        }),
    });
  };
}

function explain(isMissing: boolean): string {
  const reason = isMissing
    ? `The call has no secret (header ${secretHeader}).`
    : `The secret of the call (header ${secretHeader}) is not that of the service.`;
  return `${reason} ${secretAdvice}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
