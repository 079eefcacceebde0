/** A way out for what never comes; far longer than a busy machine needs. */
const giveUpMs = 60_000;

const immediatePauseMs = 2;

/**
 * Between two looks that must be awaited. Such a condition is often a query or a call, which takes time from what it waits
 * for: a quarter of it, unless a look is very short or long.
 */
const pauseAfter = (lookMs: number) => Math.min(Math.max(3 * lookMs, 10), 250);

/**
 * Waits until the condition is true. Fails after a minute.
 * @param everyMs the pause between two looks; for conditions that spend what is limited, such as calls a minute
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { everyMs }: { everyMs?: number } = {},
): Promise<void> {
  const giveUpAt = Date.now() + giveUpMs;
  for (;;) {
    const startedAt = Date.now();
    const answer = condition();
    if (await answer) return;
    if (Date.now() > giveUpAt) throw new Error(`condition not met within a minute: ${condition}`);
    const ownMs = typeof answer === 'boolean' ? immediatePauseMs : pauseAfter(Date.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, everyMs ?? ownMs));
  }
}
