import type { StoreListing } from './listing-fields.ts';

/** How the pictures of a listing differ from those of its previous revision. Null: one of the two is not known. */
export type ImageChanges = {
  icon_changed: boolean | null;
  screenshots_added: number | null;
  screenshots_removed: number | null;
};

type Images = Pick<StoreListing, 'icon' | 'screenshots' | 'unreadable'>;

/** Screenshots are compared as a set: another order is no change. */
export function compareImages(before: Images, after: Images): ImageChanges {
  const isKnown = (listing: Images) => !listing.unreadable.includes('screenshots');
  const [old, fresh] = [keysOf(before), keysOf(after)];
  const areKnown = isKnown(before) && isKnown(after);
  return {
    icon_changed: compareIcons(before.icon, after.icon),
    screenshots_added: areKnown ? countMissing(fresh, old) : null,
    screenshots_removed: areKnown ? countMissing(old, fresh) : null,
  };
}

/**
 * The App Store gives the icon of each build another address, whatever it shows. So another one there does not say that the picture
 * differs.
 */
function compareIcons(before: string | null, after: string | null): boolean | null {
  if (before === null || after === null) return null;
  if (keyOf(before) === keyOf(after)) return false;
  return applePathOf(before) !== null && applePathOf(after) !== null ? null : true;
}

export function changedImages(images: ImageChanges): ('icon' | 'screenshots')[] {
  const { icon_changed: isOtherIcon, screenshots_added: added, screenshots_removed: removed } = images;
  return [
    ...(isOtherIcon ? (['icon'] as const) : []),
    ...(added || removed ? (['screenshots'] as const) : []),
  ];
}

const keysOf = ({ screenshots }: Images) => new Set(screenshots.map(keyOf));

function countMissing(keys: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...keys].filter((key) => !others.has(key)).length;
}

/** What stays the same when a store shows one picture again. Google Play names the size after an equals sign. */
function keyOf(address: string): string {
  const apple = applePathOf(address);
  if (apple !== null) return apple;
  return /^(https:\/\/[^/]+\.(?:googleusercontent|ggpht)\.com\/[^=]+)=/.exec(address)?.[1] ?? address;
}

/**
 * Null: not an address of the App Store. It names any of several hosts, then any of several storages (`Purple114`), and the size as
 * the last part of the path.
 */
function applePathOf(address: string): string | null {
  const path = /^https:\/\/is\d+-ssl\.mzstatic\.com\/image\/thumb\/[^/]+\/(.+)\/[^/]+$/.exec(address);
  return path?.[1] ?? null;
}
