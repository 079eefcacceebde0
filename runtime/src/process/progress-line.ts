export type ProgressLine = {
  show(text: string, nowMs: number): void;
  /** Clears the line on a terminal. */
  end(): void;
};

const printEveryMs = 5000;

/** Shows progress: one line that is overwritten on a terminal, else a new line every five seconds. */
export function createProgressLine(stream: {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}): ProgressLine {
  let printedAtMs = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show(text, nowMs) {
      if (stream.isTTY) {
        stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
        isOpen = true;
        return;
      }
      if (nowMs - printedAtMs < printEveryMs) return;
      printedAtMs = nowMs;
      stream.write(`${text}\n`);
    },
    end() {
      if (isOpen) stream.write('\r\u001b[K');
      isOpen = false;
    },
  };
}
