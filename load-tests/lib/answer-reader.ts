/** Takes the chunks of one answer after another; returns whether one has ended with this chunk. Answers have a content-length. */
export function createAnswerReader(onAnswer: (status: string) => void): (chunk: Buffer) => boolean {
  let head = '';
  /** null: the head is incomplete */
  let bytesLeft: number | null = null;
  return (chunk) => {
    if (bytesLeft === null) {
      head += chunk.toString('latin1');
      const headEnd = head.indexOf('\r\n\r\n');
      if (headEnd < 0) return false;
      const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      bytesLeft = headEnd + 4 + bodyBytes - head.length;
    } else bytesLeft -= chunk.length;
    if (bytesLeft > 0) return false;
    onAnswer(head.slice(9, 12));
    head = '';
    bytesLeft = null;
    return true;
  };
}
