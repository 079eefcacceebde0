/** A way out for what never comes; far longer than a busy machine needs. */
const giveUpMs = 60_000;

/** Waits until the condition is true. Fails after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + giveUpMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`condition not met within a minute: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
