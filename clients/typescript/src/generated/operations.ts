// Written by `npm run clients:generate` from the OpenAPI document. Do not change it here.
import type { Answer, CallOptions, Operation } from '../operation.ts';
import type * as schemas from './schemas.ts';

/** Of what all generated files were made from. */
export const fingerprint = '09fbdbac5bbda399';

/** The endpoints, by the operationId of the document. */
export const operations = {
  "listApplications": {
    "method": "GET",
    "path": "/api/v1/applications",
    "query": [
      "app_id"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "trackApplication": {
    "method": "POST",
    "path": "/api/v1/applications",
    "query": [],
    "body": [
      "app_id",
      "store",
      "country",
      "lang"
    ],
    "deadlineMs": 35000,
    "isRepeatable": false,
    "rows": null
  },
  "searchApps": {
    "method": "GET",
    "path": "/api/v1/apps/search",
    "query": [
      "term",
      "store",
      "country",
      "lang"
    ],
    "body": [],
    "deadlineMs": 35000,
    "isRepeatable": true,
    "rows": null
  },
  "untrackApplication": {
    "method": "DELETE",
    "path": "/api/v1/applications/{id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listMovers": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/movers",
    "query": [
      "days",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "getRankDistribution": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/rank-distribution",
    "query": [
      "from",
      "to"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "getScoreHistory": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/scores/history",
    "query": [
      "from",
      "to"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "createShareLink": {
    "method": "POST",
    "path": "/api/v1/applications/{id}/share-links",
    "query": [],
    "body": [
      "days",
      "label"
    ],
    "deadlineMs": 5000,
    "isRepeatable": false,
    "rows": null
  },
  "listShareLinks": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/share-links",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "endShareLink": {
    "method": "DELETE",
    "path": "/api/v1/applications/{id}/share-links/{link_id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listChanges": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/changes",
    "query": [
      "competitors",
      "effects",
      "from",
      "to",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "getAsoHealth": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/aso-health",
    "query": [
      "include_words"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "checkMetadata": {
    "method": "POST",
    "path": "/api/v1/metadata/check",
    "query": [],
    "body": [
      "store",
      "title",
      "subtitle",
      "description",
      "kw_field"
    ],
    "deadlineMs": 5000,
    "isRepeatable": false,
    "rows": null
  },
  "simulateMetadata": {
    "method": "POST",
    "path": "/api/v1/metadata/simulate",
    "query": [],
    "body": [
      "app_id",
      "store",
      "country",
      "lang",
      "title",
      "subtitle",
      "description",
      "kw_field",
      "context",
      "include_words"
    ],
    "deadlineMs": 35000,
    "isRepeatable": false,
    "rows": null
  },
  "listSimulations": {
    "method": "GET",
    "path": "/api/v1/metadata/simulate/history",
    "query": [
      "page",
      "per_page",
      "search"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "getSimulation": {
    "method": "GET",
    "path": "/api/v1/metadata/simulate/history/{id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "getKeywordsField": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/keywords-field",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "setKeywordsField": {
    "method": "PUT",
    "path": "/api/v1/applications/{id}/keywords-field",
    "query": [],
    "body": [
      "kw_field"
    ],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "deleteKeywordsField": {
    "method": "DELETE",
    "path": "/api/v1/applications/{id}/keywords-field",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listCompetitors": {
    "method": "GET",
    "path": "/api/v1/competitors",
    "query": [
      "app_id"
    ],
    "body": [],
    "deadlineMs": 35000,
    "isRepeatable": true,
    "rows": null
  },
  "trackCompetitor": {
    "method": "POST",
    "path": "/api/v1/competitors",
    "query": [],
    "body": [
      "app_id",
      "competitor_app_id",
      "store",
      "country",
      "lang"
    ],
    "deadlineMs": 35000,
    "isRepeatable": false,
    "rows": null
  },
  "untrackCompetitor": {
    "method": "DELETE",
    "path": "/api/v1/competitors/{id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listKeywords": {
    "method": "GET",
    "path": "/api/v1/keywords",
    "query": [
      "app_id",
      "favorites",
      "sort",
      "search",
      "min_traffic",
      "max_difficulty",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "trackKeywords": {
    "method": "POST",
    "path": "/api/v1/keywords",
    "query": [],
    "body": [
      "keywords",
      "app_id",
      "store",
      "country",
      "lang"
    ],
    "deadlineMs": 60000,
    "isRepeatable": false,
    "rows": null
  },
  "untrackKeyword": {
    "method": "DELETE",
    "path": "/api/v1/keywords/{id}/apps/{app_id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "setKeywordFavorite": {
    "method": "PATCH",
    "path": "/api/v1/keywords/{id}/apps/{app_id}/favorite",
    "query": [],
    "body": [
      "is_favorite"
    ],
    "deadlineMs": 5000,
    "isRepeatable": false,
    "rows": null
  },
  "getRankHistory": {
    "method": "GET",
    "path": "/api/v1/keywords/{id}/ranks/history",
    "query": [
      "app_id",
      "from",
      "to"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listRankHistories": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/ranks/history",
    "query": [
      "keyword_ids",
      "from",
      "to",
      "competitors",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": "keywords",
      "cursor": null
    }
  },
  "listRankMatrix": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/rank-matrix",
    "query": [
      "days",
      "competitor_ids",
      "favorites",
      "sort",
      "search",
      "min_traffic",
      "max_difficulty",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": "rows",
      "cursor": null
    }
  },
  "getShareOfVoice": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/share-of-voice",
    "query": [
      "from",
      "to"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listKeywordGap": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/keyword-gap",
    "query": [
      "competitor_ids",
      "rival_max_rank",
      "own_min_rank",
      "min_traffic",
      "include_brands",
      "sort",
      "search",
      "max_difficulty",
      "tracked",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "listRankedKeywords": {
    "method": "GET",
    "path": "/api/v1/keywords/ranked-by",
    "query": [
      "app_id",
      "store",
      "country",
      "lang",
      "min_traffic",
      "sort",
      "search",
      "max_difficulty",
      "tracked",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "addNote": {
    "method": "POST",
    "path": "/api/v1/applications/{id}/notes",
    "query": [],
    "body": [
      "date",
      "text"
    ],
    "deadlineMs": 5000,
    "isRepeatable": false,
    "rows": null
  },
  "listNotes": {
    "method": "GET",
    "path": "/api/v1/applications/{id}/notes",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "removeNote": {
    "method": "DELETE",
    "path": "/api/v1/applications/{id}/notes/{note_id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listAlerts": {
    "method": "GET",
    "path": "/api/v1/alerts",
    "query": [
      "since",
      "kind",
      "app_id",
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": "since"
    }
  },
  "listAlertRules": {
    "method": "GET",
    "path": "/api/v1/alerts/rules",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "createAlertRule": {
    "method": "POST",
    "path": "/api/v1/alerts/rules",
    "query": [],
    "body": [
      "kind",
      "app_id",
      "threshold",
      "keywords",
      "channels",
      "is_enabled"
    ],
    "deadlineMs": 5000,
    "isRepeatable": false,
    "rows": null
  },
  "updateAlertRule": {
    "method": "PATCH",
    "path": "/api/v1/alerts/rules/{rule_id}",
    "query": [],
    "body": [
      "app_id",
      "threshold",
      "keywords",
      "channels",
      "is_enabled"
    ],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "deleteAlertRule": {
    "method": "DELETE",
    "path": "/api/v1/alerts/rules/{rule_id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listAlertChannels": {
    "method": "GET",
    "path": "/api/v1/alerts/channels",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "createAlertChannel": {
    "method": "POST",
    "path": "/api/v1/alerts/channels",
    "query": [],
    "body": [
      "type",
      "name",
      "url",
      "timing"
    ],
    "deadlineMs": 15000,
    "isRepeatable": false,
    "rows": null
  },
  "updateAlertChannel": {
    "method": "PATCH",
    "path": "/api/v1/alerts/channels/{channel_id}",
    "query": [],
    "body": [
      "name",
      "url",
      "timing",
      "is_enabled",
      "rotate_secret"
    ],
    "deadlineMs": 15000,
    "isRepeatable": false,
    "rows": null
  },
  "deleteAlertChannel": {
    "method": "DELETE",
    "path": "/api/v1/alerts/channels/{channel_id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "testAlertChannel": {
    "method": "POST",
    "path": "/api/v1/alerts/channels/{channel_id}/test",
    "query": [],
    "body": [],
    "deadlineMs": 15000,
    "isRepeatable": false,
    "rows": null
  },
  "listAlertDeliveries": {
    "method": "GET",
    "path": "/api/v1/alerts/channels/{channel_id}/deliveries",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "redeliverAlerts": {
    "method": "POST",
    "path": "/api/v1/alerts/deliveries/{delivery_id}/redeliver",
    "query": [],
    "body": [],
    "deadlineMs": 15000,
    "isRepeatable": false,
    "rows": null
  },
  "listAlertDigests": {
    "method": "GET",
    "path": "/api/v1/alerts/digests",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "createAlertDigest": {
    "method": "POST",
    "path": "/api/v1/alerts/digests",
    "query": [],
    "body": [
      "channel",
      "every",
      "hour",
      "time_zone",
      "app_id"
    ],
    "deadlineMs": 5000,
    "isRepeatable": false,
    "rows": null
  },
  "updateAlertDigest": {
    "method": "PATCH",
    "path": "/api/v1/alerts/digests/{digest_id}",
    "query": [],
    "body": [
      "channel",
      "every",
      "hour",
      "time_zone",
      "app_id"
    ],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "deleteAlertDigest": {
    "method": "DELETE",
    "path": "/api/v1/alerts/digests/{digest_id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "getTrackedKeywordScores": {
    "method": "GET",
    "path": "/api/v1/keywords/{id}/scores",
    "query": [
      "from",
      "to"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "inspectKeyword": {
    "method": "GET",
    "path": "/api/v1/keywords/inspect",
    "query": [
      "keyword",
      "store",
      "country",
      "lang"
    ],
    "body": [],
    "deadlineMs": 35000,
    "isRepeatable": true,
    "rows": null
  },
  "getKeywordScores": {
    "method": "GET",
    "path": "/api/v1/keywords/scores",
    "query": [
      "keyword",
      "store",
      "country",
      "lang",
      "from",
      "to"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "listInspections": {
    "method": "GET",
    "path": "/api/v1/keywords/inspect/history",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "createJob": {
    "method": "POST",
    "path": "/api/v1/jobs",
    "query": [],
    "body": [
      "kind",
      "app_id",
      "store",
      "country",
      "lang",
      "keywords"
    ],
    "deadlineMs": 5000,
    "isRepeatable": false,
    "rows": null
  },
  "listJobs": {
    "method": "GET",
    "path": "/api/v1/jobs",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "getJob": {
    "method": "GET",
    "path": "/api/v1/jobs/{id}",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": "results",
      "cursor": null
    }
  },
  "cancelJob": {
    "method": "DELETE",
    "path": "/api/v1/jobs/{id}",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "runAutocomplete": {
    "method": "GET",
    "path": "/api/v1/autocomplete",
    "query": [
      "prefix",
      "store",
      "country",
      "lang"
    ],
    "body": [],
    "deadlineMs": 35000,
    "isRepeatable": true,
    "rows": null
  },
  "listAutocompletes": {
    "method": "GET",
    "path": "/api/v1/autocomplete/history",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "analyzeNiche": {
    "method": "GET",
    "path": "/api/v1/niches",
    "query": [
      "topic",
      "store",
      "country",
      "lang"
    ],
    "body": [],
    "deadlineMs": 300000,
    "isRepeatable": true,
    "rows": null
  },
  "listNiches": {
    "method": "GET",
    "path": "/api/v1/niches/history",
    "query": [
      "page",
      "per_page"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": {
      "field": null,
      "cursor": null
    }
  },
  "getTopChart": {
    "method": "GET",
    "path": "/api/v1/top-charts",
    "query": [
      "store",
      "country",
      "category",
      "collection",
      "limit"
    ],
    "body": [],
    "deadlineMs": 35000,
    "isRepeatable": true,
    "rows": null
  },
  "listChartCategories": {
    "method": "GET",
    "path": "/api/v1/top-charts/categories",
    "query": [
      "store"
    ],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  },
  "getAccountUsage": {
    "method": "GET",
    "path": "/api/v1/account/usage",
    "query": [],
    "body": [],
    "deadlineMs": 5000,
    "isRepeatable": true,
    "rows": null
  }
} as const satisfies Readonly<Record<string, Operation>>;

/** A method for each endpoint. */
export interface Operations {
  /** List tracked applications. Newest first, at most 1,000; use app_id to get an older one. Other endpoints expect the id of a row; it never changes. */
  listApplications(input?: schemas.ListApplicationsInput, options?: CallOptions): Promise<Answer<schemas.ListApplicationsData, schemas.ListApplicationsMeta>>;
  /** Track an application. Tracks one app in one storefront: one store, country and language. The listing is read from the store first. The same app in three storefronts is three applications. */
  trackApplication(input: schemas.TrackApplicationInput, options?: CallOptions): Promise<Answer<schemas.TrackApplicationData, schemas.TrackApplicationMeta>>;
  /** Search a store for apps. The first 20 apps of the store’s result page for a term, in the store’s order, to find the app_id of an app to track. Google Play’s result pages show no number of ratings. An empty list means that the store shows no app; when that is uncertain, the answer is STORE_FETCH_FAILED. Spends one API request. */
  searchApps(input: schemas.SearchAppsInput, options?: CallOptions): Promise<Answer<schemas.SearchAppsData, schemas.SearchAppsMeta>>;
  /** Stop tracking an application. The history is kept, and tracking the app again gives the same id. Its keywords stay removed until they are tracked again. Links that show it end. Repeating the call is safe. */
  untrackApplication(input: schemas.UntrackApplicationInput, options?: CallOptions): Promise<Answer<schemas.UntrackApplicationData, schemas.UntrackApplicationMeta>>;
  /** List the keywords of an application by how far their ranks moved. Compares the latest snapshot of each tracked keyword with the newest one that is at least `days` days older. The biggest movement comes first; here an app that is not ranked has rank 101. Keywords without both snapshots are not listed but counted in meta.unread. The earlier snapshot is at most 400 days old, or as many days as the plan has history. Read both dates of a row: the latest snapshot may be older than today, and the earlier one older than `days` says. */
  listMovers(input: schemas.ListMoversInput, options?: CallOptions): Promise<Answer<schemas.ListMoversData, schemas.ListMoversMeta>>;
  /** Get how many keywords of an application ranked where on each day. Counts the keywords that were tracked on each day by where the application ranked, oldest day first. A keyword counts from the day on which it was tracked until the day before its removal; one that was removed and tracked again counts from then on. A window has at most 400 days, and its days times the keywords are at most 40,000. */
  getRankDistribution(input: schemas.GetRankDistributionInput, options?: CallOptions): Promise<Answer<schemas.GetRankDistributionData, schemas.GetRankDistributionMeta>>;
  /** Get the score history of an application. Daily visibility of the application in searches, oldest first. A window has at most 400 days. */
  getScoreHistory(input: schemas.GetScoreHistoryInput, options?: CallOptions): Promise<Answer<schemas.GetScoreHistoryData, schemas.GetScoreHistoryMeta>>;
  /** Make a link that shows an application. The address of a page that shows this application to everyone who has it, without a key: its ranks, visibility and rank distribution, as they are kept. It shows nothing else of the account, and search engines are asked not to index it. It ends on its day, by DELETE, and with the application, the account or its plan. The address is shown once. An account has at most 20 links. Repeating the call makes another link. */
  createShareLink(input: schemas.CreateShareLinkInput, options?: CallOptions): Promise<Answer<schemas.CreateShareLinkData, schemas.CreateShareLinkMeta>>;
  /** List the links that show an application. Those that are valid now, newest first. Their addresses are not stored. */
  listShareLinks(input: schemas.ListShareLinksInput, options?: CallOptions): Promise<Answer<schemas.ListShareLinksData, schemas.ListShareLinksMeta>>;
  /** End a link that shows an application. Its page is not found from now on. Repeating the call is safe. */
  endShareLink(input: schemas.EndShareLinkInput, options?: CallOptions): Promise<Answer<schemas.EndShareLinkData, schemas.EndShareLinkMeta>>;
  /** List changes of an application’s listing and what followed. Changes of title, subtitle, description, version and pictures, as daily readings found them, newest first: of the application, and with competitors=true of its competitors. A text that was not known before is no change. For each own change the tracked keywords with a word that came or went are compared with the others. What moved after a change was not necessarily caused by it. The newest 1,000 changes of a window of at most 400 days are listed. As CSV, each changed text has a row, and no effect is computed. */
  listChanges(input: schemas.ListChangesInput, options?: CallOptions): Promise<Answer<schemas.ListChangesData, schemas.ListChangesMeta>>;
  /** Get the ASO Health report of an application. The stored audit of the listing: three axes, every field, the targeted terms, and what to improve. It is recomputed when the listing changes, when a word is measured, and at least once a day. The words of name and subtitle are measured first; the full description of Google Play counts once 80 % of its words have been measured. For an account that keeps the keywords field of the app, the report is computed with it; the timeline, the list of applications and the score history leave it out. Spends one API request. */
  getAsoHealth(input: schemas.GetAsoHealthInput, options?: CallOptions): Promise<Answer<schemas.GetAsoHealthData, schemas.GetAsoHealthMeta>>;
  /** Check a draft of a listing. Checks lengths as the store counts them, forbidden words, emoji and symbols, invisible and control characters, and wasted characters. Only the texts that are sent are checked, without a request to the store. `valid` is false when any field has an error. Spends one API request. */
  checkMetadata(input: schemas.CheckMetadataInput, options?: CallOptions): Promise<Answer<schemas.CheckMetadataData, schemas.CheckMetadataMeta>>;
  /** Score a draft of a listing. Scores a draft and compares it with the app’s listing. With app_id, store, country and lang are the app’s own; without it, they are required and nothing is compared. A kept keywords field counts as that of the app; if only the draft has one, it is compared with the listing and an empty field (delta_basis). Words that have not been measured yet are read from the store, which takes a few seconds. Words that cannot be read in time are left out and counted in notes; when too few are left, the scores are null, and when nothing is known of any word, the answer is STORE_FETCH_FAILED. Phrases that are not read do not keep a draft from being compared: delta_bounds says what they could change. include_words adds the words of every field, which is long, and saves them with the run. The run is saved, one row per distinct draft. Spends one API request. */
  simulateMetadata(input?: schemas.SimulateMetadataInput, options?: CallOptions): Promise<Answer<schemas.SimulateMetadataData, schemas.SimulateMetadataMeta>>;
  /** List saved simulations. One row per distinct draft, most recently run first. Spends one API request. */
  listSimulations(input?: schemas.ListSimulationsInput, options?: CallOptions): Promise<Answer<schemas.ListSimulationsData, schemas.ListSimulationsMeta>>;
  /** Get a saved simulation. A draft with everything that was scored, and the report of its last run. Spends one API request. */
  getSimulation(input: schemas.GetSimulationInput, options?: CallOptions): Promise<Answer<schemas.GetSimulationData, schemas.GetSimulationMeta>>;
  /** Get the kept keywords field of an application. The keywords field that this account keeps for the application, because the App Store never shows it. On Google Play, which has no such field, it is always null. */
  getKeywordsField(input: schemas.GetKeywordsFieldInput, options?: CallOptions): Promise<Answer<schemas.GetKeywordsFieldData, schemas.GetKeywordsFieldMeta>>;
  /** Keep the keywords field of an application. App Store only. The store never shows this field: keep it here to include it in the ASO Health report and in simulations. It belongs to this account: other accounts that track the same app do not see it, and their scores stay as they are. Its words are measured within minutes and kept up to date while the app is tracked; after ten changes of a field, or 50 of the account, on a UTC day, the words of further ones are requested with the next daily audit. Nothing is written to the store. Repeating the call is safe. */
  setKeywordsField(input: schemas.SetKeywordsFieldInput, options?: CallOptions): Promise<Answer<schemas.SetKeywordsFieldData, schemas.SetKeywordsFieldMeta>>;
  /** Remove the kept keywords field of an application. The field is unknown again: reports and simulations are computed without it. Repeating the call is safe. An application that is no longer tracked keeps its field until it is tracked again. */
  deleteKeywordsField(input: schemas.DeleteKeywordsFieldInput, options?: CallOptions): Promise<Answer<schemas.DeleteKeywordsFieldData, schemas.DeleteKeywordsFieldMeta>>;
  /** List competitors. Newest first, at most 1,000; use app_id to get older ones. Both scores of a row use the same terms and result pages, so they can be compared. */
  listCompetitors(input?: schemas.ListCompetitorsInput, options?: CallOptions): Promise<Answer<schemas.ListCompetitorsData, schemas.ListCompetitorsMeta>>;
  /** Track a competitor of an application. Adds another app of the same store, country and language as a competitor. The listing is read from the store first. The competitor comes with ranks for every keyword of the application, from the existing snapshots. A removed competitor returns with its old id. */
  trackCompetitor(input: schemas.TrackCompetitorInput, options?: CallOptions): Promise<Answer<schemas.TrackCompetitorData, schemas.TrackCompetitorMeta>>;
  /** Stop tracking a competitor. Tracking the competitor again gives the same relation id. Repeating the call is safe. */
  untrackCompetitor(input: schemas.UntrackCompetitorInput, options?: CallOptions): Promise<Answer<schemas.UntrackCompetitorData, schemas.UntrackCompetitorMeta>>;
  /** List tracked keywords. Favorites first, then by keyword, or in the order of sort, with ranks from the latest daily snapshot, whose day is in snapshot_date. Sending page or per_page turns paging on; without both, the list has up to 1000 rows. The totals in meta count the rows that pass the filters. search works on at most 10,000 keywords, an order by traffic or difficulty, min_traffic and max_difficulty on 5,000, an order by rank on 4,000 and by delta on 2,000: narrow a longer list with app_id or favorites. */
  listKeywords(input?: schemas.ListKeywordsInput, options?: CallOptions): Promise<Answer<schemas.ListKeywordsData, schemas.ListKeywordsMeta>>;
  /** Track keywords. Tracks 1 to 20 keywords of one application and reads their first ranks immediately. store, country and lang must be the application’s own. One failed keyword does not affect the others; the answer is 200 even when all fail. A removed keyword returns with its history. */
  trackKeywords(input: schemas.TrackKeywordsInput, options?: CallOptions): Promise<Answer<schemas.TrackKeywordsData, schemas.TrackKeywordsMeta>>;
  /** Stop tracking a keyword of an application. The history is kept and stays readable. Repeating the call is safe. */
  untrackKeyword(input: schemas.UntrackKeywordInput, options?: CallOptions): Promise<Answer<schemas.UntrackKeywordData, schemas.UntrackKeywordMeta>>;
  /** Set or clear the favorite mark of a keyword. The mark belongs to one application: other applications that track the keyword keep theirs. */
  setKeywordFavorite(input: schemas.SetKeywordFavoriteInput, options?: CallOptions): Promise<Answer<schemas.SetKeywordFavoriteData, schemas.SetKeywordFavoriteMeta>>;
  /** Get the rank history of a keyword. Daily ranks of the applications that track or tracked the keyword, oldest first. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days. */
  getRankHistory(input: schemas.GetRankHistoryInput, options?: CallOptions): Promise<Answer<schemas.GetRankHistoryData, schemas.GetRankHistoryMeta>>;
  /** List the rank histories of many keywords of an application. Daily ranks of the application, and with competitors=true of its competitors, for up to 100 keywords, oldest day first: without keyword_ids those of the list of keywords, favorites first, in pages. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days, and keywords times days times apps are at most 40,000. */
  listRankHistories(input: schemas.ListRankHistoriesInput, options?: CallOptions): Promise<Answer<schemas.ListRankHistoriesData, schemas.ListRankHistoriesMeta>>;
  /** Compare the ranks of an application with those of its competitors. The latest rank of the application and of up to five competitors for each tracked keyword, and how it differs from the one `days` days before. It reads result pages that are kept, and calls no store. Rows are narrowed, ordered and paged as in the list of keywords; an order by delta is by the delta of the application. */
  listRankMatrix(input: schemas.ListRankMatrixInput, options?: CallOptions): Promise<Answer<schemas.ListRankMatrixData, schemas.ListRankMatrixMeta>>;
  /** Get which share of the clicks an application and its rivals get. How the clicks on the result pages of the application’s terms are shared among the apps on them, by their ranks and how much each term is searched. The terms are those of its visibility that this account tracks for it, or that its name, subtitle or description in the store has. It reads result pages that are kept, for 90 days, and calls no store. A window has at most 90 days; of more than 100 competitors, those added last are compared. */
  getShareOfVoice(input: schemas.GetShareOfVoiceInput, options?: CallOptions): Promise<Answer<schemas.GetShareOfVoiceData, schemas.GetShareOfVoiceMeta>>;
  /** List the terms for which competitors rank and the application does not. The terms on whose result page a competitor ranks at rival_max_rank or better, and the application at own_min_rank or worse or not at all. The most valuable comes first: value = kei * gain. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. */
  listKeywordGap(input: schemas.ListKeywordGapInput, options?: CallOptions): Promise<Answer<schemas.ListKeywordGapData, schemas.ListKeywordGapMeta>>;
  /** List the terms for which an app ranks. The terms on whose result page any app ranks, tracked or not. The most valuable comes first: by the searches that reach the app at its rank, as in its visibility. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. Empty: no such page has the app, which does not mean that it ranks for nothing. Spends one API request. */
  listRankedKeywords(input: schemas.ListRankedKeywordsInput, options?: CallOptions): Promise<Answer<schemas.ListRankedKeywordsData, schemas.ListRankedKeywordsMeta>>;
  /** Write a note about a day of an application. A mark on the charts of the application: what happened on that day, such as a campaign. Only this account sees it. An application has at most 1000 notes. Repeating the call writes another note. */
  addNote(input: schemas.AddNoteInput, options?: CallOptions): Promise<Answer<schemas.AddNoteData, schemas.AddNoteMeta>>;
  /** List the notes about an application. The notes of this account, the latest day first. Other accounts never see them. */
  listNotes(input: schemas.ListNotesInput, options?: CallOptions): Promise<Answer<schemas.ListNotesData, schemas.ListNotesMeta>>;
  /** Remove a note about an application. Repeating the call is safe. */
  removeNote(input: schemas.RemoveNoteInput, options?: CallOptions): Promise<Answer<schemas.RemoveNoteData, schemas.RemoveNoteMeta>>;
  /** List the alerts. What the alert rules of this account found in the daily readings, kept 400 days, the last 100,000 at least. A change is measured between two days that were read. A keyword has no alert of ranks on a day without a reading, with an empty page or with a page of a storefront that shows signs of wrong pages. The same holds for a week while its page has lost two thirds of ten results or more. The next whole page is compared with the last one. Each rule reports a change once. */
  listAlerts(input?: schemas.ListAlertsInput, options?: CallOptions): Promise<Answer<schemas.ListAlertsData, schemas.ListAlertsMeta>>;
  /** List the alert rules. The rules of this account, oldest first. A new account has four: rank_drop, left_top, listing_changed and store_blocked, for all of its applications. They may be changed and deleted. */
  listAlertRules(input?: schemas.ListAlertRulesInput, options?: CallOptions): Promise<Answer<schemas.ListAlertRulesData, schemas.ListAlertRulesMeta>>;
  /** Create an alert rule. From now on, what the rule finds is added to the feed of alerts. What is left out has its default: all applications, the threshold of the kind, all keywords, no channel, enabled. An account has at most 200 rules. Repeating the call creates another rule. */
  createAlertRule(input: schemas.CreateAlertRuleInput, options?: CallOptions): Promise<Answer<schemas.CreateAlertRuleData, schemas.CreateAlertRuleMeta>>;
  /** Change an alert rule. Changes what is sent and keeps the rest. A rule keeps its kind. Alerts that it has found stay as they are. Repeating the call is safe. */
  updateAlertRule(input: schemas.UpdateAlertRuleInput, options?: CallOptions): Promise<Answer<schemas.UpdateAlertRuleData, schemas.UpdateAlertRuleMeta>>;
  /** Delete an alert rule. Alerts that it has found stay in the feed. Repeating the call is safe. */
  deleteAlertRule(input: schemas.DeleteAlertRuleInput, options?: CallOptions): Promise<Answer<schemas.DeleteAlertRuleData, schemas.DeleteAlertRuleMeta>>;
  /** List the channels for alerts. Where alerts of this account are sent, oldest first. Of an address only the host and the last four characters are shown. */
  listAlertChannels(input?: schemas.ListAlertChannelsInput, options?: CallOptions): Promise<Answer<schemas.ListAlertChannelsData, schemas.ListAlertChannelsMeta>>;
  /** Create a channel for alerts. Where alerts are sent, besides the feed: to the receiver of a webhook, to a room of Slack or Discord, or by mail. Nothing is sent before a rule names the channel. An address for mail gets one mail first, with a link that confirms it; until its owner has done so, the channel is off and nothing else is sent there. A webhook has a secret, which this answer alone shows. An account has at most 20 channels. Repeating the call creates another channel. */
  createAlertChannel(input: schemas.CreateAlertChannelInput, options?: CallOptions): Promise<Answer<schemas.CreateAlertChannelData, schemas.CreateAlertChannelMeta>>;
  /** Change a channel for alerts. Changes what is sent and keeps the rest. A channel keeps its type. is_enabled turns it on, also after it was turned off by its failures: what was found meanwhile is in the feed only. A new address for mail, and one that is not confirmed, gets a mail with a link instead. Turned off, a channel stays off until you turn it on: a link that waits ends. rotate_secret makes a new secret; the old one signs for a day, too. */
  updateAlertChannel(input: schemas.UpdateAlertChannelInput, options?: CallOptions): Promise<Answer<schemas.UpdateAlertChannelData, schemas.UpdateAlertChannelMeta>>;
  /** Delete a channel for alerts. Its deliveries are deleted, too; alerts stay in the feed. Rules that named it send to their other channels. Repeating the call is safe. */
  deleteAlertChannel(input: schemas.DeleteAlertChannelInput, options?: CallOptions): Promise<Answer<schemas.DeleteAlertChannelData, schemas.DeleteAlertChannelMeta>>;
  /** Send a test to a channel. Sends a message without alerts, once, also to a channel that is off, unless it is an address for mail that is not confirmed, and shows what the receiver answered: a receiver that refuses is no error of this call. An account sends at most 10 tests and repeated deliveries an hour. Repeating the call sends another test. */
  testAlertChannel(input: schemas.TestAlertChannelInput, options?: CallOptions): Promise<Answer<schemas.TestAlertChannelData, schemas.TestAlertChannelMeta>>;
  /** List the deliveries of a channel. What was sent to a channel in the last 30 days, and what waits, newest first. */
  listAlertDeliveries(input: schemas.ListAlertDeliveriesInput, options?: CallOptions): Promise<Answer<schemas.ListAlertDeliveriesData, schemas.ListAlertDeliveriesMeta>>;
  /** Send a delivery again. Sends it once more, whatever its state, with the same webhook-id, and shows what the receiver answered. One that waits stays scheduled unless this succeeds. An account sends at most 10 tests and repeated deliveries an hour. */
  redeliverAlerts(input: schemas.RedeliverAlertsInput, options?: CallOptions): Promise<Answer<schemas.RedeliverAlertsData, schemas.RedeliverAlertsMeta>>;
  /** List the digests. The digests of this account, oldest first, with when they are sent. */
  listAlertDigests(input?: schemas.ListAlertDigestsInput, options?: CallOptions): Promise<Answer<schemas.ListAlertDigestsData, schemas.ListAlertDigestsMeta>>;
  /** Create a digest. What the feed has had since the digest before, in one message to a channel: ranks that moved, what entered or left the top or a chart, changes of listings, and what could not be read; the first 100 alerts, and how many more there are. It has what the rules find, also those without a channel. Nothing is sent when there was nothing. An account has at most 20 digests. Repeating the call creates another digest. */
  createAlertDigest(input: schemas.CreateAlertDigestInput, options?: CallOptions): Promise<Answer<schemas.CreateAlertDigestData, schemas.CreateAlertDigestMeta>>;
  /** Change a digest. Changes what is sent and keeps the rest. The next one begins where the last one ended. Repeating the call is safe. */
  updateAlertDigest(input: schemas.UpdateAlertDigestInput, options?: CallOptions): Promise<Answer<schemas.UpdateAlertDigestData, schemas.UpdateAlertDigestMeta>>;
  /** Delete a digest. What it would have had is in the feed. Repeating the call is safe. */
  deleteAlertDigest(input: schemas.DeleteAlertDigestInput, options?: CallOptions): Promise<Answer<schemas.DeleteAlertDigestData, schemas.DeleteAlertDigestMeta>>;
  /** Explain the scores of a tracked keyword. How the stored scores of a keyword that the account tracks or tracked were computed: parts, weights, and inputs with source and age; and its scores of past days, which are its CSV. No store is read: a keyword without stored scores, as in the first minute after it is tracked, is 404, too. Of a keyword that the account does not track any more, times are shown to the day. */
  getTrackedKeywordScores(input: schemas.GetTrackedKeywordScoresInput, options?: CallOptions): Promise<Answer<schemas.GetTrackedKeywordScoresData, schemas.GetTrackedKeywordScoresMeta>>;
  /** Inspect a keyword. Reads the scores and the result page of any keyword, tracked or not. The inspection is saved in the history. Only inspections of keywords that the account does not track count towards keyword_inspections. Spends one API request. */
  inspectKeyword(input: schemas.InspectKeywordInput, options?: CallOptions): Promise<Answer<schemas.InspectKeywordData, schemas.InspectKeywordMeta>>;
  /** Explain the scores of any known keyword. How the stored scores of a keyword were computed: parts, weights, and inputs with source and age; and its scores of past days, which are its CSV. No store is read: a keyword without stored scores is 404. Of a keyword that the account does not track, times are shown to the day. Spends one API request. */
  getKeywordScores(input: schemas.GetKeywordScoresInput, options?: CallOptions): Promise<Answer<schemas.GetKeywordScoresData, schemas.GetKeywordScoresMeta>>;
  /** List inspected keywords. One row per keyword and storefront (store, country and language), most recently inspected first. */
  listInspections(input?: schemas.ListInspectionsInput, options?: CallOptions): Promise<Answer<schemas.ListInspectionsData, schemas.ListInspectionsMeta>>;
  /** Track or inspect many keywords. Tracks or inspects up to 1000 keywords in the background: the answer comes at once, with status 202. Calls that wait for a store go first, and the jobs of all accounts take turns. A keyword spends what its single call spends, when it begins: tracking none, an inspection one API request, and one of keyword_inspections unless the account tracks the keyword. At a spent quota or cap the rest fails with its code. A keyword that is sent again in the list is left out. An account has at most 5 open jobs, and creates at most 20 of a kind in an hour. Repeating the call creates another job. */
  createJob(input: schemas.CreateJobInput, options?: CallOptions): Promise<Answer<schemas.CreateJobData, schemas.CreateJobMeta>>;
  /** List jobs. Newest first: the open jobs, and those that ended within 30 days of their creation, at most the last 20 of each kind. */
  listJobs(input?: schemas.ListJobsInput, options?: CallOptions): Promise<Answer<schemas.ListJobsData, schemas.ListJobsMeta>>;
  /** Read a job and its results. How far the job is, and a page of its keywords in the order sent, each with its result once it has one. Ask again every few seconds while finished_at is null. A job is kept for 30 days. */
  getJob(input: schemas.GetJobInput, options?: CallOptions): Promise<Answer<schemas.GetJobData, schemas.GetJobMeta>>;
  /** Cancel a job. Keywords that have not begun never will; those that are read now still end. What is tracked stays tracked. Repeating the call is safe. */
  cancelJob(input: schemas.CancelJobInput, options?: CallOptions): Promise<Answer<schemas.CancelJobData, schemas.CancelJobMeta>>;
  /** Get autocomplete suggestions. The suggestions of the store’s search field for a prefix, in the store’s order. An empty list means that the store has no suggestions; when that is uncertain, the answer is STORE_FETCH_FAILED. The query is saved in the history. Spends one API request. */
  runAutocomplete(input: schemas.RunAutocompleteInput, options?: CallOptions): Promise<Answer<schemas.RunAutocompleteData, schemas.RunAutocompleteMeta>>;
  /** List autocomplete queries. One row per prefix and storefront (store, country and language), most recently queried first. */
  listAutocompletes(input?: schemas.ListAutocompletesInput, options?: CallOptions): Promise<Answer<schemas.ListAutocompletesData, schemas.ListAutocompletesMeta>>;
  /** Analyze a niche. Clusters the search terms around a topic and scores the opportunity of each cluster. A new analysis can take a few minutes: allow 300 seconds. It is cached for all accounts for 7 days, or for one hour when the store failed to answer part of it, or seemed to have no suggestions for a term; when formulas change, it is computed again. Once it runs, it finishes even if the caller disconnects; concurrent callers share it. Per store, one analysis of an account runs and two wait; a further one is 503 and costs nothing. An analysis that waits is dropped when its callers disconnect, and costs no niche analysis. Only an analysis that ran for this call counts towards niche_analyses. Spends one API request. */
  analyzeNiche(input: schemas.AnalyzeNicheInput, options?: CallOptions): Promise<Answer<schemas.AnalyzeNicheData, schemas.AnalyzeNicheMeta>>;
  /** List niche analyses. One row per analysis that the account has received, newest first. Repeated requests add no row. */
  listNiches(input?: schemas.ListNichesInput, options?: CallOptions): Promise<Answer<schemas.ListNichesData, schemas.ListNichesMeta>>;
  /** Get a top chart. Today’s chart, by rank. A chart that is requested for the first time is read now, and then daily while it is requested at least once in 30 days. The App Store shows at most 100 apps. Spends one API request. */
  getTopChart(input: schemas.GetTopChartInput, options?: CallOptions): Promise<Answer<schemas.GetTopChartData, schemas.GetTopChartMeta>>;
  /** List collections and categories of the top charts. The collections and categories that GET /api/v1/top-charts supports. Spends one API request. */
  listChartCategories(input?: schemas.ListChartCategoriesInput, options?: CallOptions): Promise<Answer<schemas.ListChartCategoriesData, schemas.ListChartCategoriesMeta>>;
  /** Get usage and limits. What the account tracks now and what it has used in this calendar month (UTC). The call spends no API request: use it before a long job. */
  getAccountUsage(input?: Record<string, never>, options?: CallOptions): Promise<Answer<schemas.GetAccountUsageData, schemas.GetAccountUsageMeta>>;
}

/** The rows of each list with pages, one page after the other. */
export interface Rows {
  /** List the keywords of an application by how far their ranks moved. Compares the latest snapshot of each tracked keyword with the newest one that is at least `days` days older. The biggest movement comes first; here an app that is not ranked has rank 101. Keywords without both snapshots are not listed but counted in meta.unread. The earlier snapshot is at most 400 days old, or as many days as the plan has history. Read both dates of a row: the latest snapshot may be older than today, and the earlier one older than `days` says. */
  listMovers(input: schemas.ListMoversInput, options?: CallOptions): AsyncGenerator<schemas.ListMoversRow, void, undefined>;
  /** List changes of an application’s listing and what followed. Changes of title, subtitle, description, version and pictures, as daily readings found them, newest first: of the application, and with competitors=true of its competitors. A text that was not known before is no change. For each own change the tracked keywords with a word that came or went are compared with the others. What moved after a change was not necessarily caused by it. The newest 1,000 changes of a window of at most 400 days are listed. As CSV, each changed text has a row, and no effect is computed. */
  listChanges(input: schemas.ListChangesInput, options?: CallOptions): AsyncGenerator<schemas.ListChangesRow, void, undefined>;
  /** List saved simulations. One row per distinct draft, most recently run first. Spends one API request. */
  listSimulations(input?: schemas.ListSimulationsInput, options?: CallOptions): AsyncGenerator<schemas.ListSimulationsRow, void, undefined>;
  /** List tracked keywords. Favorites first, then by keyword, or in the order of sort, with ranks from the latest daily snapshot, whose day is in snapshot_date. Sending page or per_page turns paging on; without both, the list has up to 1000 rows. The totals in meta count the rows that pass the filters. search works on at most 10,000 keywords, an order by traffic or difficulty, min_traffic and max_difficulty on 5,000, an order by rank on 4,000 and by delta on 2,000: narrow a longer list with app_id or favorites. */
  listKeywords(input?: schemas.ListKeywordsInput, options?: CallOptions): AsyncGenerator<schemas.ListKeywordsRow, void, undefined>;
  /** List the rank histories of many keywords of an application. Daily ranks of the application, and with competitors=true of its competitors, for up to 100 keywords, oldest day first: without keyword_ids those of the list of keywords, favorites first, in pages. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days, and keywords times days times apps are at most 40,000. */
  listRankHistories(input: schemas.ListRankHistoriesInput, options?: CallOptions): AsyncGenerator<schemas.ListRankHistoriesRow, void, undefined>;
  /** Compare the ranks of an application with those of its competitors. The latest rank of the application and of up to five competitors for each tracked keyword, and how it differs from the one `days` days before. It reads result pages that are kept, and calls no store. Rows are narrowed, ordered and paged as in the list of keywords; an order by delta is by the delta of the application. */
  listRankMatrix(input: schemas.ListRankMatrixInput, options?: CallOptions): AsyncGenerator<schemas.ListRankMatrixRow, void, undefined>;
  /** List the terms for which competitors rank and the application does not. The terms on whose result page a competitor ranks at rival_max_rank or better, and the application at own_min_rank or worse or not at all. The most valuable comes first: value = kei * gain. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. */
  listKeywordGap(input: schemas.ListKeywordGapInput, options?: CallOptions): AsyncGenerator<schemas.ListKeywordGapRow, void, undefined>;
  /** List the terms for which an app ranks. The terms on whose result page any app ranks, tracked or not. The most valuable comes first: by the searches that reach the app at its rank, as in its visibility. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. Empty: no such page has the app, which does not mean that it ranks for nothing. Spends one API request. */
  listRankedKeywords(input: schemas.ListRankedKeywordsInput, options?: CallOptions): AsyncGenerator<schemas.ListRankedKeywordsRow, void, undefined>;
  /** List the notes about an application. The notes of this account, the latest day first. Other accounts never see them. */
  listNotes(input: schemas.ListNotesInput, options?: CallOptions): AsyncGenerator<schemas.ListNotesRow, void, undefined>;
  /** List the alerts. What the alert rules of this account found in the daily readings, kept 400 days, the last 100,000 at least. A change is measured between two days that were read. A keyword has no alert of ranks on a day without a reading, with an empty page or with a page of a storefront that shows signs of wrong pages. The same holds for a week while its page has lost two thirds of ten results or more. The next whole page is compared with the last one. Each rule reports a change once. */
  listAlerts(input?: schemas.ListAlertsInput, options?: CallOptions): AsyncGenerator<schemas.ListAlertsRow, void, undefined>;
  /** List the alert rules. The rules of this account, oldest first. A new account has four: rank_drop, left_top, listing_changed and store_blocked, for all of its applications. They may be changed and deleted. */
  listAlertRules(input?: schemas.ListAlertRulesInput, options?: CallOptions): AsyncGenerator<schemas.ListAlertRulesRow, void, undefined>;
  /** List the channels for alerts. Where alerts of this account are sent, oldest first. Of an address only the host and the last four characters are shown. */
  listAlertChannels(input?: schemas.ListAlertChannelsInput, options?: CallOptions): AsyncGenerator<schemas.ListAlertChannelsRow, void, undefined>;
  /** List the deliveries of a channel. What was sent to a channel in the last 30 days, and what waits, newest first. */
  listAlertDeliveries(input: schemas.ListAlertDeliveriesInput, options?: CallOptions): AsyncGenerator<schemas.ListAlertDeliveriesRow, void, undefined>;
  /** List the digests. The digests of this account, oldest first, with when they are sent. */
  listAlertDigests(input?: schemas.ListAlertDigestsInput, options?: CallOptions): AsyncGenerator<schemas.ListAlertDigestsRow, void, undefined>;
  /** List inspected keywords. One row per keyword and storefront (store, country and language), most recently inspected first. */
  listInspections(input?: schemas.ListInspectionsInput, options?: CallOptions): AsyncGenerator<schemas.ListInspectionsRow, void, undefined>;
  /** List jobs. Newest first: the open jobs, and those that ended within 30 days of their creation, at most the last 20 of each kind. */
  listJobs(input?: schemas.ListJobsInput, options?: CallOptions): AsyncGenerator<schemas.ListJobsRow, void, undefined>;
  /** Read a job and its results. How far the job is, and a page of its keywords in the order sent, each with its result once it has one. Ask again every few seconds while finished_at is null. A job is kept for 30 days. */
  getJob(input: schemas.GetJobInput, options?: CallOptions): AsyncGenerator<schemas.GetJobRow, void, undefined>;
  /** List autocomplete queries. One row per prefix and storefront (store, country and language), most recently queried first. */
  listAutocompletes(input?: schemas.ListAutocompletesInput, options?: CallOptions): AsyncGenerator<schemas.ListAutocompletesRow, void, undefined>;
  /** List niche analyses. One row per analysis that the account has received, newest first. Repeated requests add no row. */
  listNiches(input?: schemas.ListNichesInput, options?: CallOptions): AsyncGenerator<schemas.ListNichesRow, void, undefined>;
}

/** The pages of each list, with their meta and warnings. */
export interface Pages {
  /** List the keywords of an application by how far their ranks moved. Compares the latest snapshot of each tracked keyword with the newest one that is at least `days` days older. The biggest movement comes first; here an app that is not ranked has rank 101. Keywords without both snapshots are not listed but counted in meta.unread. The earlier snapshot is at most 400 days old, or as many days as the plan has history. Read both dates of a row: the latest snapshot may be older than today, and the earlier one older than `days` says. */
  listMovers(input: schemas.ListMoversInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListMoversData, schemas.ListMoversMeta>, void, undefined>;
  /** List changes of an application’s listing and what followed. Changes of title, subtitle, description, version and pictures, as daily readings found them, newest first: of the application, and with competitors=true of its competitors. A text that was not known before is no change. For each own change the tracked keywords with a word that came or went are compared with the others. What moved after a change was not necessarily caused by it. The newest 1,000 changes of a window of at most 400 days are listed. As CSV, each changed text has a row, and no effect is computed. */
  listChanges(input: schemas.ListChangesInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListChangesData, schemas.ListChangesMeta>, void, undefined>;
  /** List saved simulations. One row per distinct draft, most recently run first. Spends one API request. */
  listSimulations(input?: schemas.ListSimulationsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListSimulationsData, schemas.ListSimulationsMeta>, void, undefined>;
  /** List tracked keywords. Favorites first, then by keyword, or in the order of sort, with ranks from the latest daily snapshot, whose day is in snapshot_date. Sending page or per_page turns paging on; without both, the list has up to 1000 rows. The totals in meta count the rows that pass the filters. search works on at most 10,000 keywords, an order by traffic or difficulty, min_traffic and max_difficulty on 5,000, an order by rank on 4,000 and by delta on 2,000: narrow a longer list with app_id or favorites. */
  listKeywords(input?: schemas.ListKeywordsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListKeywordsData, schemas.ListKeywordsMeta>, void, undefined>;
  /** List the rank histories of many keywords of an application. Daily ranks of the application, and with competitors=true of its competitors, for up to 100 keywords, oldest day first: without keyword_ids those of the list of keywords, favorites first, in pages. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days, and keywords times days times apps are at most 40,000. */
  listRankHistories(input: schemas.ListRankHistoriesInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListRankHistoriesData, schemas.ListRankHistoriesMeta>, void, undefined>;
  /** Compare the ranks of an application with those of its competitors. The latest rank of the application and of up to five competitors for each tracked keyword, and how it differs from the one `days` days before. It reads result pages that are kept, and calls no store. Rows are narrowed, ordered and paged as in the list of keywords; an order by delta is by the delta of the application. */
  listRankMatrix(input: schemas.ListRankMatrixInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListRankMatrixData, schemas.ListRankMatrixMeta>, void, undefined>;
  /** List the terms for which competitors rank and the application does not. The terms on whose result page a competitor ranks at rival_max_rank or better, and the application at own_min_rank or worse or not at all. The most valuable comes first: value = kei * gain. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. */
  listKeywordGap(input: schemas.ListKeywordGapInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListKeywordGapData, schemas.ListKeywordGapMeta>, void, undefined>;
  /** List the terms for which an app ranks. The terms on whose result page any app ranks, tracked or not. The most valuable comes first: by the searches that reach the app at its rank, as in its visibility. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. Empty: no such page has the app, which does not mean that it ranks for nothing. Spends one API request. */
  listRankedKeywords(input: schemas.ListRankedKeywordsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListRankedKeywordsData, schemas.ListRankedKeywordsMeta>, void, undefined>;
  /** List the notes about an application. The notes of this account, the latest day first. Other accounts never see them. */
  listNotes(input: schemas.ListNotesInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListNotesData, schemas.ListNotesMeta>, void, undefined>;
  /** List the alerts. What the alert rules of this account found in the daily readings, kept 400 days, the last 100,000 at least. A change is measured between two days that were read. A keyword has no alert of ranks on a day without a reading, with an empty page or with a page of a storefront that shows signs of wrong pages. The same holds for a week while its page has lost two thirds of ten results or more. The next whole page is compared with the last one. Each rule reports a change once. */
  listAlerts(input?: schemas.ListAlertsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListAlertsData, schemas.ListAlertsMeta>, void, undefined>;
  /** List the alert rules. The rules of this account, oldest first. A new account has four: rank_drop, left_top, listing_changed and store_blocked, for all of its applications. They may be changed and deleted. */
  listAlertRules(input?: schemas.ListAlertRulesInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListAlertRulesData, schemas.ListAlertRulesMeta>, void, undefined>;
  /** List the channels for alerts. Where alerts of this account are sent, oldest first. Of an address only the host and the last four characters are shown. */
  listAlertChannels(input?: schemas.ListAlertChannelsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListAlertChannelsData, schemas.ListAlertChannelsMeta>, void, undefined>;
  /** List the deliveries of a channel. What was sent to a channel in the last 30 days, and what waits, newest first. */
  listAlertDeliveries(input: schemas.ListAlertDeliveriesInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListAlertDeliveriesData, schemas.ListAlertDeliveriesMeta>, void, undefined>;
  /** List the digests. The digests of this account, oldest first, with when they are sent. */
  listAlertDigests(input?: schemas.ListAlertDigestsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListAlertDigestsData, schemas.ListAlertDigestsMeta>, void, undefined>;
  /** List inspected keywords. One row per keyword and storefront (store, country and language), most recently inspected first. */
  listInspections(input?: schemas.ListInspectionsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListInspectionsData, schemas.ListInspectionsMeta>, void, undefined>;
  /** List jobs. Newest first: the open jobs, and those that ended within 30 days of their creation, at most the last 20 of each kind. */
  listJobs(input?: schemas.ListJobsInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListJobsData, schemas.ListJobsMeta>, void, undefined>;
  /** Read a job and its results. How far the job is, and a page of its keywords in the order sent, each with its result once it has one. Ask again every few seconds while finished_at is null. A job is kept for 30 days. */
  getJob(input: schemas.GetJobInput, options?: CallOptions): AsyncGenerator<Answer<schemas.GetJobData, schemas.GetJobMeta>, void, undefined>;
  /** List autocomplete queries. One row per prefix and storefront (store, country and language), most recently queried first. */
  listAutocompletes(input?: schemas.ListAutocompletesInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListAutocompletesData, schemas.ListAutocompletesMeta>, void, undefined>;
  /** List niche analyses. One row per analysis that the account has received, newest first. Repeated requests add no row. */
  listNiches(input?: schemas.ListNichesInput, options?: CallOptions): AsyncGenerator<Answer<schemas.ListNichesData, schemas.ListNichesMeta>, void, undefined>;
}
