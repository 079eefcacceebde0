/** What a line of the scale is for, at both ends: a narrow page shows only the newest days. */
export function ScaleText({ start, end, y, text }: { start: number; end: number; y: number; text: string }) {
  return (
    <>
      <text x={start - 8} y={y + 4} text-anchor="end">
        {text}
      </text>
      <text x={end + 8} y={y + 4}>
        {text}
      </text>
    </>
  );
}
