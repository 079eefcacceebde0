import { useState } from 'preact/hooks';
import { Tile } from './tile.tsx';

/** Pixels of a side, as in style.css. */
const side = 24;

/**
 * An app's icon, over the first letter of its name: the letter stays while the icon is not there. The gateway finds its address by
 * the app, so that a page loads nothing of others.
 * @param id of the app in its store
 * @param hasIcon whether the store has shown one; false: nothing is loaded
 */
export function AppIcon({
  store,
  id,
  name,
  hasIcon,
}: {
  store: string;
  id: string;
  name: string | null;
  hasIcon: boolean;
}) {
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <span class={`icon${isLoaded ? ' loaded' : ''}`}>
      <Tile name={name} />
      {hasIcon && (
        <img
          src={`/dashboard/icons/${store}/${encodeURIComponent(id)}`}
          width={side}
          height={side}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setIsLoaded(true)}
        />
      )}
    </span>
  );
}
