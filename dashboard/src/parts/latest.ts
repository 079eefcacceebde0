/**
 * Calls one at a time, each for the newest value: values that came meanwhile are skipped.
 * @param call must not throw
 * @param pause between two calls
 */
export function createLatest<Value>(
  call: (value: Value) => Promise<void>,
  pause: () => Promise<void>,
): (value: Value) => void {
  let next: { value: Value } | null = null;
  let isBusy = false;

  async function run(): Promise<void> {
    isBusy = true;
    while (next !== null) {
      const { value } = next;
      next = null;
      await call(value);
      await pause();
    }
    isBusy = false;
  }

  return (value) => {
    next = { value };
    if (!isBusy) void run();
  };
}
