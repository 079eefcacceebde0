/** Keeps the most recently used values, `capacity` at most; makes those that are not there. */
export function createRecent<T>(capacity: number): { get(key: string, make: () => T): T } {
  const kept = new Map<string, T>();
  return {
    get: (key, make) => {
      const value = kept.get(key) ?? make();
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
