/** The clock that a process is given, where the time does not matter to a test. Never goes back, in ms. */
export const monotonicMs = () => performance.now();
