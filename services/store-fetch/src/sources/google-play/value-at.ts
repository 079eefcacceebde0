/** The value at a path of indices and keys in JSON; undefined when the path does not exist. */
export function valueAt(data: unknown, path: readonly (number | string)[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<number | string, unknown>)[step];
  }
  return value;
}
