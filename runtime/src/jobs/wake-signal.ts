/** Wakes one waiting loop. A signal that is raised before the wait is not lost; several signals count as one. */
export function createWakeSignal() {
  let isRaised = false;
  let wake = () => {};
  return {
    raise(): void {
      isRaised = true;
      wake();
    },
    /** Resolves when the signal is raised, or immediately if it was raised since the last wait. */
    async raised(): Promise<void> {
      if (!isRaised)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isRaised = false;
    },
  };
}
