import { appId } from './on-sample.ts';

/** What both tracking's and scoring's database is seeded with: a keyword has the same name and pages in them. */
export type PageOf = (index: number) => string[];

export const pageSize = 100;

/** Each is in a twentieth of the keywords: a title that gets or loses one has keywords to compare, and a control group. */
const words =
  'lemon maple cedar tulip olive amber coral pearl ivory hazel river meadow canyon harbor island valley garden orchard forest prairie'.split(
    ' ',
  );

export function seededWord(index: number): string {
  return words[index % words.length] ?? '';
}

export function seededKeyword(index: number): string {
  return `seeded keyword ${String(index).padStart(7, '0')} ${seededWord(index)}`;
}

/**
 * Pages of 5,000 apps. Each of five rivals is on a third of the tracked ones and a fiftieth of the others, three of them on the first
 * 15 ranks, and the app on a seventh.
 */
export function createRivalPages(rivals: readonly string[], tracked: number): PageOf {
  return (index) => {
    const ids = Array.from({ length: pageSize }, (_, at) => `seed.${(index * 31 + at) % 5000}`);
    if (index % 7 === 0) ids[40 + (index % 50)] = appId;
    for (const [at, rival] of rivals.entries())
      if ((index + at) % (index < tracked ? 3 : 50) === 0)
        ids[(at < 3 ? 0 : 15) + ((index + 5 * at) % 15)] = rival;
    return ids;
  };
}

/** The page of an earlier day: half of its apps have another rank. Today's for 0. */
export function pageBefore(page: string[], daysAgo: number): string[] {
  if (daysAgo === 0) return page;
  const before = [...page];
  const distance = 1 + (daysAgo % 3);
  for (let at = daysAgo % 4; at + distance < before.length; at += 4) {
    const [app, other] = [before[at] as string, before[at + distance] as string];
    before[at] = other;
    before[at + distance] = app;
  }
  return before;
}
