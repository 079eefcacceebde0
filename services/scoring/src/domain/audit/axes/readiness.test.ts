import { buildAuditInput, searched, ungraded, unsearched } from '../../../../test/build-audit-input.ts';
import type { TermScore } from '../audit-input.ts';
import { auditListing } from '../audit-listing.ts';
import { areEnoughRead } from './read-share.ts';

const title = 'Anchor Basket Candle';
const subtitle = 'Dragon, ember';
const words = ['anchor', 'basket', 'candle', 'dragon', 'ember'];

/** The audit of a listing whose first words have these scores; the others are pending. */
function audit(scores: readonly TermScore[], texts: { title?: string; subtitle?: string | null } = {}) {
  const terms = new Map(scores.map((score, index) => [words[index] ?? '', score]));
  return auditListing(buildAuditInput('ITUNES', { texts: { title, subtitle, ...texts }, terms }));
}

test('an audit is shown from 80 % of the words of name and subtitle on, by number', () => {
  const read = searched(40, 30);
  expect(audit([read, read, read]).readiness).toMatchObject({
    is_shown: false,
    awaited: { count: 5, unread: ['dragon', 'ember'] },
  });
  expect(audit([read, read, read, read]).readiness.is_shown).toBe(true);
});

test('a word whose empty page is not believed yet is pending, but the audit does not wait for it', () => {
  const read = searched(40, 30);
  const unproven: TermScore = { ...ungraded(60), search_status: 'pending', traffic: null, is_unproven: true };
  const { readiness, report } = audit([read, read, read, unproven, unproven]);
  expect(readiness).toMatchObject({ is_shown: true, is_aim_read: false });
  expect(report.fields[1]?.words.map(({ status }) => status)).toEqual(['pending', 'pending']);
  expect(readiness.unread).not.toEqual(expect.arrayContaining(['dragon', 'ember']));
  expect(readiness.unproven_words).toEqual(['subtitle: dragon', 'subtitle: ember']);
  expect(audit([read, read, unproven, unproven]).readiness.is_shown).toBe(false);
  const oneWord = audit([read, unproven], { title: 'Anchor', subtitle: 'Basket' });
  expect(oneWord.readiness).toMatchObject({ is_shown: true, is_aim_read: true, unread: [] });
  expect(audit([unproven, unproven, unproven, unproven, unproven]).readiness.is_shown).toBe(false);
});

test('a word whose traffic is partial counts like a pending one', () => {
  const read = searched(40, 30);
  const partial: TermScore = { ...read, is_partial: true };
  const withPartial = audit([read, read, read, partial, partial]);
  const withPending = audit([read, read, read]);
  expect(withPartial.readiness).toEqual(withPending.readiness);
  expect(withPartial.report.axes).toEqual(withPending.report.axes);
  expect(audit([read, read, read, read, partial]).readiness).toMatchObject({
    is_shown: true,
    is_aim_read: false,
    unread: expect.arrayContaining(['ember']),
  });
});

test.each([
  [0, 0, true],
  [0, 1, false],
  [4, 5, true],
  [11, 15, false],
  [12, 15, true],
  [79, 100, false],
  [80, 100, true],
])('%d of %d words read: enough is %s', (read, count, expected) => {
  expect(areEnoughRead(count, count - read)).toBe(expected);
});

test('a word that the store suggests, but whose page could not be read, counts like a pending one', () => {
  const read = searched(40, 30);
  const withUngraded = audit([read, read, read, ungraded(60), ungraded(60)]);
  const withPending = audit([read, read, read]);
  expect(withUngraded.readiness).toEqual(withPending.readiness);
  expect(withPending.readiness.unread).not.toHaveLength(0);
  expect(withUngraded.report.axes).toEqual(withPending.report.axes);
  const statuses = withUngraded.report.fields[1]?.words.map(({ status }) => status);
  expect(statuses).toEqual(['pending', 'pending']);
});

test('with enough words read, an audit waits for a phrase as long as targeting rests on no graded term', () => {
  const none = audit([unsearched, unsearched, unsearched, unsearched, unsearched]);
  expect(none.readiness).toMatchObject({ is_shown: false, is_aim_read: false });
  const one = audit([unsearched, unsearched, unsearched, unsearched, searched(20, 20)]);
  expect(one.readiness).toMatchObject({ is_shown: true, is_aim_read: false });
});

test('a pending phrase is told from a pending word', () => {
  const read = searched(40, 30);
  const phrases = audit([read, read, read, read, read]);
  expect(phrases.readiness).toMatchObject({
    is_aim_read: false,
    are_words_read: true,
    has_pending_phrases: true,
  });
  const word = audit([read, unsearched], { title: 'Anchor', subtitle: 'Basket candle' });
  expect(word.readiness).toMatchObject({ are_words_read: false, has_pending_phrases: true });
  expect(audit([read], { title: 'Anchor', subtitle: 'Basket' }).readiness).toMatchObject({
    are_words_read: false,
    has_pending_phrases: false,
  });
});

test('a phrase whose empty page is not believed yet is a pending one, although nothing waits for it', () => {
  const read = searched(40, 30);
  const unproven: TermScore = { ...unsearched, search_status: 'pending', traffic: null, is_unproven: true };
  const terms = { anchor: read, basket: read, 'anchor basket': unproven };
  const input = buildAuditInput('ITUNES', { texts: { title: 'Anchor Basket' }, terms });
  expect(auditListing(input).readiness).toMatchObject({
    is_aim_read: true,
    has_pending_phrases: true,
    unproven_words: [],
  });
});

test('a listing whose words and phrases are all read and unsearched is shown, with a true 0', () => {
  const { report, readiness } = audit([unsearched], { title: 'Anchor', subtitle: null });
  expect(readiness).toEqual({
    is_shown: true,
    awaited: { count: 1, unread: [] },
    is_aim_read: true,
    are_words_read: true,
    has_pending_phrases: false,
    unread: [],
    unproven_words: [],
    has_description: false,
  });
  expect(report.global).toBe(0);
  expect(report.targeting.assessable).toBe(false);
});

test('stop words are not waited for, and a listing without words is shown', () => {
  expect(audit([searched(40, 30)], { title: 'The anchor of the', subtitle: '' }).readiness.is_shown).toBe(
    true,
  );
  expect(audit([], { title: '!', subtitle: '' }).readiness.is_shown).toBe(true);
});

describe('Google Play’s long description', () => {
  const names = ['dawn', 'echo', 'fern', 'glade', 'haze'];

  /** The name is read, and this number of words of the description. */
  function describe(read: number) {
    const terms = {
      anchor: searched(60, 30),
      ...Object.fromEntries(names.slice(0, read).map((name) => [name, searched(80, 30)])),
    };
    const texts = { title: 'Anchor', subtitle: '', description: names.join(' ') };
    return auditListing(buildAuditInput('GPLAY', { texts, terms }));
  }

  test('enters coverage once 80 % of its own words are read; until then its weight is renormalized', () => {
    const scores = [0, 1, 2, 3, 4, 5].map((read) => {
      const { report, readiness } = describe(read);
      expect(readiness).toMatchObject({ is_shown: true, has_description: read >= 4 });
      const field = report.fields.find(({ key }) => key === 'description');
      return [report.axes[0]?.score, field?.score];
    });
    // Name: 100 * (.6 * (1 - exp(-60 / 150)) + .4 * 6 / 24) = 29.8; coverage without the description: .4 * 29.8 / .65.
    // With it: .35 * 100 * (1 - exp(-320 / 500)) more, then .35 * 100 * (1 - exp(-400 / 500)).
    expect(scores).toEqual([
      [18, null],
      [18, null],
      [18, null],
      [18, null],
      [28, 47],
      [31, 55],
    ]);
  });

  test('that is empty counts 0: there is nothing to wait for', () => {
    const texts = { title: 'Anchor', subtitle: '', description: '' };
    const { report, readiness } = auditListing(
      buildAuditInput('GPLAY', { texts, terms: { anchor: searched(60, 30) } }),
    );
    expect(readiness.has_description).toBe(true);
    expect(report.axes[0]?.score).toBe(12);
  });
});

test('a field none of whose words is read has no score, instead of 0', () => {
  const read = searched(40, 30);
  const { report } = audit([read, read, read]);
  expect(report.fields.map(({ key, score }) => [key, score === null])).toEqual([
    ['title', false],
    ['subtitle', true],
    ['kw_field', true],
    ['description', true],
  ]);
});
