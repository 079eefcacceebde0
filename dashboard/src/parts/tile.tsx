/** The first letter of an app's name, in place of an icon. */
export function Tile({ name }: { name: string | null }) {
  const [letter = '?'] = (name ?? '').replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return (
    <span class={`tile tile-${(letter.codePointAt(0) ?? 0) % 6}`} aria-hidden="true">
      {letter}
    </span>
  );
}
