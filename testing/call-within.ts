/** The context of a call that a test makes. The deadline is a way out, unless the test is about deadlines. */
export function callWithin(ms = 60_000): { requestId: string; deadline: Date } {
  return { requestId: 'request-1', deadline: new Date(Date.now() + ms) };
}
