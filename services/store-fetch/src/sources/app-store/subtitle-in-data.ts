/** Whether the data that an app's page carries for its scripts has a subtitle of the app. */
export type SubtitleInData = 'present' | 'none' | 'unknown';

/**
 * `none` only where the data names the app, by its number, and has no subtitle beside it. The data has no shape that
 * can be relied on: when it is absent, unreadable or without the app, nothing is known.
 */
export function subtitleInData(data: string, id: number): SubtitleInData {
  let found: SubtitleInData = 'unknown';
  // A list in place of recursion: data may be nested deeper than the stack.
  const pending: unknown[] = [parse(data)];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    const { adamId } = part as { adamId?: unknown };
    if (adamId === id || adamId === String(id)) {
      if (Object.entries(part).some(isSubtitle)) return 'present';
      found = 'none';
    }
    for (const value of Object.values(part)) pending.push(value);
  }
  return found;
}

/** However it may be spelled by now. */
function isSubtitle([key, value]: [string, unknown]): boolean {
  return /^(sub_?title|tag_?line)/i.test(key) && typeof value === 'string' && value.trim() !== '';
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
