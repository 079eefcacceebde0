/** A way out for what never comes; far longer than a busy machine needs. */
const giveUpMs = 60_000;

/** Between two looks. A condition that must be awaited is often a query, which takes time from what it waits for. */
const pauseMs = { immediate: 2, awaited: 10 };

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
    const answer = condition();
    if (await answer) return;
    if (Date.now() > giveUpAt) throw new Error(`condition not met within a minute: ${condition}`);
    const ms = everyMs ?? (typeof answer === 'boolean' ? pauseMs.immediate : pauseMs.awaited);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
