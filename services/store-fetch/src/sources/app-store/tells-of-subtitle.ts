/**
 * Whether the data that an app's page carries for its scripts tells of a subtitle of that app. The data has no shape
 * that can be relied on: when it is absent or unreadable, it tells of none.
 */
export function tellsOfSubtitle(data: string, id: number): boolean {
  // A list in place of recursion: data may be nested deeper than the stack.
  const unseen: unknown[] = [parse(data)];
  while (unseen.length > 0) {
    const part = unseen.pop();
    if (typeof part !== 'object' || part === null) continue;
    const { adamId, subtitle } = part as { adamId?: unknown; subtitle?: unknown };
    const isOfApp = adamId === id || adamId === String(id);
    if (isOfApp && typeof subtitle === 'string' && subtitle.trim() !== '') return true;
    for (const value of Object.values(part)) unseen.push(value);
  }
  return false;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
