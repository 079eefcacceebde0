import type { Store } from '@shelfwise/facts/stores/store';
import type { Tier } from '@shelfwise/facts/tiers';
import { buildAuditInput, searched, ungraded, unsearched } from '../../../../../test/build-audit-input.ts';
import type { Flag } from '../../aso-report.ts';
import type { AuditContext, TermScore } from '../../audit-input.ts';
import { readListing } from '../../read-listing.ts';
import { flagRules, raiseFlags } from './raise-flags.ts';

type Changes = Parameters<typeof buildAuditInput>[1];

function flagsOf(store: Store, changes: Changes, tier: Tier = 2): Flag[] {
  return raiseFlags(readListing(buildAuditInput(store, changes)), tier).flags;
}

function raises(code: string, store: Store, changes: Changes, tier?: Tier): boolean {
  return flagsOf(store, changes, tier).some((flag) => flag.code === code);
}

/** A listing that raises the code, and the most similar one that does not. */
type Case = [code: string, store: Store, raised: Changes, spared: Changes, tier?: Tier];

const photo = { photo: searched(60, 50) };
const named = (title: string, terms: NonNullable<Changes>['terms'] = photo): Changes => ({
  texts: { title },
  terms,
});
/** `grid` is in the title alone. */
const titledGrid = (terms: Readonly<Record<string, TermScore>>): Changes => ({
  texts: { title: 'Photo Grid', description: 'Photo' },
  terms,
});
const subtitled = (subtitle: string | null): Changes => ({
  texts: { title: 'Photo', subtitle },
  terms: photo,
});
const keyed = (kwField: string | null): Changes => ({
  texts: { title: 'Photo', kw_field: kwField },
  terms: photo,
});
const described = (description: string, terms: NonNullable<Changes>['terms'] = photo): Changes => ({
  texts: { title: 'Photo', description },
  terms,
});
const aiming = (...terms: ReturnType<typeof searched>[]): Changes => ({
  texts: { title: terms.map((_, at) => `Term${at}`).join(', ') },
  terms: Object.fromEntries(terms.map((term, at) => [`term${at}`, term])),
});
/** The terms are in the keywords field, which has room for many. */
const aimingMany = (terms: ReturnType<typeof searched>[]): Changes => {
  const names = terms.map((_, at) => `q${String.fromCharCode(97 + (at % 26))}${at < 26 ? '' : 'z'}`);
  return {
    texts: { title: 'The', subtitle: 'the', kw_field: names.join(',') },
    terms: Object.fromEntries(names.map((name, at) => [name, terms[at] ?? unsearched])),
  };
};
const seen = (context: Partial<AuditContext>): Changes => ({ context });
/** The same term, with the app at this rank of its page; null: not on it. */
const on = (rank: number | null, term: TermScore): TermScore => ({
  ...term,
  page: {
    app_ids: Array.from({ length: 100 }, (_, at) => (at + 1 === rank ? 'com.example.lumen' : `other ${at}`)),
    genres: null,
  },
});
const pending: TermScore = { ...ungraded(0), traffic: null, search_status: 'pending' };
const rival = { app_id: 'com.example.rival', developer_name: 'Rival Inc' };
const own = { app_id: 'com.example.lumen', developer_name: 'Somebody' };
const sister = { app_id: 'com.example.sister', developer_name: 'QUILLFOOT  works' };
const ofRival = searched(20, 20, rival);
const easy = searched(20, 20);
const toDo = { 'to do': unsearched, 'do list': unsearched, list: unsearched };
const zorb = { zorb: on(null, unsearched), quux: unsearched };
const lumen = { lumen: unsearched };
/** Rank 30 of the page spares what rank 31 does not. */
const beyond30 = (at: (rank: number) => Changes): [Changes, Changes] => [at(31), at(30)];

/** Searched much, and not the app's business. */
const far = on(null, searched(60, 20));

/** `words` words: `photo` `count` times, then distinct ones. */
function mentions(count: number, words: number): string {
  return Array.from({ length: words }, (_, at) => (at < count ? 'photo' : `w${at}`)).join(' ');
}

const cases: Case[] = [
  ['TITLE_EMPTY', 'ITUNES', named(' '), named('Photo')],
  ['TITLE_NO_SEARCHED_WORD', 'ITUNES', named('Lumen', lumen), named('Lumen', { lumen: ungraded(9) })],
  ['TITLE_NO_SEARCHED_WORD', 'GPLAY', named('Lumen', lumen), named('Lumen', {})],
  [
    'TITLE_NO_SEARCHED_WORD',
    'ITUNES',
    named('To Do List', { ...toDo, 'to do list': unsearched }),
    named('To Do List', { ...toDo, 'to do list': searched(60, 50) }),
  ],
  [
    'TITLE_NO_SEARCHED_WORD',
    'GPLAY',
    named('Lumen Glow', { lumen: unsearched, glow: unsearched, 'lumen glow': unsearched }),
    named('Lumen Glow', { lumen: unsearched, glow: unsearched }),
  ],
  [
    'TITLE_BRAND_ONLY',
    'ITUNES',
    named('The Quillfoot', { quillfoot: unsearched }),
    named('The Quillfoot Photo', { quillfoot: unsearched, ...photo }),
  ],
  ['TITLE_BRAND_ONLY', 'ITUNES', named('Quillfoot', { quillfoot: unsearched }), named('Quillfoot', {})],
  [
    'TITLE_BRAND_ONLY',
    'GPLAY',
    named('Lumen', { lumen: searched(20, 20, own) }),
    named('Lumen', { lumen: ofRival }),
    1,
  ],
  ['TITLE_UNDERUSED', 'ITUNES', named('Photo 12345678901'), named('Photo 123456789012')],
  ['SUBTITLE_EMPTY', 'ITUNES', subtitled(''), subtitled(null)],
  ['SHORT_DESCRIPTION_EMPTY', 'GPLAY', subtitled(''), subtitled('Edit')],
  ['SUBTITLE_UNDERUSED', 'ITUNES', subtitled('x'.repeat(19)), subtitled('x'.repeat(20))],
  ['SUBTITLE_UNDERUSED', 'GPLAY', subtitled('x'.repeat(51)), subtitled('x'.repeat(52))],
  ['SUBTITLE_DUPLICATES_TITLE', 'ITUNES', subtitled('Edit any photo'), subtitled('Edit any picture')],
  ['SUBTITLE_DUPLICATES_TITLE', 'GPLAY', subtitled('Edit any photo'), subtitled('Edit and crop any photo')],
  [
    'SUBTITLE_DUPLICATES_TITLE',
    'ITUNES',
    { texts: { title: 'Lumen', subtitle: 'Lumen' }, terms: { lumen: unsearched } },
    { texts: { title: 'The', subtitle: 'The' }, terms: {} },
  ],
  [
    'SUBTITLE_DUPLICATES_TITLE',
    'ITUNES',
    { texts: { title: 'Mystery', subtitle: 'Mystery' }, terms: {} },
    { texts: { title: 'Mystery', subtitle: 'Reference' }, terms: {} },
  ],
  [
    'KW_FIELD_REPEATS',
    'ITUNES',
    { texts: { title: 'Lumen', kw_field: 'lumen' }, terms: { lumen: unsearched } },
    { texts: { title: 'The', kw_field: 'the' }, terms: {} },
  ],
  [
    'KW_FIELD_REPEATS',
    'ITUNES',
    keyed('photo,reference'),
    { ...keyed('reference,quillfoot'), terms: { reference: searched(40, 40), quillfoot: ungraded(20) } },
  ],
  ['KW_FIELD_UNKNOWN', 'ITUNES', keyed(null), keyed('')],
  ['KW_FIELD_EMPTY', 'ITUNES', keyed(''), keyed('edit')],
  ['KW_FIELD_UNDERUSED', 'ITUNES', keyed('x'.repeat(89)), keyed('x'.repeat(90))],
  ['KW_FIELD_REPEATS', 'ITUNES', keyed('edit,photo'), keyed('edit,picture')],
  ['KW_FIELD_REPEATS', 'ITUNES', keyed('edit,picture,edit'), keyed('edit,picture')],
  ['KW_FIELD_SPACES', 'ITUNES', keyed('edit, picture'), keyed('edit picture,collage')],
  ['KW_FIELD_PHRASES', 'ITUNES', keyed('edit picture,collage'), keyed('edit,picture,collage')],
  ['KW_FIELD_STOPWORDS', 'ITUNES', keyed('the,edit'), keyed('edit,picture')],
  [
    'KW_FIELD_STOPWORDS',
    'ITUNES',
    { ...keyed('quillfoot,edit'), terms: { quillfoot: searched(40, 40) } },
    { ...keyed('quillfoot,edit'), terms: { quillfoot: searched(40, 40) }, developer_name: 'Oak Works' },
  ],
  ['DESCRIPTION_THIN', 'GPLAY', described('x'.repeat(999)), described('x'.repeat(1_000))],
  ['DESCRIPTION_MISSES_TARGETS', 'GPLAY', described('A collage'), described('A photo collage')],
  ['KEYWORD_STUFFING', 'GPLAY', described('photo '.repeat(4)), described('photo '.repeat(3))],
  ['KEYWORD_STUFFING', 'GPLAY', described(mentions(4, 133)), described(mentions(4, 134))],
  ['KEYWORD_STUFFING', 'GPLAY', described(mentions(6, 250)), described(mentions(5, 250))],
  ['FIELD_OVER_LIMIT', 'ITUNES', named('x'.repeat(31)), named('x'.repeat(30))],
  ['FIELD_OVER_LIMIT', 'ITUNES', described('x'.repeat(4_001)), described(`\r\n${'x'.repeat(3_999)}`)],
  ['FORBIDDEN_COPY', 'GPLAY', named('Best Photo'), named('Bestow Photo')],
  ['FORBIDDEN_COPY', 'ITUNES', named('Best Photo'), named('Bestow Photo')],
  ['FORBIDDEN_COPY', 'GPLAY', named('Photo 📷'), described('Photo 📷')],
  ['FORBIDDEN_COPY', 'GPLAY', named('PHOTO EDITOR'), named('x'.repeat(31))],
  ['FORBIDDEN_COPY', 'GPLAY', named('Photo !!!'), named('')],
  ['FORBIDDEN_COPY', 'ITUNES', named('Photo 📷'), described('Photo 📷')],
  ['FORBIDDEN_COPY', 'ITUNES', subtitled('Edit ✨'), named('Photo ★')],
  [
    'IRRELEVANT_WORDS',
    'ITUNES',
    ...beyond30((rank) =>
      named('Photo Pier Radio', { ...photo, pier: far, radio: far, 'pier radio': on(rank, easy) }),
    ),
  ],
  [
    'IRRELEVANT_WORDS',
    'ITUNES',
    named('Photo Pier Radio', { ...photo, pier: far, radio: far, 'pier radio': on(1, unsearched) }),
    named('Photo Pier Radio', { ...photo, pier: far, radio: far, 'pier radio': on(1, easy) }),
  ],
  [
    'TARGETS_RIVAL_BRAND',
    'ITUNES',
    { ...named('Lumen: Photo', { lumen: on(null, ofRival) }), live_title: 'Harbour: Photo' },
    { ...named('Lumen: Photo', { lumen: on(null, ofRival) }), live_title: 'Lumen: Notes' },
  ],
  [
    'KW_FIELD_PHRASES',
    'ITUNES',
    ...beyond30((rank) => ({
      ...keyed('photo editor'),
      terms: { ...photo, 'photo editor': on(rank, easy) },
    })),
  ],
  [
    'DESCRIPTION_MISSES_TARGETS',
    'GPLAY',
    titledGrid({ ...photo, grid: on(30, searched(60, 20)) }),
    titledGrid({ ...photo, grid: far }),
  ],
  [
    'UNSEARCHED_WORDS_HIGH',
    'ITUNES',
    ...beyond30((rank) => named('Zorb Quux', { ...zorb, 'zorb quux': on(rank, searched(70, 20)) })),
  ],
  [
    'UNSEARCHED_WORDS_HIGH',
    'ITUNES',
    named('Photo Lumen Glimmer', { ...photo, lumen: unsearched, glimmer: unsearched }),
    named('Photo Lumen', { ...photo, lumen: unsearched }),
  ],
  ['NO_SEARCHED_TERM', 'ITUNES', aiming(unsearched), aiming(ungraded(20))],
  [
    'ALL_OUT_OF_REACH',
    'ITUNES',
    aiming(searched(20, 66), searched(30, 90)),
    aiming(searched(20, 65), searched(30, 90)),
  ],
  ['ALL_OUT_OF_REACH', 'ITUNES', aiming(searched(20, 66)), aiming(searched(20, 66), ungraded(5))],
  [
    'MOSTLY_OUT_OF_REACH',
    'ITUNES',
    aiming(searched(21, 66), searched(20, 5)),
    aiming(searched(20, 66), searched(20, 5)),
  ],
  [
    'MOSTLY_OUT_OF_REACH',
    'ITUNES',
    aiming(searched(60, 66), searched(59, 5)),
    aiming(searched(60, 66), searched(59, 5), ungraded(8)),
  ],
  ['NO_REACHABLE_TERM', 'ITUNES', aiming(searched(20, 46)), aiming(searched(20, 45))],
  ['TARGETS_RIVAL_BRAND', 'ITUNES', aiming(unsearched, ofRival), aiming(unsearched, searched(20, 20, own))],
  [
    'NO_REACHABLE_TERM',
    'ITUNES',
    aiming(searched(20, 50, rival), searched(30, 60)),
    aiming(searched(20, 50, own), searched(30, 60)),
  ],
  [
    'TARGETS_RIVAL_BRAND',
    'ITUNES',
    named('Harbour Glow: Photo', { ...photo, harbour: ofRival }),
    named('Harbour Glow: Photo', { ...photo, 'harbour glow': ofRival }),
  ],
  [
    'TARGETS_RIVAL_BRAND',
    'ITUNES',
    named('Photo Lumen', { lumen: ofRival }),
    named('Lumen – Photo', { lumen: ofRival }),
  ],
  [
    'TARGETS_RIVAL_BRAND',
    'ITUNES',
    named('Photo: Glow-Up', { 'glow-up': ofRival }),
    named('Glow-Up - Photo', { 'glow-up': ofRival }),
  ],
  ['TARGETS_RIVAL_BRAND', 'GPLAY', aiming(unsearched, ofRival), aiming(unsearched, searched(20, 20, sister))],
  ['TARGETS_RIVAL_BRAND', 'ITUNES', ...beyond30((rank) => aiming(unsearched, on(rank, ofRival)))],
  [
    'IRRELEVANT_WORDS',
    'ITUNES',
    aiming(searched(74, 20), on(null, searched(26, 20))),
    aiming(searched(75, 20), on(null, searched(25, 20))),
  ],
  [
    'IRRELEVANT_WORDS',
    'ITUNES',
    aiming(searched(97, 20), on(null, searched(99, 20)), pending),
    aiming(searched(97, 20), on(null, searched(99, 20)), pending, pending),
  ],
  [
    'IRRELEVANT_WORDS',
    'ITUNES',
    aiming(searched(40, 20), on(40, searched(60, 20))),
    aiming(searched(40, 20), on(30, searched(60, 20))),
  ],
  [
    'IRRELEVANT_WORDS',
    'ITUNES',
    ...beyond30((rank) => aiming(searched(40, 20), on(rank, searched(60, 20, rival)))),
  ],
  [
    'IRRELEVANT_WORDS',
    'ITUNES',
    named('Photo Lumen', { ...photo, lumen: on(null, searched(60, 20, rival)) }),
    named('Lumen – Photo', { ...photo, lumen: on(null, searched(60, 20, rival)) }),
  ],
  [
    'UNSEARCHED_WORDS_HIGH',
    'ITUNES',
    ...beyond30((rank) =>
      named('Photo Lumen Glimmer', { ...photo, lumen: on(rank, unsearched), glimmer: unsearched }),
    ),
  ],
  [
    'KW_FIELD_REPEATS',
    'ITUNES',
    ...beyond30((rank) => ({ ...keyed('photos'), terms: { ...photo, photos: on(rank, searched(40, 40)) } })),
  ],
  [
    'LOW_DEMAND_FOCUS',
    'ITUNES',
    aiming(searched(14, 5), searched(15, 5)),
    aiming(searched(14, 5), searched(16, 5)),
  ],
  ['LOW_DEMAND_FOCUS', 'ITUNES', aiming(searched(14, 5)), aiming(searched(14, 5), ungraded(5))],
  ['TOO_EASY', 'ITUNES', aiming(searched(50, 24)), aiming(searched(50, 24), searched(50, 25)), 3],
  [
    'UNGRADED_TERMS_HIGH',
    'ITUNES',
    aiming(ungraded(20), ungraded(20), searched(9, 9)),
    aiming(ungraded(20), searched(9, 9)),
  ],
  ['RATING_NONE', 'ITUNES', seen({ rating: null }), seen({ rating: 1 })],
  ['RATING_NONE', 'GPLAY', seen({ rating_count: 0 }), seen({ rating_count: 1 })],
  ['RATING_LOW', 'ITUNES', seen({ rating: 3.99 }), seen({ rating: 4 })],
  ['RATINGS_FEW', 'ITUNES', seen({ rating_count: 49 }), seen({ rating_count: 50 })],
  ['RATINGS_FEW', 'ITUNES', seen({ rating_count: 1 }), seen({ rating_count: null })],
  ['SCREENSHOTS_NONE', 'ITUNES', seen({ screenshots: 0 }), seen({ screenshots: 1 })],
  ['SCREENSHOTS_FEW', 'ITUNES', seen({ screenshots: 4 }), seen({ screenshots: 5 })],
  ['LISTING_ABANDONED', 'ITUNES', seen({ days_since_update: 366 }), seen({ days_since_update: 365 })],
  ['LISTING_STALE', 'ITUNES', seen({ days_since_update: 91 }), seen({ days_since_update: 90 })],
  ['LISTING_STALE', 'ITUNES', seen({ days_since_update: 365 }), seen({ days_since_update: 366 })],
  ['DESCRIPTION_EMPTY', 'ITUNES', described(' '), described('Edit')],
  ['NO_VIDEO', 'ITUNES', seen({ has_video: false }), seen({ has_video: null })],
  ['SINGLE_LANGUAGE', 'ITUNES', seen({ language_count: 1 }), seen({ language_count: 2 })],
  ['SINGLE_LANGUAGE', 'GPLAY', seen({ language_count: 1 }), seen({ language_count: null })],
];

test.each(cases)(
  '%s is raised on %s from its threshold on, not before',
  (code, store, raised, spared, tier = 2) => {
    expect(raises(code, store, raised, tier)).toBe(true);
    expect(raises(code, store, spared, tier)).toBe(false);
  },
);

test('every flag has at least one case here', () => {
  const codes = Object.values(flagRules).flatMap((rules) => rules.map(({ code }) => code));
  expect(new Set(cases.map(([code]) => code))).toEqual(new Set(codes));
});

test.each<[string, Store, Changes, Tier?]>([
  ['SUBTITLE_EMPTY', 'GPLAY', subtitled('')],
  ['SHORT_DESCRIPTION_EMPTY', 'ITUNES', subtitled('')],
  ['DESCRIPTION_THIN', 'ITUNES', described('')],
  ['DESCRIPTION_EMPTY', 'GPLAY', described('')],
  ['KEYWORD_STUFFING', 'ITUNES', described('photo '.repeat(9))],
  ['KW_FIELD_UNKNOWN', 'GPLAY', keyed(null)],
  ['SINGLE_LANGUAGE', 'ITUNES', seen({ language_count: null })],
  ['TITLE_BRAND_ONLY', 'ITUNES', named('Quillfoot', { quillfoot: unsearched }), 3],
  ['TOO_EASY', 'ITUNES', aiming(searched(50, 24)), 2],
  ['LISTING_STALE', 'ITUNES', seen({ days_since_update: null })],
  ['NO_REACHABLE_TERM', 'ITUNES', aiming(searched(50, 99))],
  ['MOSTLY_OUT_OF_REACH', 'ITUNES', aiming(searched(50, 99))],
])('%s is not raised where it does not apply (%s)', (code, store, changes, tier = 2) => {
  expect(raises(code, store, changes, tier)).toBe(false);
});

const unreadSubtitle = (terms: Changes): Changes => ({
  ...terms,
  texts: { ...terms?.texts, subtitle: null },
});

test.each<[string, Changes, Tier]>([
  ['NO_SEARCHED_TERM', aiming(unsearched), 2],
  ['ALL_OUT_OF_REACH', aiming(searched(20, 66)), 2],
  ['NO_REACHABLE_TERM', aiming(searched(20, 46)), 2],
  ['TOO_EASY', aiming(searched(50, 24)), 3],
])('%s is not raised while the subtitle has not been read', (code, changes, tier) => {
  expect(raises(code, 'ITUNES', changes, tier)).toBe(true);
  expect(raises(code, 'ITUNES', unreadSubtitle(changes), tier)).toBe(false);
});

test('MOSTLY_OUT_OF_REACH is raised from the known terms even when the subtitle has not been read', () => {
  expect(raises('MOSTLY_OUT_OF_REACH', 'ITUNES', unreadSubtitle(aiming(searched(20, 66))))).toBe(true);
});

test('a rounded figure never contradicts the threshold that it has passed', () => {
  const figure = (code: string, changes: Changes) =>
    Object.values(flagsOf('ITUNES', changes).find((flag) => flag.code === code)?.evidence ?? {})[0];
  const share = (beyond: number, within: number) =>
    figure('MOSTLY_OUT_OF_REACH', aiming(searched(beyond, 90), searched(within, 5)));
  expect(share(100, 99)).toBe(50.3);
  expect(share(55, 45)).toBe(55);
  // 1,001 of 2,001: 50.02 %
  const halves = [...Array(11).fill(searched(91, 90)), ...Array(10).fill(searched(100, 5))];
  expect(figure('MOSTLY_OUT_OF_REACH', aimingMany(halves))).toBe(50.1);
  // mean 14.97
  const low = [...Array(29).fill(searched(15, 5)), searched(14, 5)];
  expect(figure('LOW_DEMAND_FOCUS', aimingMany(low))).toBe(14.9);
});

test('in Turkish, where the lower case of I is ı, a phrase of the keywords field that the app ranks for is spared', () => {
  const changes = { texts: { title: 'Fener', kw_field: 'PARLAK IŞIK' }, lang: 'tr' };
  const raisesWith = (rank: number | null) =>
    raises('KW_FIELD_PHRASES', 'ITUNES', {
      ...changes,
      terms: { 'parlak ışık': on(rank, searched(20, 20)) },
    });
  expect(raisesWith(1)).toBe(false);
  expect(raisesWith(null)).toBe(true);
});

test('DESCRIPTION_MISSES_TARGETS does not advise to repeat words of a rival’s brand for which the app does not rank', () => {
  const missingWith = (brand: TermScore['brand']) => {
    const words = {
      photo: on(9, searched(60, 50)),
      candy: on(30, searched(40, 30)),
      crush: on(31, searched(40, 30)),
    };
    const flags = flagsOf('GPLAY', {
      texts: { title: 'Photo', subtitle: 'Candy crush', description: 'A text' },
      terms: { ...words, 'candy crush': on(null, searched(70, 60, brand)) },
    });
    return flags.find(({ code }) => code === 'DESCRIPTION_MISSES_TARGETS')?.evidence.words;
  };
  expect(missingWith(null)).toEqual(['photo', 'candy', 'crush']);
  expect(missingWith({ app_id: 'other', developer_name: 'Other' })).toEqual(['photo', 'candy']);
});

test('the developer’s own name may be repeated any number of times', () => {
  expect(raises('KEYWORD_STUFFING', 'GPLAY', described('quillfoot '.repeat(20)))).toBe(false);
});

test('the app’s own brand may be repeated, too, as may a word of its name that is not read; a rival’s brand may not', () => {
  const isStuffed = (terms: NonNullable<Changes>['terms']) =>
    raises('KEYWORD_STUFFING', 'GPLAY', described('photo '.repeat(20), terms));
  const brandOf = (appId: string) => searched(60, 50, { app_id: appId, developer_name: 'Other' });
  expect(isStuffed({ photo: on(1, brandOf('com.example.lumen')) })).toBe(false);
  expect(isStuffed({})).toBe(false);
  expect(isStuffed({ photo: on(2, brandOf('other')) })).toBe(true);
});

test('a word that is not in the name is stuffed before its page is read, and stays so', () => {
  const isStuffed = (terms: NonNullable<Changes>['terms']) =>
    raises('KEYWORD_STUFFING', 'GPLAY', described('dragon '.repeat(20), terms));
  expect(isStuffed({})).toBe(true);
  const brand = { app_id: 'com.example.lumen', developer_name: 'Other' };
  expect(isStuffed({ dragon: on(1, searched(60, 50, brand)) })).toBe(true);
});

test('a rating below 3.5 is critical, below 4 a warning', () => {
  const severity = (rating: number) =>
    flagsOf('ITUNES', seen({ rating })).find(({ code }) => code === 'RATING_LOW')?.severity;
  expect([3.49, 3.5, 3.99, 4].map(severity)).toEqual(['critical', 'warning', 'warning', undefined]);
});

test('forbidden copy is critical on Google Play and a warning on the App Store', () => {
  const severity = (store: Store) =>
    flagsOf(store, named('Best Photo')).find(({ code }) => code === 'FORBIDDEN_COPY')?.severity;
  expect([severity('GPLAY'), severity('ITUNES')]).toEqual(['critical', 'warning']);
});

test('the findings of forbidden copy name words and signs', () => {
  const flag = flagsOf('GPLAY', named('Best Photo 📷')).find(({ code }) => code === 'FORBIDDEN_COPY');
  expect(flag?.evidence).toEqual({
    rules: ['ranking'],
    findings: [expect.stringContaining('"Best"'), 'Google Play refuses emoji in the App name: "📷".'],
  });
});

test('flags are sorted by severity (worst first), then by axis, then by code', () => {
  const changes: Changes = {
    ...named('', {}),
    context: { rating: null, screenshots: 0, days_since_update: 400, has_video: false },
  };
  expect(flagsOf('ITUNES', changes).map(({ severity, axis, code }) => `${severity} ${axis} ${code}`)).toEqual(
    [
      'critical coverage SUBTITLE_EMPTY',
      'critical coverage TITLE_EMPTY',
      'critical targeting NO_SEARCHED_TERM',
      'critical appeal LISTING_ABANDONED',
      'critical appeal RATING_NONE',
      'critical appeal SCREENSHOTS_NONE',
      'warning appeal DESCRIPTION_EMPTY',
      'info coverage KW_FIELD_UNKNOWN',
      'info appeal NO_VIDEO',
    ],
  );
});

test('a flag shows the evidence that raised it; some flags have none', () => {
  const flags = flagsOf('ITUNES', { ...subtitled('Photo'), context: { days_since_update: 120 } });
  const evidence = (code: string) => flags.find((flag) => flag.code === code)?.evidence;
  expect(evidence('LISTING_STALE')).toEqual({ days_since_update: 120 });
  expect(evidence('SUBTITLE_DUPLICATES_TITLE')).toEqual({ words: ['photo'] });
  expect(evidence('KW_FIELD_UNKNOWN')).toEqual({});
});

test('every flag has a title, an impact and a fix in sentences', () => {
  for (const { code, title, impact, fix } of Object.values(flagRules).flat()) {
    expect({ code, ok: title.length > 15 && impact.length > 40 && fix.length > 20 }).toEqual({
      code,
      ok: true,
    });
    expect({ code, ok: !title.endsWith('.') && impact.endsWith('.') && fix.endsWith('.') }).toEqual({
      code,
      ok: true,
    });
  }
});

test('in the keywords field, the category’s and the developer’s name earn nothing, and words of earlier fields are repeats', () => {
  const terms = { ...photo, reference: searched(40, 40), quillfoot: unsearched };
  const flags = flagsOf('ITUNES', {
    texts: { title: 'Photo Reference', kw_field: 'photo,reference,quillfoot' },
    terms,
  });
  const evidence = (code: string) => flags.find((flag) => flag.code === code)?.evidence;
  expect(evidence('KW_FIELD_REPEATS')).toEqual({ words: ['photo'] });
  expect(evidence('KW_FIELD_STOPWORDS')).toEqual({ words: ['reference', 'quillfoot'] });
});

test.each<[string, Store, Changes, string]>([
  [
    'FIELD_OVER_LIMIT',
    'ITUNES',
    named('x'.repeat(31)),
    'The store refuses a text of this length: the next update has to shorten it.',
  ],
  [
    'TITLE_BRAND_ONLY',
    'ITUNES',
    named('Quillfoot', { quillfoot: unsearched }),
    'Only those who know the brand search for it.',
  ],
  [
    'NO_REACHABLE_TERM',
    'ITUNES',
    aiming(searched(20, 46)),
    'Everything that the listing aims at is hard to win for an app of this size.',
  ],
])('%s claims no more than what is known about the app', (code, store, changes, impact) => {
  expect(flagsOf(store, changes).find((flag) => flag.code === code)?.impact).toBe(impact);
});
