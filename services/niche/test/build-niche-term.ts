import type { NicheApp, NicheTerm } from '../src/domain/niche-term.ts';

export const now = new Date('2026-11-21T12:00:00Z');

export function daysAgo(days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

/** An average Productivity app: 5,000 ratings, updated 20 days ago. */
export function buildNicheApp(overrides: Partial<NicheApp> = {}): NicheApp {
  return {
    app_id: '1',
    title: 'Lark Notes',
    genre_key: '6007',
    ratings: 5_000,
    updated_at: daysAgo(20),
    ...overrides,
  };
}

/** Ten apps with consecutive ids starting at `from`. */
export function tenApps(from: number, overrides: Partial<NicheApp> = {}): NicheApp[] {
  return Array.from({ length: 10 }, (_, at) => buildNicheApp({ app_id: String(from + at), ...overrides }));
}

/** A searched term, with the KEI of its traffic and difficulty. */
export function buildNicheTerm(keyword: string, overrides: Partial<NicheTerm> = {}): NicheTerm {
  const { traffic = 40, difficulty = 50 } = overrides;
  return {
    keyword,
    traffic,
    difficulty,
    kei: keiAsSpecified(traffic, difficulty),
    isSearched: true,
    isNavigational: false,
    top: tenApps(1),
    ...overrides,
  };
}

/** The formula of the specification (docs/scores.md, KEI). */
export function keiAsSpecified(traffic: number, difficulty: number): number {
  const demand = Math.log10(1 + Math.max(0, traffic - 5)) / Math.log10(96);
  return Math.round(1000 * demand * (1 - difficulty / 100)) / 10;
}
