/** Remembers the stored content of at least the last `limit` ids, and of at most twice as many. */
export function createRecentlySaved(limit: number) {
  let younger = new Map<string, string>();
  let older = new Map<string, string>();

  function remember(id: string, content: string): void {
    younger.set(id, content);
    if (younger.size < limit) return;
    older = younger;
    younger = new Map();
  }

  return {
    remember,
    /** Whether this content is stored under the id; also false when the id is not remembered. */
    has(id: string, content: string): boolean {
      if (younger.get(id) === content) return true;
      if (younger.has(id) || older.get(id) !== content) return false;
      remember(id, content);
      return true;
    },
  };
}
