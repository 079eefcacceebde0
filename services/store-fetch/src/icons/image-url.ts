import type { Store } from '@shelfwise/facts/stores/store';

/**
 * The image servers of the stores, as in the addresses of recorded answers. Of googleusercontent.com only these names: others
 * belong to customers of Google.
 */
const imageHosts: Readonly<Record<Store, RegExp>> = {
  ITUNES: /^[a-z0-9-]+\.mzstatic\.com$/,
  GPLAY: /^(play-)?lh[0-9]?\.(googleusercontent|ggpht)\.com$/,
};

/** Pixels of a side: pages show 24, and screens have up to three for each. */
const side = 72;

/**
 * Where the icon with this address is read; null: nowhere, because it is not on an image server of the store. `origins`: those of the
 * configured store, which may be a test store on this machine.
 */
export function toImageUrl(store: Store, address: string, origins: ReadonlySet<string>): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return null;
  if (origins.has(url.origin)) return url;
  if (url.protocol !== 'https:' || url.port !== '' || !imageHosts[store].test(url.hostname)) return null;
  return toSmall(store, url);
}

/** An address of another form stays: it may be too large to be shown. That both servers scale images is an assumption, not measured. */
function toSmall(store: Store, url: URL): URL {
  const small = new URL(url);
  small.pathname =
    store === 'ITUNES'
      ? url.pathname.replace(/\/\d+x\d+([a-z0-9-]*\.(?:png|jpe?g|webp))$/, `/${side}x${side}$1`)
      : `${url.pathname.replace(/=[a-z0-9-]*$/, '')}=s${side}`;
  return small;
}
