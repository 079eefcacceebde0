import { cutText } from '@shelfwise/facts/text/cut-text';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';
import type { z } from 'zod';

/** An answer must stay short, whatever a client sends. */
export const maxUnknownParameters = 10;
/** In UTF-16 units. */
const maxNameLength = 40;

/** A way to send the key, which every endpoint has. */
const keyParameter = 'api_key';

/**
 * A warning for each query parameter that an endpoint does not have: `unknown_parameter: sort`. At most ten names, each
 * cut to 40 characters, and never a key.
 */
export function warnOfUnknownParameters(query: z.ZodObject, sent: Record<string, unknown>): string[] {
  const warnings = new Set<string>();
  for (const name of Object.keys(sent)) {
    if (name === keyParameter || Object.hasOwn(query.shape, name)) continue;
    if (warnings.size === maxUnknownParameters) break;
    // A part of a key must not be left, so it is replaced before the cut.
    warnings.add(`unknown_parameter: ${cutText(redactKeys(name), maxNameLength)}`);
  }
  return [...warnings];
}

/** The meta of an answer with these warnings after its own; unchanged when there are none. */
export function addWarnings(meta: unknown, warnings: readonly string[]): unknown {
  if (warnings.length === 0) return meta;
  const own = (meta ?? {}) as { warnings?: readonly string[] };
  return { ...own, warnings: [...(own.warnings ?? []), ...warnings] };
}
