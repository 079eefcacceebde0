import {
  buildAuditInput,
  reportOf,
  searched,
  ungraded,
  unsearched,
} from '../../../../test/build-audit-input.ts';
import type { TermScore } from '../audit-input.ts';
import { termsIn } from '../words/listing-terms.ts';

const scoredAt = new Date('2026-03-09T04:00:00Z');

const onPage = (term: TermScore, rank: number | null): TermScore => ({
  ...term,
  page: {
    app_ids: Array.from({ length: 40 }, (_, at) => (at + 1 === rank ? 'com.example.lumen' : `other ${at}`)),
    genres: null,
  },
});

/** Their words and phrases that have no score are read, too: people do not search for them. */
function withWords(candidates: Record<string, TermScore | null>): Map<string, TermScore | null> {
  const parts = Object.keys(candidates).flatMap((name) => termsIn(name, 'en-US'));
  const scores = new Map<string, TermScore | null>(parts.map((part) => [part, unsearched]));
  for (const [name, score] of Object.entries(candidates)) scores.set(name, score);
  return scores;
}

/** What the flag of a subtitle with room says. */
function wordsToAdd(candidates: Record<string, TermScore | null> | null, subtitle = 'Edit') {
  const input = buildAuditInput('ITUNES', {
    texts: { title: 'Lumen Photo', subtitle },
    terms: { photo: searched(60, 50), edit: unsearched },
    candidates: candidates && withWords(candidates),
    sources: new Map(Object.keys(candidates ?? {}).map((name) => [name, 'titles'])),
  });
  const flag = reportOf(input).flags.find(({ code }) => code === 'SUBTITLE_UNDERUSED');
  return flag?.evidence.words_to_add;
}

test('a flag that asks for searched words lists them with their figures, best first', () => {
  const added = { source: 'titles', field: 'subtitle', genre_share: null };
  const found = wordsToAdd({
    collage: { ...onPage(searched(40, 25), 1), scored_at: scoredAt },
    filters: onPage(searched(50, 45), 5),
  });
  expect(found).toEqual([
    {
      ...added,
      name: 'filters',
      traffic: 50,
      difficulty: 45,
      relevance: 0.65,
      rank: 5,
      scored_at: null,
      global_delta: 15,
    },
    {
      ...added,
      name: 'collage',
      traffic: 40,
      difficulty: 25,
      relevance: 1,
      rank: 1,
      scored_at: scoredAt,
      global_delta: 14,
    },
  ]);
});

test('where terms are out of reach, or easier than necessary, others are listed, too', () => {
  const advisedBy = (code: string, photo: TermScore, edit: TermScore, ratings = 5_000) => {
    const input = buildAuditInput('ITUNES', {
      texts: { title: 'Photo', subtitle: 'Edit' },
      context: { rating_count: ratings },
      terms: { photo, edit },
      candidates: withWords({ grid: onPage(searched(60, 20), 1) }),
      sources: new Map([['grid', 'titles']]),
    });
    return reportOf(input).flags.find((flag) => flag.code === code)?.evidence.words_to_add;
  };
  const [hard, easy] = [onPage(searched(60, 95), 60), onPage(searched(20, 20), 1)];
  const listed = [{ name: 'grid', source: 'titles' }];
  expect(advisedBy('ALL_OUT_OF_REACH', hard, hard)).toMatchObject(listed);
  expect(advisedBy('MOSTLY_OUT_OF_REACH', hard, easy)).toMatchObject(listed);
  expect(advisedBy('TOO_EASY', easy, easy, 500_000)).toMatchObject(listed);
});

test('brands, irrelevant, unreachable, unsearched and ungraded terms are not listed, nor what the fields already have', () => {
  expect(
    wordsToAdd({
      rival: onPage(searched(90, 10, { app_id: 'other 0', developer_name: 'Somebody' }), 2),
      weather: onPage(searched(90, 10), null),
      glimmer: onPage(unsearched, 1),
      unread: ungraded(90),
      photos: onPage(searched(90, 10), 1),
      'edit photo': onPage(searched(90, 10), 1),
      hard: onPage(searched(90, 66), 31),
    }),
  ).toBeUndefined();
});

test('a term that leads to apps of other genres is listed only if the app is among the first ten for it', () => {
  const genres = (own: number) => [
    { key: '6006', apps: own },
    { key: '6009', apps: 10 - own },
  ];
  const withGenres = (rank: number | null, own: number): TermScore => {
    const term = onPage(searched(50, 20), rank);
    return { ...term, page: { app_ids: term.page?.app_ids ?? [], genres: genres(own) } };
  };
  expect(
    wordsToAdd({
      news: withGenres(null, 1),
      skin: withGenres(28, 0),
      music: withGenres(28, 4),
      sports: withGenres(null, 10),
      radio: withGenres(9, 0),
    }),
  ).toMatchObject([
    { name: 'radio', genre_share: 0 },
    { name: 'music', genre_share: 0.4 },
  ]);
});

test('so is a phrase whose words the description only has apart', () => {
  const genres = [{ key: '6009', apps: 10 }];
  const candidates = withWords({
    'restore old': { ...onPage(searched(50, 20), null), page: { app_ids: ['other'], genres } },
    'old garden': { ...onPage(searched(50, 20), null), page: { app_ids: ['other'], genres } },
  });
  const advised = (description: string) =>
    reportOf(
      buildAuditInput('ITUNES', {
        texts: { title: 'Lumen Photo', subtitle: 'Edit' },
        live_description: description,
        terms: { photo: searched(60, 50), edit: unsearched },
        candidates,
        sources: new Map([
          ['restore old', 'titles'],
          ['old garden', 'titles'],
        ]),
      }),
    ).flags.find(({ code }) => code === 'SUBTITLE_UNDERUSED')?.evidence.words_to_add;
  expect(advised('Restore an old garden.')).toMatchObject([{ name: 'old garden' }]);
  expect(advised('Restore old gardens.')).toMatchObject([{ name: 'old garden' }, { name: 'restore old' }]);
  expect(advised('Restore what is old.')).toEqual([]);
});

test('a phrase of which a better one has all further words is left out', () => {
  const found = wordsToAdd({
    'photo collage': onPage(searched(50, 20), 1),
    collage: onPage(searched(40, 20), 1),
    'collage maker': onPage(searched(30, 20), 1),
  });
  expect(found).toMatchObject([{ name: 'photo collage' }, { name: 'collage maker' }]);
});

test('at most ten are listed', () => {
  const many = Object.fromEntries(
    Array.from({ length: 14 }, (_, at) => [
      `word${String.fromCharCode(97 + at)}`,
      onPage(searched(50 + at, 20), 1),
    ]),
  );
  expect(wordsToAdd(many)).toHaveLength(10);
});

test('that there is none is said once all are read, and not before', () => {
  const rare = { ...searched(2, 25), search_status: 'unsearched' as const };
  expect(wordsToAdd(null)).toBeUndefined();
  expect(wordsToAdd({ collage: null, grid: rare })).toBeUndefined();
  expect(wordsToAdd({ grid: rare })).toEqual([]);
  expect(wordsToAdd({})).toEqual([]);
});

test('words of a rival’s brand are not listed, also within a phrase, nor phrases with a word that is not read', () => {
  const rival = { app_id: 'other 0', developer_name: 'Somebody' };
  const candidates = {
    'music for youtube': onPage(searched(60, 20), 1),
    youtube: onPage(searched(90, 20, rival), 1),
    'photo collage': onPage(searched(40, 20), 1),
    collage: null,
  };
  expect(wordsToAdd(candidates)).toBeUndefined();
  expect(wordsToAdd({ ...candidates, collage: unsearched })).toMatchObject([{ name: 'photo collage' }]);
});

test('a term that does not fit, or costs more than it brings, is not listed', () => {
  const long = 'collage of a thousand memories';
  expect(
    wordsToAdd({ [long]: onPage(searched(60, 20), 1), grid: onPage(searched(60, 20), 1) }),
  ).toMatchObject([{ name: 'grid' }]);
});
