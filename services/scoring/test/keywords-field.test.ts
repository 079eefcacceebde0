import { dayMs } from '@shelfwise/runtime/day';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { recordCommands } from '../../../testing/record-commands.ts';
import { termId } from '../src/stores/term-filters.ts';
import { type Auditing, createAuditingHarness, trackedListing, us } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

const app = trackedListing(1);
const words = ['routine', 'goals', 'streak', 'mood', 'diary'];
const kwField = words.join(',');

/** Two accounts track the app, and the words of its name are read. */
async function startTracked() {
  await auditing.track(app, 'ann');
  await auditing.track(app, 'bob');
  for (const word of ['photo', 'editor', 'photo editor']) await auditing.measure(word, {});
  await auditing.runDue();
}

type Health = Awaited<ReturnType<Auditing['health']>>;
const fieldEntryOf = ({ report }: Health) => report?.fields.find(({ key }) => key === 'kw_field');
const codesOf = ({ report }: Health) => report?.flags.map(({ code }) => code);
const coverageOf = ({ report }: Health) => report?.axes.find(({ key }) => key === 'coverage')?.score;
const requestedUntil = async (keyword: string) =>
  (await auditing.terms.model.findById(termId(us, keyword)).lean())?.requested_until ?? null;

describe('a kept field', () => {
  test('is null until it is given, and again once it is removed, however often', async () => {
    const none = { kw_field: null, updated_at: null };
    const shown = async () => {
      const { kw_field: text = null, updated_at: at = null } = await auditing.fieldOf(1);
      return { kw_field: text, updated_at: at };
    };
    expect(await shown()).toEqual(none);
    expect(await auditing.removeField(1)).toBe(true);
    const kept = { kw_field: kwField, updated_at: auditing.clock.at };
    expect(await auditing.keepField(app, kwField)).toEqual(kept);
    expect(await shown()).toEqual(kept);
    expect(await auditing.removeField(1)).toBe(false);
    expect(await auditing.removeField(1)).toBe(true);
    expect(await shown()).toEqual(none);
  });

  test('is read once in the only copy, and again after each change and when its account was deleted', async () => {
    const only = await startAuditing({ isOnlyCopy: true });
    const commands = recordCommands(only.connection);
    const shown = async () => {
      const texts = [await only.fieldOf(1), await only.fieldOf(1)].map(({ kw_field: text }) => text ?? null);
      return [...texts, commands.splice(0).filter((command) => command === 'find keywords_fields').length];
    };
    expect(await shown()).toEqual([null, null, 1]);
    for (const text of ['one', 'two', 'two']) {
      await only.keepField(app, text);
      commands.length = 0;
      expect((await shown()).slice(0, 2)).toEqual([text, text]);
    }
    await only.removeField(1);
    commands.length = 0;
    expect(await shown()).toEqual([null, null, 1]);
    await only.keepField(app, 'three');
    await only.deleteAccount('ann');
    commands.length = 0;
    expect(await shown()).toEqual([null, null, 1]);
  });

  test('belongs to one account and one app', async () => {
    await auditing.keepField(app, kwField);
    await auditing.keepField(trackedListing(2), 'other');
    expect(await auditing.fieldOf(1, 'bob')).toMatchObject({ updated_at: null });
    expect(await auditing.removeField(1, 'bob')).toBe(true);
    expect(await auditing.fieldOf(1)).toMatchObject({ kw_field: kwField });
    expect(await auditing.fieldOf(2)).toMatchObject({ kw_field: 'other' });
  });

  test('keeps its time when the same text is given again, and has a new one when the text changes', async () => {
    const first = await auditing.keepField(app, kwField);
    auditing.clock.advance(dayMs);
    expect(await auditing.keepField(app, kwField)).toEqual(first);
    expect(await auditing.keepField(app, '')).toEqual({ kw_field: '', updated_at: auditing.clock.at });
    expect(await auditing.fieldOf(1)).toEqual({ kw_field: '', updated_at: auditing.clock.at });
  });

  test('is written once per change after the first of a day', async () => {
    await auditing.keepField(app, 'one');
    const commands = recordCommands(auditing.connection);
    await auditing.keepField(app, 'two');
    const own = commands.filter((command) => command.endsWith(' keywords_fields'));
    expect(own.filter((command) => !command.startsWith('find '))).toEqual(['findAndModify keywords_fields']);
  });

  test('has at most 100 characters, as the store counts them', async () => {
    const longest = `${'a'.repeat(98)}\r\nb`;
    expect((await auditing.keepField(app, longest)).kw_field).toBe(`${'a'.repeat(98)}\nb`);
    expect((await auditing.keepField(app, '😀'.repeat(50))).kw_field).toBe('😀'.repeat(50));
    const messages = ['a'.repeat(101), `${'😀'.repeat(50)}a`, 'a\0b', 'a\ufffd'].map(async (text) =>
      auditing.keepField(app, text).catch((error: unknown) => error),
    );
    expect(await Promise.all(messages)).toMatchObject([
      { code: 'INVALID_PARAMS', message: expect.stringContaining('at most 100 characters') },
      { code: 'INVALID_PARAMS', message: expect.stringContaining('it has 101') },
      { code: 'INVALID_PARAMS', message: expect.stringContaining('NUL') },
      { code: 'INVALID_PARAMS', message: expect.stringContaining('NUL') },
    ]);
    expect((await auditing.fieldOf(1)).kw_field).toBe('😀'.repeat(50));
  });

  test('exists on the App Store only', async () => {
    const play = { ...app, storefront: { ...us, store: 'GPLAY' as const } };
    await expect(auditing.keepField(play, kwField)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('Google Play, which has no keywords field'),
    });
    expect(await auditing.rows('keywords_fields')).toEqual([]);
  });

  test('is deleted with the account', async () => {
    await auditing.keepField(app, kwField, 'ann');
    await auditing.keepField(app, kwField, 'bob');
    expect(await auditing.deleteAccount('ann')).toMatchObject({ deleted: 1, is_complete: true });
    expect(await auditing.rows('keywords_fields')).toMatchObject([{ account_id: 'bob' }]);
  });
});

describe('the audit of an account that keeps the field', () => {
  test('has the field; the audit of another account that tracks the app, and the stored one, stay as they are', async () => {
    await startTracked();
    for (const word of words) await auditing.measure(word, { traffic: 60 });
    const before = await auditing.health(app, true, 'bob');
    const stored = await auditing.rows('audits');
    await auditing.keepField(app, kwField, 'ann');
    auditing.clock.advance(1000);
    const ann = await auditing.health(app, true, 'ann');
    expect(fieldEntryOf(ann)).toMatchObject({ state: 'scored', text: kwField, score: expect.any(Number) });
    expect(fieldEntryOf(ann)?.words.map(({ name, status }) => [name, status])).toEqual(
      words.map((word) => [word, 'earning']),
    );
    expect(codesOf(ann)).not.toContain('KW_FIELD_UNKNOWN');
    expect(codesOf(ann)).toContain('KW_FIELD_UNDERUSED');
    expect(ann.global_without_field).toBe(before.report?.global);
    expect(before.global_without_field).toBeNull();
    expect(ann.report?.computed_at).toEqual(auditing.clock.at);
    expect(coverageOf(ann)).not.toBe(coverageOf(before));
    expect(await auditing.health(app, true, 'bob')).toEqual(before);
    expect(await auditing.health(app, true)).toEqual(before);
    expect(fieldEntryOf(before)?.state).toBe('missing');
    expect(codesOf(before)).toContain('KW_FIELD_UNKNOWN');
    expect(await auditing.rows('audits')).toEqual(stored);
    await auditing.removeField(1, 'ann');
    expect(await auditing.health(app, true, 'ann')).toEqual(before);
  });

  test('is made from the listing of the request; the stored copy is not read again', async () => {
    await startTracked();
    await auditing.keepField(app, kwField, 'ann');
    await auditing.listings.model.updateOne({ _id: 1 }, { $set: { 'content.title': 'Camera' } });
    const { report } = await auditing.health(app, true, 'ann');
    expect(report?.fields[0]).toMatchObject({ key: 'title', text: 'Photo Editor' });
  });

  test('differs from account to account', async () => {
    await startTracked();
    await auditing.keepField(app, kwField, 'ann');
    await auditing.keepField(app, '', 'bob');
    expect(fieldEntryOf(await auditing.health(app, true, 'ann'))?.state).toBe('scored');
    const bob = await auditing.health(app, true, 'bob');
    expect(fieldEntryOf(bob)).toMatchObject({ state: 'empty', score: 0 });
    expect(codesOf(bob)).toContain('KW_FIELD_EMPTY');
  });

  test('is shown as soon as the shared one; the unread field is left out of coverage until 80 % of its words are read', async () => {
    await startTracked();
    const shared = await auditing.health(app, true, 'bob');
    await auditing.keepField(app, kwField);
    const unread = await auditing.health(app, true, 'ann');
    expect(unread.is_pending).toBe(false);
    expect(fieldEntryOf(unread)).toMatchObject({ state: 'scored', score: null });
    expect(fieldEntryOf(unread)?.words.map(({ status }) => status)).toEqual(words.map(() => 'pending'));
    expect(coverageOf(unread)).toBe(coverageOf(shared));
    for (const word of words.slice(0, 4)) await auditing.measure(word, { traffic: 60 });
    const read = await auditing.health(app, true, 'ann');
    expect(fieldEntryOf(read)?.score).toBeGreaterThan(0);
    expect(fieldEntryOf(read)?.words.map(({ status }) => status)).toEqual([
      ...words.slice(0, 4).map(() => 'earning'),
      'pending',
    ]);
  });

  test('says that traffic of the field is partial, only to this account', async () => {
    await startTracked();
    await auditing.keepField(app, kwField);
    for (const word of words) await auditing.measure(word, { is_partial: true });
    expect((await auditing.health(app, false, 'ann')).is_partial).toBe(true);
    expect((await auditing.health(app, false, 'bob')).is_partial).toBe(false);
  });

  test('while the words of a new listing are unread, is the report that all accounts see, but without the flag that the field is unknown', async () => {
    await startTracked();
    await auditing.keepField(app, kwField);
    const changed = trackedListing(1, { title: 'Harbour Camera' }, { revision: 2 });
    await auditing.change(changed);
    const ann = await auditing.health(changed, true, 'ann');
    const bob = await auditing.health(changed, true, 'bob');
    expect([ann.is_pending, bob.is_pending]).toEqual([true, true]);
    expect(ann.report?.global).toBe(bob.report?.global);
    expect(fieldEntryOf(ann)).toMatchObject({
      state: 'missing',
      hint: 'The kept field is not in this report: too few words are read for one that has it.',
    });
    expect([codesOf(ann), codesOf(bob)].map((codes) => codes?.includes('KW_FIELD_UNKNOWN'))).toEqual([
      false,
      true,
    ]);
  });

  test('is null while the words of the name are unread, as for every account', async () => {
    await auditing.track(app);
    await auditing.keepField(app, kwField);
    for (const word of words) await auditing.measure(word, {});
    expect(await auditing.health(app, true, 'ann')).toMatchObject({ report: null, is_pending: true });
  });

  test('an account id out of bounds is refused', async () => {
    await expect(auditing.health(app, false, '')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('the words of a kept field', () => {
  test('are requested when it is given, and nothing that is shared depends on them', async () => {
    await startTracked();
    const shared = async () => [
      await auditing.rows('listing_terms'),
      await auditing.rows('baskets'),
      (await auditing.audits.find(1))?.neighbors,
      (await auditing.listings.find(1))?.has_pending_terms,
    ];
    const before = await shared();
    const until = new Date(auditing.clock.at.getTime() + 3 * dayMs);
    await auditing.keepField(app, kwField);
    for (const word of words) expect(await requestedUntil(word)).toEqual(until);
    for (const word of words) await auditing.measure(word, { traffic: 90 }, ['77', '1001', '78']);
    await auditing.auditor.audit(1, 'request-2');
    expect(await shared()).toEqual(before);
  });

  test('are requested again every day while the account tracks the app, then no longer', async () => {
    await startTracked();
    await auditing.keepField(app, 'routine', 'ann');
    await auditing.keepField(app, 'goals', 'bob');
    const nextDay = slotOf(1, '2026-03-11');
    auditing.clock.moveTo(nextDay);
    await auditing.runDue();
    const until = new Date(nextDay.getTime() + 3 * dayMs);
    expect(await requestedUntil('routine')).toEqual(until);
    expect(await requestedUntil('goals')).toEqual(until);
    await auditing.untrack(1, 'ann');
    await auditing.removeField(1, 'bob');
    await auditing.keepField(app, 'mood', 'bob');
    auditing.clock.moveTo(slotOf(1, '2026-03-13'));
    await auditing.runDue();
    expect(await requestedUntil('routine')).toEqual(until);
    expect(await requestedUntil('goals')).toEqual(until);
    const renewed = new Date(slotOf(1, '2026-03-13').getTime() + 3 * dayMs);
    expect(await requestedUntil('mood')).toEqual(renewed);
  });

  test('of the eleventh change on a day wait for the next daily audit; removing the field changes nothing in that', async () => {
    await startTracked();
    const given = Array.from({ length: 11 }, (_, index) => `word${'abcdefghijk'[index]}`);
    for (const text of given) {
      await auditing.keepField(app, text);
      await auditing.removeField(1);
    }
    await auditing.keepField(app, 'worda,last');
    expect(await requestedUntil('wordj')).not.toBeNull();
    expect(await requestedUntil('wordk')).toBeNull();
    expect(await requestedUntil('last')).toBeNull();
    auditing.clock.moveTo(slotOf(1, '2026-03-11'));
    await auditing.runDue();
    expect(await requestedUntil('last')).not.toBeNull();
    await auditing.keepField(app, 'nextday');
    expect(await requestedUntil('nextday')).not.toBeNull();
  });

  test('of the 51st change of an account on a day wait, too, and those of another account do not', async () => {
    await startTracked();
    const words = Array.from({ length: 10 }, (_, index) => `word${'abcdefghij'[index]}`);
    for (const id of [1, 2, 3, 4, 5])
      for (const text of words) await auditing.keepField(trackedListing(id), text);
    await auditing.keepField(trackedListing(6), 'late');
    expect(await requestedUntil('wordj')).not.toBeNull();
    expect(await requestedUntil('late')).toBeNull();
    await auditing.keepField(trackedListing(6), 'late', 'bob');
    expect(await requestedUntil('late')).not.toBeNull();
  });

  test('of changes at the same time are all counted, also the first ones of a day', async () => {
    await startTracked();
    await auditing.keepField(app, kwField);
    auditing.clock.advance(dayMs);
    const texts = Array.from({ length: 12 }, (_, index) => `word${'abcdefghijkl'[index]}`);
    await Promise.all(texts.map((text) => auditing.keepField(app, text)));
    const [row] = await auditing.rows('keywords_fields');
    expect(row).toMatchObject({ day: '2026-03-11', changes: 12 });
    const requested = await Promise.all(texts.map((text) => requestedUntil(text)));
    expect(requested.filter((until) => until !== null)).toHaveLength(10);
  });

  test('are requested again by a repeated call, as after one that failed halfway', async () => {
    await startTracked();
    const failing = jest.spyOn(auditing.terms, 'requestMeasuring').mockRejectedValueOnce(new Error('killed'));
    await expect(auditing.keepField(app, kwField)).rejects.toThrow('killed');
    failing.mockRestore();
    await auditing.keepField(app, kwField);
    expect(await requestedUntil('mood')).not.toBeNull();
  });
});
