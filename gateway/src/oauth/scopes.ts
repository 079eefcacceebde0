/** `read`: tools that only read, some of which spend quota. `write`: also those that change what is tracked, notes or alert rules. */
export type Scope = 'read' | 'write';

export const allScopes: readonly Scope[] = ['read', 'write'];

/**
 * The scopes of a request, as it names them. `write` includes `read`; unknown names are left out, because clients add those of
 * other servers. None: all of them, because the first clients name none and ask only once; the person decides. Null when it names only
 * unknown ones.
 */
export function parseScopes(text: string | null): Scope[] | null {
  const names = namesIn(text);
  if (names.length === 0 || names.includes('write')) return [...allScopes];
  return names.includes('read') ? ['read'] : null;
}

/** Whether a request names `write` itself. */
export function asksToWrite(text: string | null): boolean {
  return namesIn(text).includes('write');
}

function namesIn(text: string | null): string[] {
  return (text ?? '').split(' ').filter((name) => name !== '');
}
