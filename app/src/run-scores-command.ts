import { randomUUID } from 'node:crypto';
import type { ScoreBreakdown } from '@shelfwise/proto/scoring/v1/score_breakdown';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { scoringDatabase } from '@shelfwise/scoring/config';
import type { ScoresSettings } from './config.ts';
import type { ScoresCommand } from './parse-scores-command.ts';
import { type NeededService, type OnServiceDeps, runOnService } from './run-on-service.ts';

/** A keyword that was never measured costs several calls of a store, each with its wait for a turn. */
const answerWithinMs = 120_000;

/**
 * Has a scoring service explain the scores of a keyword, wherever one is.
 * @throws AppError, StartError
 */
export async function runScoresCommand(
  command: ScoresCommand,
  deps: OnServiceDeps & { settings: ScoresSettings },
): Promise<ScoreBreakdown> {
  const scoring: NeededService = {
    name: 'scoring',
    setting: 'SCORING_ADDRESS',
    address: deps.settings.SCORING_ADDRESS,
    database: scoringDatabase,
    state: 'scores-command',
  };
  const settings = { ...deps.settings, DAILY_RUN: false };
  const { result } = await runOnService(scoring, { ...deps, settings }, (address) =>
    explain(address, command),
  );
  return result;
}

async function explain(address: string, command: ScoresCommand): Promise<ScoreBreakdown> {
  const { client, close } = createGrpcClient({ service: ScoringServiceService, name: 'scoring', address });
  try {
    const deadline = new Date(Date.now() + answerWithinMs);
    const { breakdown } = await client.explainScores(command, {
      requestId: `scores-${randomUUID()}`,
      deadline,
    });
    if (!breakdown)
      throw new AppError('INTERNAL_ERROR', 'The scoring service answered without an explanation.');
    return breakdown;
  } finally {
    close();
  }
}
