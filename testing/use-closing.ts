/** What a test opens is closed after it, the newest first: add the functions that close to the result. */
export function useClosing(): (() => unknown)[] {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return closing;
}
