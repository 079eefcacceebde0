import {
  createAlertChannel,
  deleteAlertChannel,
  testAlertChannel,
  updateAlertChannel,
} from './alert-channel.ts';
import { createAlertDigest, updateAlertDigest } from './alert-digest.ts';
import { createAlertRule, updateAlertRule } from './alert-rule.ts';
import { analyzeNiche } from './analyze-niche.ts';
import { checkMetadata } from './check-metadata.ts';
import { deleteAlertDigest } from './delete-alert-digest.ts';
import { deleteAlertRule } from './delete-alert-rule.ts';
import { getAccountUsage } from './get-account-usage.ts';
import { getAsoHealth } from './get-aso-health.ts';
import { getKeywordScores } from './get-keyword-scores.ts';
import { getRankDistribution } from './get-rank-distribution.ts';
import { getRankHistory } from './get-rank-history.ts';
import { getScoreHistory } from './get-score-history.ts';
import { getShareOfVoice } from './get-share-of-voice.ts';
import { getSimulation } from './get-simulation.ts';
import { getTopChart } from './get-top-chart.ts';
import { getTrackedKeywordScores } from './get-tracked-keyword-scores.ts';
import { inspectKeyword } from './inspect-keyword.ts';
import { cancelJob, createJob, getJob } from './job.ts';
import { deleteKeywordsField, getKeywordsField, setKeywordsField } from './keywords-field.ts';
import { listAlertChannels } from './list-alert-channels.ts';
import { listAlertDeliveries } from './list-alert-deliveries.ts';
import { listAlertDigests } from './list-alert-digests.ts';
import { listAlertRules } from './list-alert-rules.ts';
import { listAlerts } from './list-alerts.ts';
import { listApplications } from './list-applications.ts';
import { listAutocompletes } from './list-autocompletes.ts';
import { listChanges } from './list-changes.ts';
import { listChartCategories } from './list-chart-categories.ts';
import { listCompetitors } from './list-competitors.ts';
import { listInspections } from './list-inspections.ts';
import { listJobs } from './list-jobs.ts';
import { listKeywordGap } from './list-keyword-gap.ts';
import { listKeywords } from './list-keywords.ts';
import { listMovers } from './list-movers.ts';
import { listNiches } from './list-niches.ts';
import { listNotes } from './list-notes.ts';
import { listRankHistories } from './list-rank-histories.ts';
import { listRankMatrix } from './list-rank-matrix.ts';
import { listRankedKeywords } from './list-ranked-keywords.ts';
import { listShareLinks } from './list-share-links.ts';
import { listSimulations } from './list-simulations.ts';
import { addNote, removeNote } from './note.ts';
import { redeliverAlerts } from './redeliver-alerts.ts';
import type { Route } from './route/define-route.ts';
import { runAutocomplete } from './run-autocomplete.ts';
import { searchApps } from './search-apps.ts';
import { setKeywordFavorite } from './set-keyword-favorite.ts';
import { createShareLink, endShareLink } from './share-link.ts';
import { simulateMetadata } from './simulate-metadata.ts';
import { trackApplication } from './track-application.ts';
import { trackCompetitor } from './track-competitor.ts';
import { trackKeywords } from './track-keywords.ts';
import { untrackApplication } from './untrack-application.ts';
import { untrackCompetitor } from './untrack-competitor.ts';
import { untrackKeyword } from './untrack-keyword.ts';

/**
 * Every endpoint of the API, in the order of its documentation. An example is recorded after those above it, so a list
 * follows what fills it, and the usage comes last.
 */
export const routes: readonly Route[] = [
  listApplications,
  searchApps,
  trackApplication,
  untrackApplication,
  listMovers,
  getRankDistribution,
  getScoreHistory,
  createShareLink,
  listShareLinks,
  endShareLink,
  listChanges,
  getAsoHealth,
  checkMetadata,
  simulateMetadata,
  listSimulations,
  getSimulation,
  getKeywordsField,
  setKeywordsField,
  deleteKeywordsField,
  listCompetitors,
  trackCompetitor,
  untrackCompetitor,
  listKeywords,
  trackKeywords,
  untrackKeyword,
  setKeywordFavorite,
  getRankHistory,
  listRankHistories,
  listRankMatrix,
  getShareOfVoice,
  listKeywordGap,
  listRankedKeywords,
  addNote,
  listNotes,
  removeNote,
  listAlerts,
  listAlertRules,
  createAlertRule,
  updateAlertRule,
  deleteAlertRule,
  listAlertChannels,
  createAlertChannel,
  updateAlertChannel,
  deleteAlertChannel,
  testAlertChannel,
  listAlertDeliveries,
  redeliverAlerts,
  listAlertDigests,
  createAlertDigest,
  updateAlertDigest,
  deleteAlertDigest,
  getTrackedKeywordScores,
  inspectKeyword,
  getKeywordScores,
  listInspections,
  createJob,
  listJobs,
  getJob,
  cancelJob,
  runAutocomplete,
  listAutocompletes,
  analyzeNiche,
  listNiches,
  getTopChart,
  listChartCategories,
  getAccountUsage,
];
