/** Tells one who waits that something is new; a ring before he waits is not lost, and two are one. */
export function createBell() {
  let isRung = false;
  let tell = () => {};
  return {
    ring(): void {
      isRung = true;
      tell();
    },
    /** Resolves at the next ring, or at once when it has rung since the last one was heard. */
    async heard(): Promise<void> {
      if (!isRung)
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      isRung = false;
    },
  };
}
