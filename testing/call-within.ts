/** The context of a call that a test makes. The deadline is a way out, unless the test is about deadlines. */
export function callWithin(ms = 60_000): { requestId: string; deadline: Date } {
  return { requestId: 'request-1', deadline: new Date(Date.now() + ms) };
}

/** Waits for the deadline. Timers fire in the order of their times, so what ends before it ends first on a busy machine, too. */
export function passDeadline({ deadline }: { deadline: Date }): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, deadline.getTime() - Date.now()));
}
