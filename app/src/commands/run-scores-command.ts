import { randomUUID } from 'node:crypto';
import type { ScoreBreakdown } from '@shelfwise/proto/scoring/v1/score_breakdown';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { ScoresSettings } from '../config.ts';
import { connectService } from './connect-service.ts';
import type { FindServiceDeps } from './find-service.ts';
import type { ScoresCommand } from './parse-scores-command.ts';

/** A keyword without scores takes several store calls, and each may wait for the store budget. */
const callTimeoutMs = 120_000;

/**
 * Asks the running scoring service for the scores of a keyword and how they were computed.
 * @throws AppError, StartError
 */
export async function runScoresCommand(
  command: ScoresCommand,
  deps: FindServiceDeps & { settings: ScoresSettings },
): Promise<ScoreBreakdown> {
  const setting = 'SCORING_ADDRESS';
  const { client, close } = await connectService(
    {
      service: ScoringServiceService,
      name: 'scoring',
      setting,
      address: deps.settings[setting],
      longestCallMs: callTimeoutMs,
    },
    deps,
  );
  try {
    const deadline = new Date(Date.now() + callTimeoutMs);
    const call = { requestId: `scores-${randomUUID()}`, deadline };
    const { breakdown } = await client.explainScores(command, call);
    if (!breakdown) throw new AppError('INTERNAL_ERROR', 'The scoring service returned no breakdown.');
    return breakdown;
  } finally {
    close();
  }
}
