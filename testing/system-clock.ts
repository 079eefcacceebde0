/** The clock that a process is given, where the time does not matter to a test. Never goes back, in ms. */
export const monotonicMs = () => performance.now();

/** For a process whose clock a test cannot set. */
export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
