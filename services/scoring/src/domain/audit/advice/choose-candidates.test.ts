import { chooseCandidates, type Knowledge, trackedRequests } from './choose-candidates.ts';

type Found = Parameters<typeof chooseCandidates>[0];
type Known = Partial<{ measured: string[]; known: string[]; requested: string[] }>;

const knowledge = ({ measured = [], known = [], requested = [] }: Known): Knowledge => ({
  isMeasured: (keyword) => measured.includes(keyword),
  isKnown: (keyword) => known.includes(keyword),
  requested: new Set(requested),
});
const choose = (found: Partial<Found>, known: Known = {}) =>
  chooseCandidates({ description: [], titles: [], pages: [], ...found }, 'en-US', knowledge(known));
const requestedFor = (tracked: string[], known: Known = {}) =>
  trackedRequests(tracked, 'en-US', knowledge(known));

const named = (start: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${start}${String.fromCharCode(97 + at)}`);
const namesOf = ({ sources }: ReturnType<typeof chooseCandidates>) => sources.map(({ keyword }) => keyword);

test('the sources take turns, and a term that several have shows titles before description and pages', () => {
  const { sources } = choose({
    description: ['grid', 'mosaic'],
    titles: ['collage', 'grid'],
    pages: ['frame'],
  });
  expect(sources).toEqual([
    { keyword: 'grid', source: 'titles' },
    { keyword: 'collage', source: 'titles' },
    { keyword: 'frame', source: 'pages' },
    { keyword: 'mosaic', source: 'description' },
  ]);
});

test('a term comes with its words and phrases, and those that nothing else needs are measured', () => {
  const chosen = choose({ titles: ['photo collage maker'] }, { measured: ['photo'], known: ['collage'] });
  expect(chosen.terms.toSorted()).toEqual([
    'collage',
    'collage maker',
    'maker',
    'photo',
    'photo collage',
    'photo collage maker',
  ]);
  expect(chosen.requests.toSorted()).toEqual([
    'collage maker',
    'maker',
    'photo collage',
    'photo collage maker',
  ]);
});

test('at most fifteen are measured; a term that needs more is passed over', () => {
  const chosen = choose({ titles: [...named('word', 14), 'photo collage', 'grid', 'frame'] });
  expect(chosen.requests).toEqual([...named('word', 14), 'grid']);
  expect(namesOf(chosen)).toEqual([...named('word', 14), 'grid']);
});

test('those that were chosen to be measured go on to count, although they are known by now', () => {
  const titles = named('word', 20);
  const { requests } = choose({ titles });
  const next = choose(
    { titles: [...requests, 'grid', 'frame'] },
    { known: [...requests, 'frame'], requested: requests },
  );
  expect(next.requests).toEqual(requests);
  expect(namesOf(next)).toEqual([...requests, 'frame']);
});

test('tracked terms have the words and phrases measured that nothing else needs', () => {
  expect(
    requestedFor(['photo collage', 'photo grid'], { measured: ['photo collage', 'photo grid'] }),
  ).toEqual(['photo', 'collage', 'grid']);
  expect(requestedFor(['photo collage'], { measured: ['photo collage'], known: ['photo'] })).toEqual([
    'collage',
  ]);
});

test('at most five are measured for tracked terms; a term that needs more is passed over', () => {
  const tracked = ['photo collage maker', 'grid frame poster', 'story', 'mosaic'];
  const measured = tracked.slice(0, 2);
  const requests = requestedFor(tracked, { measured });
  expect(requests).toEqual(['photo', 'collage', 'maker', 'photo collage', 'collage maker']);
  expect(requestedFor(tracked, { measured, known: requests, requested: requests })).toEqual(requests);
  expect(requestedFor(['a grid of many photos'])).toEqual([]);
});

test('at most thirty are chosen, and none of more than three words', () => {
  const many = [...named('word', 20), ...named('term', 20)];
  expect(namesOf(choose({ pages: ['a grid of many photos', ...many] }, { known: many }))).toEqual(
    many.slice(0, 30),
  );
});
