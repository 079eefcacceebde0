/** Whether the script data in an app's page contains a subtitle of the app. */
export type SubtitleInData = 'present' | 'none' | 'unknown';

/**
 * `none` only when the data contains the app, by its number, without a subtitle. The data has no reliable shape: when
 * it is missing, unreadable or without the app, the result is `unknown`.
 */
export function subtitleInData(data: string, id: number): SubtitleInData {
  let found: SubtitleInData = 'unknown';
  // A list instead of recursion: data may be nested deeper than the stack allows.
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

/** Accepts several spellings, because the store may rename the field. */
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
