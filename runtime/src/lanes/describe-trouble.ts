import type { Lane } from './lane.ts';

/** Why a lane reads nothing, in a sentence; nothing when it gets on. */
export function describeTrouble({ name, trouble }: Pick<Lane, 'name' | 'trouble'>): string[] {
  const found = trouble();
  if (!found) return [];
  return [`${name} are not read until ${found.until.toISOString().slice(11, 16)} UTC: ${found.reason}`];
}
