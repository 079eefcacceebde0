/**
 * Waits for a time that another process measures, such as the session of a Kafka consumer. A test asserts nothing about
 * how long it took; for a state of this process it uses `until`.
 */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
