/**
 * Remembers the stored content of the last `limit` ids or up to twice as many, each for `maxAgeMs`: another process may
 * have stored something else.
 * @param options.nowMs the time in epoch ms
 */
export function createRecentlySaved(options: { limit: number; maxAgeMs: number; nowMs: () => number }) {
  const { limit, maxAgeMs, nowMs } = options;
  type Saved = { content: string; at: number };
  let younger = new Map<string, Saved>();
  let older = new Map<string, Saved>();

  function add(id: string, saved: Saved): void {
    younger.set(id, saved);
    if (younger.size < limit) return;
    older = younger;
    younger = new Map();
  }

  function isSaved(saved: Saved | undefined, content: string): saved is Saved {
    if (saved?.content !== content) return false;
    const ageMs = nowMs() - saved.at;
    // Negative after the clock was set back.
    return ageMs >= 0 && ageMs < maxAgeMs;
  }

  return {
    remember: (id: string, content: string) => add(id, { content, at: nowMs() }),

    /** Whether this content is stored under the id; also false when the id is not remembered. */
    has(id: string, content: string): boolean {
      if (isSaved(younger.get(id), content)) return true;
      const saved = older.get(id);
      if (younger.has(id) || !isSaved(saved, content)) return false;
      add(id, saved);
      return true;
    },
  };
}
