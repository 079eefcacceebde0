import type { Tool } from '../define-tool.ts';
import { addApplication } from './add-application.ts';
import { addCompetitor } from './add-competitor.ts';
import { addNote } from './add-note.ts';
import { cancelJob } from './cancel-job.ts';
import { checkMetadata } from './check-metadata.ts';
import { createAlertRule } from './create-alert-rule.ts';
import { deleteAlertRule } from './delete-alert-rule.ts';
import { getAccountUsage } from './get-account-usage.ts';
import { getAppScoreHistory } from './get-app-score-history.ts';
import { getAsoHealth } from './get-aso-health.ts';
import { getJob } from './get-job.ts';
import { getKeywordRankHistory } from './get-keyword-rank-history.ts';
import { getMetadataSimulation } from './get-metadata-simulation.ts';
import { getRankDistribution } from './get-rank-distribution.ts';
import { getShareOfVoice } from './get-share-of-voice.ts';
import { inspectKeyword } from './inspect-keyword.ts';
import { listAlertChannels } from './list-alert-channels.ts';
import { listAlertRules } from './list-alert-rules.ts';
import { listAlerts } from './list-alerts.ts';
import { listApplications } from './list-applications.ts';
import { listAutocompleteHistory } from './list-autocomplete-history.ts';
import { listChanges } from './list-changes.ts';
import { listCompetitors } from './list-competitors.ts';
import { listKeywordGap } from './list-keyword-gap.ts';
import { listKeywordInspections } from './list-keyword-inspections.ts';
import { listKeywords } from './list-keywords.ts';
import { listMetadataSimulations } from './list-metadata-simulations.ts';
import { listNicheAnalyses } from './list-niche-analyses.ts';
import { listNotes } from './list-notes.ts';
import { listRankHistories } from './list-rank-histories.ts';
import { listRankMatrix } from './list-rank-matrix.ts';
import { listRankedKeywords } from './list-ranked-keywords.ts';
import { listTopChartCategories } from './list-top-chart-categories.ts';
import { removeCompetitor } from './remove-competitor.ts';
import { removeNote } from './remove-note.ts';
import { runAutocomplete } from './run-autocomplete.ts';
import { runNicheAnalysis } from './run-niche-analysis.ts';
import { searchApps } from './search-apps.ts';
import { setKeywordFavorite } from './set-keyword-favorite.ts';
import { simulateMetadata } from './simulate-metadata.ts';
import { startJob } from './start-job.ts';
import { topCharts } from './top-charts.ts';
import { trackKeywords } from './track-keywords.ts';
import { untrackKeyword } from './untrack-keyword.ts';
import { updateAlertRule } from './update-alert-rule.ts';

/** Every tool, in the order in which assistants see them. */
export const tools: readonly Tool[] = [
  listApplications,
  searchApps,
  addApplication,
  listKeywords,
  trackKeywords,
  untrackKeyword,
  setKeywordFavorite,
  inspectKeyword,
  listKeywordInspections,
  startJob,
  getJob,
  cancelJob,
  runAutocomplete,
  listAutocompleteHistory,
  runNicheAnalysis,
  listNicheAnalyses,
  topCharts,
  listTopChartCategories,
  getKeywordRankHistory,
  listRankHistories,
  listRankMatrix,
  getShareOfVoice,
  listKeywordGap,
  listRankedKeywords,
  getRankDistribution,
  getAppScoreHistory,
  listChanges,
  getAsoHealth,
  checkMetadata,
  simulateMetadata,
  listMetadataSimulations,
  getMetadataSimulation,
  listCompetitors,
  addCompetitor,
  removeCompetitor,
  listNotes,
  addNote,
  removeNote,
  listAlerts,
  listAlertRules,
  createAlertRule,
  updateAlertRule,
  deleteAlertRule,
  listAlertChannels,
  getAccountUsage,
];
