/** What stands at a place in JSON, by indices and keys; undefined when the way there ends early. */
export function valueAt(data: unknown, path: readonly (number | string)[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<number | string, unknown>)[step];
  }
  return value;
}
