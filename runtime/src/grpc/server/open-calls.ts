/** The calls that a server has begun. */
export type OpenCalls = {
  /** Whether the call may begin: not while the server drains. */
  begin(): boolean;
  end(): void;
  /** From now on no call begins. Resolves when none is open. */
  drain(): Promise<void>;
};

export function createOpenCalls(): OpenCalls {
  let count = 0;
  let isDraining = false;
  let onIdle = () => {};
  return {
    begin() {
      if (!isDraining) count++;
      return !isDraining;
    },
    end() {
      count--;
      if (count === 0) onIdle();
    },
    async drain() {
      isDraining = true;
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}
