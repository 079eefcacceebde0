import { dayMs } from '@shelfwise/runtime/day';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { type Auditing, appIdOf, createAuditingHarness, trackedListing } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

const words = 'collage mosaic puzzle violin zebra kitchen garden harbor lantern meadow orchard pebble'.split(
  ' ',
);
const description = words.map((word) => `${word} ${word}.`).join(' ');

async function startDescribed() {
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor', description }));
  await auditing.measure(['photo', 'editor'], { traffic: 50, difficulty: 40 }, [appIdOf(1)]);
  await auditing.runDue();
}

/** The daily audit of a day, and what it asks the store. */
async function runDay(day: string) {
  auditing.clock.moveTo(slotOf(1, day));
  await auditing.runDue();
  return auditing.lookUp(async () => ['x y']);
}

test('ten words of a description are looked up a week', async () => {
  await startDescribed();
  const asked: string[] = [];
  await auditing.lookUp(async (prefix) => {
    asked.push(prefix);
    return ['x y'];
  });
  expect(asked).toEqual(words.slice(0, 10));
  expect(await runDay('2026-03-11')).toBe(0);
  expect(await runDay('2026-03-16')).toBe(0);
  expect(await runDay('2026-03-18')).toBe(10);
});

test('calls that fail count, and so do those of another copy and before a restart', async () => {
  await startDescribed();
  let calls = 0;
  const suggest = async () => {
    calls += 1;
    return calls % 3 === 0 ? ['x y'] : null;
  };
  for (let halfDay = 0; halfDay < 12; halfDay++) {
    await auditing.startCopy().lookUp(suggest);
    await auditing.lookUp(suggest);
    auditing.clock.moveTo(new Date(auditing.clock.at.getTime() + dayMs / 2));
    await auditing.runDue();
  }
  expect(calls).toBe(10);
});

test('an empty list counts twice, because the store is asked once more whether it is one', async () => {
  await startDescribed();
  expect(await auditing.lookUp(async () => [])).toBe(5);
});

test('a list that a throttling store withholds is asked for again, within the ten calls of the week', async () => {
  await startDescribed();
  expect(await auditing.lookUp(async () => 'withheld')).toBe(1);
  expect((await auditing.descriptionLooks.find(1))?.answers).toEqual([]);
  auditing.clock.advance(120_000);
  expect(await auditing.lookUp(async () => ['x y'])).toBe(9);
  expect((await auditing.descriptionLooks.find(1))?.answers.map(({ word }) => word)).toEqual(
    words.slice(0, 9),
  );
});

test('a new text of the description is looked up with what is left of the week', async () => {
  const shown = { title: 'Photo', subtitle: 'Editor', description: 'Collage, mosaic and puzzle.' };
  await auditing.track(trackedListing(1, shown));
  await auditing.measure(['photo', 'editor'], { traffic: 50, difficulty: 40 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(await auditing.lookUp(async () => ['x y'])).toBe(3);
  const read = { revision: 2, read_at: '2026-03-11T08:00:00Z' };
  await auditing.change(trackedListing(1, { ...shown, description }, read));
  expect(await runDay('2026-03-12')).toBe(0);
  expect(await runDay('2026-03-18')).toBe(10);
});

test('a listing that nobody tracks any more is not looked up', async () => {
  await startDescribed();
  await auditing.untrack(1);
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  await auditing.runDue();
  expect(await auditing.lookUp(async () => ['x y'])).toBe(0);
});

test('a copy that has lost its claim counts no further call and stores no answer', async () => {
  await startDescribed();
  await auditing.lookUp(async () => {
    auditing.clock.advance(60_001);
    await auditing.startCopy().lookUp(async () => null);
    return [];
  });
  expect(await auditing.descriptionLooks.find(1)).toMatchObject({ calls: 2, answers: [] });
});
