import { numberOf } from '../../figure.ts';
import type { ScoreDay } from './model.ts';

/** The values of a score by day, as computed by one scoring version; null: it was not computed that day. */
export type ScoreLine = { score: 'traffic' | 'difficulty'; version: string; values: (number | null)[] };

/**
 * A line for each score and scoring version, so that none joins two versions: their scores are not compared.
 * @param days of the chart, UTC, oldest first, without a gap
 */
export function toScoreLines(days: readonly string[], history: readonly ScoreDay[]): ScoreLine[] {
  const versions = [...new Set(history.map(({ version }) => version))];
  return (['traffic', 'difficulty'] as const).flatMap((score) =>
    versions.map((version) => {
      const ofVersion = history.filter((one) => one.version === version);
      const values = new Map(ofVersion.map((one) => [one.day, numberOf(one[score])]));
      return { score, version, values: days.map((day) => values.get(day) ?? null) };
    }),
  );
}

/** The days from which another scoring version was used, with that version; none while there is only one. */
export function versionChanges(history: readonly ScoreDay[]): { day: string; version: string }[] {
  return history
    .filter(({ version }, index) => index > 0 && history[index - 1]?.version !== version)
    .map(({ day, version }) => ({ day, version }));
}
