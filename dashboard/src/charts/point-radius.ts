/** Pixels. A point that no line leads to is larger, because nothing else shows it. */
export function pointRadius(pointsOfLine: number, isOwn: boolean): number {
  return (isOwn ? 3 : 2) + (pointsOfLine === 1 ? 1.5 : 0);
}
