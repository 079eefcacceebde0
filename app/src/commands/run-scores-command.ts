import { randomUUID } from 'node:crypto';
import type { ScoreBreakdown } from '@shelfwise/proto/scoring/v1/score_breakdown';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { scoringDatabase } from '@shelfwise/scoring/config';
import type { ScoresSettings } from '../config.ts';
import type { ScoresCommand } from './parse-scores-command.ts';
import { type NeededService, type WithServiceDeps, withService } from './with-service.ts';

/** A keyword without scores takes several store calls, and each may wait for the store budget. */
const callTimeoutMs = 120_000;

/**
 * Explains the scores of a keyword. See `withService` for where this runs.
 * @throws AppError, StartError
 */
export async function runScoresCommand(
  command: ScoresCommand,
  deps: WithServiceDeps & { settings: ScoresSettings },
): Promise<ScoreBreakdown> {
  const scoring: NeededService = {
    name: 'scoring',
    setting: 'SCORING_ADDRESS',
    address: deps.settings.SCORING_ADDRESS,
    database: scoringDatabase,
    state: 'scores-command',
  };
  const settings = { ...deps.settings, DAILY_RUN: false };
  const { result } = await withService(scoring, { ...deps, settings }, (address) =>
    explain(address, command),
  );
  return result;
}

async function explain(address: string, command: ScoresCommand): Promise<ScoreBreakdown> {
  const { client, close } = createGrpcClient({ service: ScoringServiceService, name: 'scoring', address });
  try {
    const deadline = new Date(Date.now() + callTimeoutMs);
    const { breakdown } = await client.explainScores(command, {
      requestId: `scores-${randomUUID()}`,
      deadline,
    });
    if (!breakdown) throw new AppError('INTERNAL_ERROR', 'The scoring service returned no breakdown.');
    return breakdown;
  } finally {
    close();
  }
}
