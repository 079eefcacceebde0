import { mix, pick, unit } from './random.ts';

const secondHalves =
  'loom fold moor wick nook grove fern lark otter quill vane mill field haven path leaf well stone brook kite finch thistle harbor ember cove dell wren pine oak acre barrow beacon hollow lantern meadow orchard pebble rook sable tern umber willow yarrow'.split(
    ' ',
  );
const gamePlaces =
  'Orchard Harbor Isle Hollow Valley Parade Garden Lagoon Summit Canyon Village Meadow Bazaar Lighthouse Caravan Festival Workshop Observatory Reef Castle Clockwork Carnival Frontier Grove Kingdom Tavern Archipelago Cove Ridge Terrace'.split(
    ' ',
  );
const heads = 'Lu Ve Bri Ta No Mi Ka Ori Sel Fen Dra Pel Zan Wil Quo Har Mar El Tor Ny'.split(' ');
const middles = 'mo va ri do le na so ti ra vi zo be lu che dri'.split(' ');
const tails = 'ra no li to via lo lin vo ma ry del sa rix wen quin bo'.split(' ');

/** Real names and other unwanted words, in lowercase, that the syllables here, now or later, could form. */
const realNames = new Set(
  'bribery harlequin inkwell deepwell verano micheli martino novato runwell walkwell vitawell instagram evernote notion strava canva venmo trello zillow kahoot tinder viber vimeo asana pinterest spotify duolingo headspace calm mint robinhood coinbase cashapp paypal klarna revolut shazam soundcloud audible kindle goodreads tiktok youtube netflix whatsapp telegram snapchat picsart lightroom snapseed vsco capcut inshot kinemaster photoroom facetune fitbit myfitnesspal noom peloton airbnb booking expedia tripadvisor waze uber lyft doordash grubhub yelp etsy ebay amazon walmart target shein temu candycrush clashroyale roblox minecraft pokemon monopoly uno wordle scrabble tetris sudoku solitaire farmville fruitninja templerun angrybirds subwaysurfers gardenscapes homescapes royalmatch coinmaster moneylion chime acorns betterment quickbooks freshbooks ynab pocketguard goodbudget goodnotes notability penultimate sketchbook procreate ibispaint'.split(
    ' ',
  ),
);

/** Creates fictional names: never the same one twice, and never one of the real names above. */
export function createBrandNames(): (
  firstHalves: string,
  options: { seed: number; game: boolean },
) => string {
  const taken = new Set<string>();
  return (firstHalves, { seed, game }) => {
    for (let attempt = 0; ; attempt++) {
      const name = nameFrom(firstHalves.split(' '), mix(seed, attempt), game);
      const letters = name.toLowerCase().replaceAll(' ', '');
      if (taken.has(letters) || realNames.has(letters)) continue;
      taken.add(letters);
      return name;
    }
  };
}

function nameFrom(firstHalves: readonly string[], seed: number, game: boolean): string {
  const first = pick(firstHalves, mix(seed, 1));
  if (game) return `${first} ${pick(gamePlaces, mix(seed, 2))}`;
  const style = unit(mix(seed, 3));
  if (style < 0.42)
    return pick(heads, mix(seed, 4)) + pick(middles, mix(seed, 5)) + pick(tails, mix(seed, 6));
  const second = pick(secondHalves, mix(seed, 7));
  if (style < 0.85 && first.length + second.length <= 12) return first + second;
  return `${first} ${second.slice(0, 1).toUpperCase()}${second.slice(1)}`;
}
