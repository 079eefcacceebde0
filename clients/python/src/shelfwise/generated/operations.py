# Written by `npm run clients:generate` from the OpenAPI document. Do not change it here.
from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..operation import Answer, Caller, Operation

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import schemas

FINGERPRINT = "09fbdbac5bbda399"
"""Of what all generated files were made from."""

OPERATIONS: dict[str, Operation] = {
    "list_applications": Operation(
        method="GET",
        path="/api/v1/applications",
        query=("app_id",),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "track_application": Operation(
        method="POST",
        path="/api/v1/applications",
        query=(),
        body=("app_id", "store", "country", "lang"),
        deadline_seconds=35,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "search_apps": Operation(
        method="GET",
        path="/api/v1/apps/search",
        query=("term", "store", "country", "lang"),
        body=(),
        deadline_seconds=35,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "untrack_application": Operation(
        method="DELETE",
        path="/api/v1/applications/{id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_movers": Operation(
        method="GET",
        path="/api/v1/applications/{id}/movers",
        query=("days", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "get_rank_distribution": Operation(
        method="GET",
        path="/api/v1/applications/{id}/rank-distribution",
        query=("from", "to"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "get_score_history": Operation(
        method="GET",
        path="/api/v1/applications/{id}/scores/history",
        query=("from", "to"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "create_share_link": Operation(
        method="POST",
        path="/api/v1/applications/{id}/share-links",
        query=(),
        body=("days", "label"),
        deadline_seconds=5,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_share_links": Operation(
        method="GET",
        path="/api/v1/applications/{id}/share-links",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "end_share_link": Operation(
        method="DELETE",
        path="/api/v1/applications/{id}/share-links/{link_id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_changes": Operation(
        method="GET",
        path="/api/v1/applications/{id}/changes",
        query=("competitors", "effects", "from", "to", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "get_aso_health": Operation(
        method="GET",
        path="/api/v1/applications/{id}/aso-health",
        query=("include_words",),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "check_metadata": Operation(
        method="POST",
        path="/api/v1/metadata/check",
        query=(),
        body=("store", "title", "subtitle", "description", "kw_field"),
        deadline_seconds=5,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "simulate_metadata": Operation(
        method="POST",
        path="/api/v1/metadata/simulate",
        query=(),
        body=("app_id", "store", "country", "lang", "title", "subtitle", "description", "kw_field", "context", "include_words"),
        deadline_seconds=35,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_simulations": Operation(
        method="GET",
        path="/api/v1/metadata/simulate/history",
        query=("page", "per_page", "search"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "get_simulation": Operation(
        method="GET",
        path="/api/v1/metadata/simulate/history/{id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "get_keywords_field": Operation(
        method="GET",
        path="/api/v1/applications/{id}/keywords-field",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "set_keywords_field": Operation(
        method="PUT",
        path="/api/v1/applications/{id}/keywords-field",
        query=(),
        body=("kw_field",),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "delete_keywords_field": Operation(
        method="DELETE",
        path="/api/v1/applications/{id}/keywords-field",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_competitors": Operation(
        method="GET",
        path="/api/v1/competitors",
        query=("app_id",),
        body=(),
        deadline_seconds=35,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "track_competitor": Operation(
        method="POST",
        path="/api/v1/competitors",
        query=(),
        body=("app_id", "competitor_app_id", "store", "country", "lang"),
        deadline_seconds=35,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "untrack_competitor": Operation(
        method="DELETE",
        path="/api/v1/competitors/{id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_keywords": Operation(
        method="GET",
        path="/api/v1/keywords",
        query=("app_id", "favorites", "sort", "search", "min_traffic", "max_difficulty", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "track_keywords": Operation(
        method="POST",
        path="/api/v1/keywords",
        query=(),
        body=("keywords", "app_id", "store", "country", "lang"),
        deadline_seconds=60,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "untrack_keyword": Operation(
        method="DELETE",
        path="/api/v1/keywords/{id}/apps/{app_id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "set_keyword_favorite": Operation(
        method="PATCH",
        path="/api/v1/keywords/{id}/apps/{app_id}/favorite",
        query=(),
        body=("is_favorite",),
        deadline_seconds=5,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "get_rank_history": Operation(
        method="GET",
        path="/api/v1/keywords/{id}/ranks/history",
        query=("app_id", "from", "to"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_rank_histories": Operation(
        method="GET",
        path="/api/v1/applications/{id}/ranks/history",
        query=("keyword_ids", "from", "to", "competitors", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field="keywords",
        cursor=None,
    ),
    "list_rank_matrix": Operation(
        method="GET",
        path="/api/v1/applications/{id}/rank-matrix",
        query=("days", "competitor_ids", "favorites", "sort", "search", "min_traffic", "max_difficulty", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field="rows",
        cursor=None,
    ),
    "get_share_of_voice": Operation(
        method="GET",
        path="/api/v1/applications/{id}/share-of-voice",
        query=("from", "to"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_keyword_gap": Operation(
        method="GET",
        path="/api/v1/applications/{id}/keyword-gap",
        query=("competitor_ids", "rival_max_rank", "own_min_rank", "min_traffic", "include_brands", "sort", "search", "max_difficulty", "tracked", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "list_ranked_keywords": Operation(
        method="GET",
        path="/api/v1/keywords/ranked-by",
        query=("app_id", "store", "country", "lang", "min_traffic", "sort", "search", "max_difficulty", "tracked", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "add_note": Operation(
        method="POST",
        path="/api/v1/applications/{id}/notes",
        query=(),
        body=("date", "text"),
        deadline_seconds=5,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_notes": Operation(
        method="GET",
        path="/api/v1/applications/{id}/notes",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "remove_note": Operation(
        method="DELETE",
        path="/api/v1/applications/{id}/notes/{note_id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_alerts": Operation(
        method="GET",
        path="/api/v1/alerts",
        query=("since", "kind", "app_id", "page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor="since",
    ),
    "list_alert_rules": Operation(
        method="GET",
        path="/api/v1/alerts/rules",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "create_alert_rule": Operation(
        method="POST",
        path="/api/v1/alerts/rules",
        query=(),
        body=("kind", "app_id", "threshold", "keywords", "channels", "is_enabled"),
        deadline_seconds=5,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "update_alert_rule": Operation(
        method="PATCH",
        path="/api/v1/alerts/rules/{rule_id}",
        query=(),
        body=("app_id", "threshold", "keywords", "channels", "is_enabled"),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "delete_alert_rule": Operation(
        method="DELETE",
        path="/api/v1/alerts/rules/{rule_id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_alert_channels": Operation(
        method="GET",
        path="/api/v1/alerts/channels",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "create_alert_channel": Operation(
        method="POST",
        path="/api/v1/alerts/channels",
        query=(),
        body=("type", "name", "url", "timing"),
        deadline_seconds=15,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "update_alert_channel": Operation(
        method="PATCH",
        path="/api/v1/alerts/channels/{channel_id}",
        query=(),
        body=("name", "url", "timing", "is_enabled", "rotate_secret"),
        deadline_seconds=15,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "delete_alert_channel": Operation(
        method="DELETE",
        path="/api/v1/alerts/channels/{channel_id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "test_alert_channel": Operation(
        method="POST",
        path="/api/v1/alerts/channels/{channel_id}/test",
        query=(),
        body=(),
        deadline_seconds=15,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_alert_deliveries": Operation(
        method="GET",
        path="/api/v1/alerts/channels/{channel_id}/deliveries",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "redeliver_alerts": Operation(
        method="POST",
        path="/api/v1/alerts/deliveries/{delivery_id}/redeliver",
        query=(),
        body=(),
        deadline_seconds=15,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_alert_digests": Operation(
        method="GET",
        path="/api/v1/alerts/digests",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "create_alert_digest": Operation(
        method="POST",
        path="/api/v1/alerts/digests",
        query=(),
        body=("channel", "every", "hour", "time_zone", "app_id"),
        deadline_seconds=5,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "update_alert_digest": Operation(
        method="PATCH",
        path="/api/v1/alerts/digests/{digest_id}",
        query=(),
        body=("channel", "every", "hour", "time_zone", "app_id"),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "delete_alert_digest": Operation(
        method="DELETE",
        path="/api/v1/alerts/digests/{digest_id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "get_tracked_keyword_scores": Operation(
        method="GET",
        path="/api/v1/keywords/{id}/scores",
        query=("from", "to"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "inspect_keyword": Operation(
        method="GET",
        path="/api/v1/keywords/inspect",
        query=("keyword", "store", "country", "lang"),
        body=(),
        deadline_seconds=35,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "get_keyword_scores": Operation(
        method="GET",
        path="/api/v1/keywords/scores",
        query=("keyword", "store", "country", "lang", "from", "to"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_inspections": Operation(
        method="GET",
        path="/api/v1/keywords/inspect/history",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "create_job": Operation(
        method="POST",
        path="/api/v1/jobs",
        query=(),
        body=("kind", "app_id", "store", "country", "lang", "keywords"),
        deadline_seconds=5,
        is_repeatable=False,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_jobs": Operation(
        method="GET",
        path="/api/v1/jobs",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "get_job": Operation(
        method="GET",
        path="/api/v1/jobs/{id}",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field="results",
        cursor=None,
    ),
    "cancel_job": Operation(
        method="DELETE",
        path="/api/v1/jobs/{id}",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "run_autocomplete": Operation(
        method="GET",
        path="/api/v1/autocomplete",
        query=("prefix", "store", "country", "lang"),
        body=(),
        deadline_seconds=35,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_autocompletes": Operation(
        method="GET",
        path="/api/v1/autocomplete/history",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "analyze_niche": Operation(
        method="GET",
        path="/api/v1/niches",
        query=("topic", "store", "country", "lang"),
        body=(),
        deadline_seconds=300,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_niches": Operation(
        method="GET",
        path="/api/v1/niches/history",
        query=("page", "per_page"),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=True,
        rows_field=None,
        cursor=None,
    ),
    "get_top_chart": Operation(
        method="GET",
        path="/api/v1/top-charts",
        query=("store", "country", "category", "collection", "limit"),
        body=(),
        deadline_seconds=35,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "list_chart_categories": Operation(
        method="GET",
        path="/api/v1/top-charts/categories",
        query=("store",),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
    "get_account_usage": Operation(
        method="GET",
        path="/api/v1/account/usage",
        query=(),
        body=(),
        deadline_seconds=5,
        is_repeatable=True,
        is_paged=False,
        rows_field=None,
        cursor=None,
    ),
}
"""The endpoints, by the names of their methods."""


class Operations(Caller):
    """A method for each endpoint."""

    def list_applications(self, **sent: Unpack[schemas.ListApplicationsInput]) -> Answer[schemas.ListApplicationsData, schemas.ListApplicationsMeta]:
        """List tracked applications. Newest first, at most 1,000; use app_id to get an older one. Other endpoints expect the id of a row; it never changes."""
        return self._call(OPERATIONS["list_applications"], sent)

    def track_application(self, **sent: Unpack[schemas.TrackApplicationInput]) -> Answer[schemas.TrackApplicationData, schemas.TrackApplicationMeta]:
        """Track an application. Tracks one app in one storefront: one store, country and language. The listing is read from the store first. The same app in three storefronts is three applications."""
        return self._call(OPERATIONS["track_application"], sent)

    def search_apps(self, **sent: Unpack[schemas.SearchAppsInput]) -> Answer[schemas.SearchAppsData, schemas.SearchAppsMeta]:
        """Search a store for apps. The first 20 apps of the store’s result page for a term, in the store’s order, to find the app_id of an app to track. Google Play’s result pages show no number of ratings. An empty list means that the store shows no app; when that is uncertain, the answer is STORE_FETCH_FAILED. Spends one API request."""
        return self._call(OPERATIONS["search_apps"], sent)

    def untrack_application(self, **sent: Unpack[schemas.UntrackApplicationInput]) -> Answer[schemas.UntrackApplicationData, schemas.UntrackApplicationMeta]:
        """Stop tracking an application. The history is kept, and tracking the app again gives the same id. Its keywords stay removed until they are tracked again. Links that show it end. Repeating the call is safe."""
        return self._call(OPERATIONS["untrack_application"], sent)

    def list_movers(self, **sent: Unpack[schemas.ListMoversInput]) -> Answer[schemas.ListMoversData, schemas.ListMoversMeta]:
        """List the keywords of an application by how far their ranks moved. Compares the latest snapshot of each tracked keyword with the newest one that is at least `days` days older. The biggest movement comes first; here an app that is not ranked has rank 101. Keywords without both snapshots are not listed but counted in meta.unread. The earlier snapshot is at most 400 days old, or as many days as the plan has history. Read both dates of a row: the latest snapshot may be older than today, and the earlier one older than `days` says."""
        return self._call(OPERATIONS["list_movers"], sent)

    def get_rank_distribution(self, **sent: Unpack[schemas.GetRankDistributionInput]) -> Answer[schemas.GetRankDistributionData, schemas.GetRankDistributionMeta]:
        """Get how many keywords of an application ranked where on each day. Counts the keywords that were tracked on each day by where the application ranked, oldest day first. A keyword counts from the day on which it was tracked until the day before its removal; one that was removed and tracked again counts from then on. A window has at most 400 days, and its days times the keywords are at most 40,000."""
        return self._call(OPERATIONS["get_rank_distribution"], sent)

    def get_score_history(self, **sent: Unpack[schemas.GetScoreHistoryInput]) -> Answer[schemas.GetScoreHistoryData, schemas.GetScoreHistoryMeta]:
        """Get the score history of an application. Daily visibility of the application in searches, oldest first. A window has at most 400 days."""
        return self._call(OPERATIONS["get_score_history"], sent)

    def create_share_link(self, **sent: Unpack[schemas.CreateShareLinkInput]) -> Answer[schemas.CreateShareLinkData, schemas.CreateShareLinkMeta]:
        """Make a link that shows an application. The address of a page that shows this application to everyone who has it, without a key: its ranks, visibility and rank distribution, as they are kept. It shows nothing else of the account, and search engines are asked not to index it. It ends on its day, by DELETE, and with the application, the account or its plan. The address is shown once. An account has at most 20 links. Repeating the call makes another link."""
        return self._call(OPERATIONS["create_share_link"], sent)

    def list_share_links(self, **sent: Unpack[schemas.ListShareLinksInput]) -> Answer[schemas.ListShareLinksData, schemas.ListShareLinksMeta]:
        """List the links that show an application. Those that are valid now, newest first. Their addresses are not stored."""
        return self._call(OPERATIONS["list_share_links"], sent)

    def end_share_link(self, **sent: Unpack[schemas.EndShareLinkInput]) -> Answer[schemas.EndShareLinkData, schemas.EndShareLinkMeta]:
        """End a link that shows an application. Its page is not found from now on. Repeating the call is safe."""
        return self._call(OPERATIONS["end_share_link"], sent)

    def list_changes(self, **sent: Unpack[schemas.ListChangesInput]) -> Answer[schemas.ListChangesData, schemas.ListChangesMeta]:
        """List changes of an application’s listing and what followed. Changes of title, subtitle, description, version and pictures, as daily readings found them, newest first: of the application, and with competitors=true of its competitors. A text that was not known before is no change. For each own change the tracked keywords with a word that came or went are compared with the others. What moved after a change was not necessarily caused by it. The newest 1,000 changes of a window of at most 400 days are listed. As CSV, each changed text has a row, and no effect is computed."""
        return self._call(OPERATIONS["list_changes"], sent)

    def get_aso_health(self, **sent: Unpack[schemas.GetAsoHealthInput]) -> Answer[schemas.GetAsoHealthData, schemas.GetAsoHealthMeta]:
        """Get the ASO Health report of an application. The stored audit of the listing: three axes, every field, the targeted terms, and what to improve. It is recomputed when the listing changes, when a word is measured, and at least once a day. The words of name and subtitle are measured first; the full description of Google Play counts once 80 % of its words have been measured. For an account that keeps the keywords field of the app, the report is computed with it; the timeline, the list of applications and the score history leave it out. Spends one API request."""
        return self._call(OPERATIONS["get_aso_health"], sent)

    def check_metadata(self, **sent: Unpack[schemas.CheckMetadataInput]) -> Answer[schemas.CheckMetadataData, schemas.CheckMetadataMeta]:
        """Check a draft of a listing. Checks lengths as the store counts them, forbidden words, emoji and symbols, invisible and control characters, and wasted characters. Only the texts that are sent are checked, without a request to the store. `valid` is false when any field has an error. Spends one API request."""
        return self._call(OPERATIONS["check_metadata"], sent)

    def simulate_metadata(self, **sent: Unpack[schemas.SimulateMetadataInput]) -> Answer[schemas.SimulateMetadataData, schemas.SimulateMetadataMeta]:
        """Score a draft of a listing. Scores a draft and compares it with the app’s listing. With app_id, store, country and lang are the app’s own; without it, they are required and nothing is compared. A kept keywords field counts as that of the app; if only the draft has one, it is compared with the listing and an empty field (delta_basis). Words that have not been measured yet are read from the store, which takes a few seconds. Words that cannot be read in time are left out and counted in notes; when too few are left, the scores are null, and when nothing is known of any word, the answer is STORE_FETCH_FAILED. Phrases that are not read do not keep a draft from being compared: delta_bounds says what they could change. include_words adds the words of every field, which is long, and saves them with the run. The run is saved, one row per distinct draft. Spends one API request."""
        return self._call(OPERATIONS["simulate_metadata"], sent)

    def list_simulations(self, **sent: Unpack[schemas.ListSimulationsInput]) -> Answer[schemas.ListSimulationsData, schemas.ListSimulationsMeta]:
        """List saved simulations. One row per distinct draft, most recently run first. Spends one API request."""
        return self._call(OPERATIONS["list_simulations"], sent)

    def get_simulation(self, **sent: Unpack[schemas.GetSimulationInput]) -> Answer[schemas.GetSimulationData, schemas.GetSimulationMeta]:
        """Get a saved simulation. A draft with everything that was scored, and the report of its last run. Spends one API request."""
        return self._call(OPERATIONS["get_simulation"], sent)

    def get_keywords_field(self, **sent: Unpack[schemas.GetKeywordsFieldInput]) -> Answer[schemas.GetKeywordsFieldData, schemas.GetKeywordsFieldMeta]:
        """Get the kept keywords field of an application. The keywords field that this account keeps for the application, because the App Store never shows it. On Google Play, which has no such field, it is always null."""
        return self._call(OPERATIONS["get_keywords_field"], sent)

    def set_keywords_field(self, **sent: Unpack[schemas.SetKeywordsFieldInput]) -> Answer[schemas.SetKeywordsFieldData, schemas.SetKeywordsFieldMeta]:
        """Keep the keywords field of an application. App Store only. The store never shows this field: keep it here to include it in the ASO Health report and in simulations. It belongs to this account: other accounts that track the same app do not see it, and their scores stay as they are. Its words are measured within minutes and kept up to date while the app is tracked; after ten changes of a field, or 50 of the account, on a UTC day, the words of further ones are requested with the next daily audit. Nothing is written to the store. Repeating the call is safe."""
        return self._call(OPERATIONS["set_keywords_field"], sent)

    def delete_keywords_field(self, **sent: Unpack[schemas.DeleteKeywordsFieldInput]) -> Answer[schemas.DeleteKeywordsFieldData, schemas.DeleteKeywordsFieldMeta]:
        """Remove the kept keywords field of an application. The field is unknown again: reports and simulations are computed without it. Repeating the call is safe. An application that is no longer tracked keeps its field until it is tracked again."""
        return self._call(OPERATIONS["delete_keywords_field"], sent)

    def list_competitors(self, **sent: Unpack[schemas.ListCompetitorsInput]) -> Answer[schemas.ListCompetitorsData, schemas.ListCompetitorsMeta]:
        """List competitors. Newest first, at most 1,000; use app_id to get older ones. Both scores of a row use the same terms and result pages, so they can be compared."""
        return self._call(OPERATIONS["list_competitors"], sent)

    def track_competitor(self, **sent: Unpack[schemas.TrackCompetitorInput]) -> Answer[schemas.TrackCompetitorData, schemas.TrackCompetitorMeta]:
        """Track a competitor of an application. Adds another app of the same store, country and language as a competitor. The listing is read from the store first. The competitor comes with ranks for every keyword of the application, from the existing snapshots. A removed competitor returns with its old id."""
        return self._call(OPERATIONS["track_competitor"], sent)

    def untrack_competitor(self, **sent: Unpack[schemas.UntrackCompetitorInput]) -> Answer[schemas.UntrackCompetitorData, schemas.UntrackCompetitorMeta]:
        """Stop tracking a competitor. Tracking the competitor again gives the same relation id. Repeating the call is safe."""
        return self._call(OPERATIONS["untrack_competitor"], sent)

    def list_keywords(self, **sent: Unpack[schemas.ListKeywordsInput]) -> Answer[schemas.ListKeywordsData, schemas.ListKeywordsMeta]:
        """List tracked keywords. Favorites first, then by keyword, or in the order of sort, with ranks from the latest daily snapshot, whose day is in snapshot_date. Sending page or per_page turns paging on; without both, the list has up to 1000 rows. The totals in meta count the rows that pass the filters. search works on at most 10,000 keywords, an order by traffic or difficulty, min_traffic and max_difficulty on 5,000, an order by rank on 4,000 and by delta on 2,000: narrow a longer list with app_id or favorites."""
        return self._call(OPERATIONS["list_keywords"], sent)

    def track_keywords(self, **sent: Unpack[schemas.TrackKeywordsInput]) -> Answer[schemas.TrackKeywordsData, schemas.TrackKeywordsMeta]:
        """Track keywords. Tracks 1 to 20 keywords of one application and reads their first ranks immediately. store, country and lang must be the application’s own. One failed keyword does not affect the others; the answer is 200 even when all fail. A removed keyword returns with its history."""
        return self._call(OPERATIONS["track_keywords"], sent)

    def untrack_keyword(self, **sent: Unpack[schemas.UntrackKeywordInput]) -> Answer[schemas.UntrackKeywordData, schemas.UntrackKeywordMeta]:
        """Stop tracking a keyword of an application. The history is kept and stays readable. Repeating the call is safe."""
        return self._call(OPERATIONS["untrack_keyword"], sent)

    def set_keyword_favorite(self, **sent: Unpack[schemas.SetKeywordFavoriteInput]) -> Answer[schemas.SetKeywordFavoriteData, schemas.SetKeywordFavoriteMeta]:
        """Set or clear the favorite mark of a keyword. The mark belongs to one application: other applications that track the keyword keep theirs."""
        return self._call(OPERATIONS["set_keyword_favorite"], sent)

    def get_rank_history(self, **sent: Unpack[schemas.GetRankHistoryInput]) -> Answer[schemas.GetRankHistoryData, schemas.GetRankHistoryMeta]:
        """Get the rank history of a keyword. Daily ranks of the applications that track or tracked the keyword, oldest first. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days."""
        return self._call(OPERATIONS["get_rank_history"], sent)

    def list_rank_histories(self, **sent: Unpack[schemas.ListRankHistoriesInput]) -> Answer[schemas.ListRankHistoriesData, schemas.ListRankHistoriesMeta]:
        """List the rank histories of many keywords of an application. Daily ranks of the application, and with competitors=true of its competitors, for up to 100 keywords, oldest day first: without keyword_ids those of the list of keywords, favorites first, in pages. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days, and keywords times days times apps are at most 40,000."""
        return self._call(OPERATIONS["list_rank_histories"], sent)

    def list_rank_matrix(self, **sent: Unpack[schemas.ListRankMatrixInput]) -> Answer[schemas.ListRankMatrixData, schemas.ListRankMatrixMeta]:
        """Compare the ranks of an application with those of its competitors. The latest rank of the application and of up to five competitors for each tracked keyword, and how it differs from the one `days` days before. It reads result pages that are kept, and calls no store. Rows are narrowed, ordered and paged as in the list of keywords; an order by delta is by the delta of the application."""
        return self._call(OPERATIONS["list_rank_matrix"], sent)

    def get_share_of_voice(self, **sent: Unpack[schemas.GetShareOfVoiceInput]) -> Answer[schemas.GetShareOfVoiceData, schemas.GetShareOfVoiceMeta]:
        """Get which share of the clicks an application and its rivals get. How the clicks on the result pages of the application’s terms are shared among the apps on them, by their ranks and how much each term is searched. The terms are those of its visibility that this account tracks for it, or that its name, subtitle or description in the store has. It reads result pages that are kept, for 90 days, and calls no store. A window has at most 90 days; of more than 100 competitors, those added last are compared."""
        return self._call(OPERATIONS["get_share_of_voice"], sent)

    def list_keyword_gap(self, **sent: Unpack[schemas.ListKeywordGapInput]) -> Answer[schemas.ListKeywordGapData, schemas.ListKeywordGapMeta]:
        """List the terms for which competitors rank and the application does not. The terms on whose result page a competitor ranks at rival_max_rank or better, and the application at own_min_rank or worse or not at all. The most valuable comes first: value = kei * gain. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too."""
        return self._call(OPERATIONS["list_keyword_gap"], sent)

    def list_ranked_keywords(self, **sent: Unpack[schemas.ListRankedKeywordsInput]) -> Answer[schemas.ListRankedKeywordsData, schemas.ListRankedKeywordsMeta]:
        """List the terms for which an app ranks. The terms on whose result page any app ranks, tracked or not. The most valuable comes first: by the searches that reach the app at its rank, as in its visibility. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. Empty: no such page has the app, which does not mean that it ranks for nothing. Spends one API request."""
        return self._call(OPERATIONS["list_ranked_keywords"], sent)

    def add_note(self, **sent: Unpack[schemas.AddNoteInput]) -> Answer[schemas.AddNoteData, schemas.AddNoteMeta]:
        """Write a note about a day of an application. A mark on the charts of the application: what happened on that day, such as a campaign. Only this account sees it. An application has at most 1000 notes. Repeating the call writes another note."""
        return self._call(OPERATIONS["add_note"], sent)

    def list_notes(self, **sent: Unpack[schemas.ListNotesInput]) -> Answer[schemas.ListNotesData, schemas.ListNotesMeta]:
        """List the notes about an application. The notes of this account, the latest day first. Other accounts never see them."""
        return self._call(OPERATIONS["list_notes"], sent)

    def remove_note(self, **sent: Unpack[schemas.RemoveNoteInput]) -> Answer[schemas.RemoveNoteData, schemas.RemoveNoteMeta]:
        """Remove a note about an application. Repeating the call is safe."""
        return self._call(OPERATIONS["remove_note"], sent)

    def list_alerts(self, **sent: Unpack[schemas.ListAlertsInput]) -> Answer[schemas.ListAlertsData, schemas.ListAlertsMeta]:
        """List the alerts. What the alert rules of this account found in the daily readings, kept 400 days, the last 100,000 at least. A change is measured between two days that were read. A keyword has no alert of ranks on a day without a reading, with an empty page or with a page of a storefront that shows signs of wrong pages. The same holds for a week while its page has lost two thirds of ten results or more. The next whole page is compared with the last one. Each rule reports a change once."""
        return self._call(OPERATIONS["list_alerts"], sent)

    def list_alert_rules(self, **sent: Unpack[schemas.ListAlertRulesInput]) -> Answer[schemas.ListAlertRulesData, schemas.ListAlertRulesMeta]:
        """List the alert rules. The rules of this account, oldest first. A new account has four: rank_drop, left_top, listing_changed and store_blocked, for all of its applications. They may be changed and deleted."""
        return self._call(OPERATIONS["list_alert_rules"], sent)

    def create_alert_rule(self, **sent: Unpack[schemas.CreateAlertRuleInput]) -> Answer[schemas.CreateAlertRuleData, schemas.CreateAlertRuleMeta]:
        """Create an alert rule. From now on, what the rule finds is added to the feed of alerts. What is left out has its default: all applications, the threshold of the kind, all keywords, no channel, enabled. An account has at most 200 rules. Repeating the call creates another rule."""
        return self._call(OPERATIONS["create_alert_rule"], sent)

    def update_alert_rule(self, **sent: Unpack[schemas.UpdateAlertRuleInput]) -> Answer[schemas.UpdateAlertRuleData, schemas.UpdateAlertRuleMeta]:
        """Change an alert rule. Changes what is sent and keeps the rest. A rule keeps its kind. Alerts that it has found stay as they are. Repeating the call is safe."""
        return self._call(OPERATIONS["update_alert_rule"], sent)

    def delete_alert_rule(self, **sent: Unpack[schemas.DeleteAlertRuleInput]) -> Answer[schemas.DeleteAlertRuleData, schemas.DeleteAlertRuleMeta]:
        """Delete an alert rule. Alerts that it has found stay in the feed. Repeating the call is safe."""
        return self._call(OPERATIONS["delete_alert_rule"], sent)

    def list_alert_channels(self, **sent: Unpack[schemas.ListAlertChannelsInput]) -> Answer[schemas.ListAlertChannelsData, schemas.ListAlertChannelsMeta]:
        """List the channels for alerts. Where alerts of this account are sent, oldest first. Of an address only the host and the last four characters are shown."""
        return self._call(OPERATIONS["list_alert_channels"], sent)

    def create_alert_channel(self, **sent: Unpack[schemas.CreateAlertChannelInput]) -> Answer[schemas.CreateAlertChannelData, schemas.CreateAlertChannelMeta]:
        """Create a channel for alerts. Where alerts are sent, besides the feed: to the receiver of a webhook, to a room of Slack or Discord, or by mail. Nothing is sent before a rule names the channel. An address for mail gets one mail first, with a link that confirms it; until its owner has done so, the channel is off and nothing else is sent there. A webhook has a secret, which this answer alone shows. An account has at most 20 channels. Repeating the call creates another channel."""
        return self._call(OPERATIONS["create_alert_channel"], sent)

    def update_alert_channel(self, **sent: Unpack[schemas.UpdateAlertChannelInput]) -> Answer[schemas.UpdateAlertChannelData, schemas.UpdateAlertChannelMeta]:
        """Change a channel for alerts. Changes what is sent and keeps the rest. A channel keeps its type. is_enabled turns it on, also after it was turned off by its failures: what was found meanwhile is in the feed only. A new address for mail, and one that is not confirmed, gets a mail with a link instead. Turned off, a channel stays off until you turn it on: a link that waits ends. rotate_secret makes a new secret; the old one signs for a day, too."""
        return self._call(OPERATIONS["update_alert_channel"], sent)

    def delete_alert_channel(self, **sent: Unpack[schemas.DeleteAlertChannelInput]) -> Answer[schemas.DeleteAlertChannelData, schemas.DeleteAlertChannelMeta]:
        """Delete a channel for alerts. Its deliveries are deleted, too; alerts stay in the feed. Rules that named it send to their other channels. Repeating the call is safe."""
        return self._call(OPERATIONS["delete_alert_channel"], sent)

    def test_alert_channel(self, **sent: Unpack[schemas.TestAlertChannelInput]) -> Answer[schemas.TestAlertChannelData, schemas.TestAlertChannelMeta]:
        """Send a test to a channel. Sends a message without alerts, once, also to a channel that is off, unless it is an address for mail that is not confirmed, and shows what the receiver answered: a receiver that refuses is no error of this call. An account sends at most 10 tests and repeated deliveries an hour. Repeating the call sends another test."""
        return self._call(OPERATIONS["test_alert_channel"], sent)

    def list_alert_deliveries(self, **sent: Unpack[schemas.ListAlertDeliveriesInput]) -> Answer[schemas.ListAlertDeliveriesData, schemas.ListAlertDeliveriesMeta]:
        """List the deliveries of a channel. What was sent to a channel in the last 30 days, and what waits, newest first."""
        return self._call(OPERATIONS["list_alert_deliveries"], sent)

    def redeliver_alerts(self, **sent: Unpack[schemas.RedeliverAlertsInput]) -> Answer[schemas.RedeliverAlertsData, schemas.RedeliverAlertsMeta]:
        """Send a delivery again. Sends it once more, whatever its state, with the same webhook-id, and shows what the receiver answered. One that waits stays scheduled unless this succeeds. An account sends at most 10 tests and repeated deliveries an hour."""
        return self._call(OPERATIONS["redeliver_alerts"], sent)

    def list_alert_digests(self, **sent: Unpack[schemas.ListAlertDigestsInput]) -> Answer[schemas.ListAlertDigestsData, schemas.ListAlertDigestsMeta]:
        """List the digests. The digests of this account, oldest first, with when they are sent."""
        return self._call(OPERATIONS["list_alert_digests"], sent)

    def create_alert_digest(self, **sent: Unpack[schemas.CreateAlertDigestInput]) -> Answer[schemas.CreateAlertDigestData, schemas.CreateAlertDigestMeta]:
        """Create a digest. What the feed has had since the digest before, in one message to a channel: ranks that moved, what entered or left the top or a chart, changes of listings, and what could not be read; the first 100 alerts, and how many more there are. It has what the rules find, also those without a channel. Nothing is sent when there was nothing. An account has at most 20 digests. Repeating the call creates another digest."""
        return self._call(OPERATIONS["create_alert_digest"], sent)

    def update_alert_digest(self, **sent: Unpack[schemas.UpdateAlertDigestInput]) -> Answer[schemas.UpdateAlertDigestData, schemas.UpdateAlertDigestMeta]:
        """Change a digest. Changes what is sent and keeps the rest. The next one begins where the last one ended. Repeating the call is safe."""
        return self._call(OPERATIONS["update_alert_digest"], sent)

    def delete_alert_digest(self, **sent: Unpack[schemas.DeleteAlertDigestInput]) -> Answer[schemas.DeleteAlertDigestData, schemas.DeleteAlertDigestMeta]:
        """Delete a digest. What it would have had is in the feed. Repeating the call is safe."""
        return self._call(OPERATIONS["delete_alert_digest"], sent)

    def get_tracked_keyword_scores(self, **sent: Unpack[schemas.GetTrackedKeywordScoresInput]) -> Answer[schemas.GetTrackedKeywordScoresData, schemas.GetTrackedKeywordScoresMeta]:
        """Explain the scores of a tracked keyword. How the stored scores of a keyword that the account tracks or tracked were computed: parts, weights, and inputs with source and age; and its scores of past days, which are its CSV. No store is read: a keyword without stored scores, as in the first minute after it is tracked, is 404, too. Of a keyword that the account does not track any more, times are shown to the day."""
        return self._call(OPERATIONS["get_tracked_keyword_scores"], sent)

    def inspect_keyword(self, **sent: Unpack[schemas.InspectKeywordInput]) -> Answer[schemas.InspectKeywordData, schemas.InspectKeywordMeta]:
        """Inspect a keyword. Reads the scores and the result page of any keyword, tracked or not. The inspection is saved in the history. Only inspections of keywords that the account does not track count towards keyword_inspections. Spends one API request."""
        return self._call(OPERATIONS["inspect_keyword"], sent)

    def get_keyword_scores(self, **sent: Unpack[schemas.GetKeywordScoresInput]) -> Answer[schemas.GetKeywordScoresData, schemas.GetKeywordScoresMeta]:
        """Explain the scores of any known keyword. How the stored scores of a keyword were computed: parts, weights, and inputs with source and age; and its scores of past days, which are its CSV. No store is read: a keyword without stored scores is 404. Of a keyword that the account does not track, times are shown to the day. Spends one API request."""
        return self._call(OPERATIONS["get_keyword_scores"], sent)

    def list_inspections(self, **sent: Unpack[schemas.ListInspectionsInput]) -> Answer[schemas.ListInspectionsData, schemas.ListInspectionsMeta]:
        """List inspected keywords. One row per keyword and storefront (store, country and language), most recently inspected first."""
        return self._call(OPERATIONS["list_inspections"], sent)

    def create_job(self, **sent: Unpack[schemas.CreateJobInput]) -> Answer[schemas.CreateJobData, schemas.CreateJobMeta]:
        """Track or inspect many keywords. Tracks or inspects up to 1000 keywords in the background: the answer comes at once, with status 202. Calls that wait for a store go first, and the jobs of all accounts take turns. A keyword spends what its single call spends, when it begins: tracking none, an inspection one API request, and one of keyword_inspections unless the account tracks the keyword. At a spent quota or cap the rest fails with its code. A keyword that is sent again in the list is left out. An account has at most 5 open jobs, and creates at most 20 of a kind in an hour. Repeating the call creates another job."""
        return self._call(OPERATIONS["create_job"], sent)

    def list_jobs(self, **sent: Unpack[schemas.ListJobsInput]) -> Answer[schemas.ListJobsData, schemas.ListJobsMeta]:
        """List jobs. Newest first: the open jobs, and those that ended within 30 days of their creation, at most the last 20 of each kind."""
        return self._call(OPERATIONS["list_jobs"], sent)

    def get_job(self, **sent: Unpack[schemas.GetJobInput]) -> Answer[schemas.GetJobData, schemas.GetJobMeta]:
        """Read a job and its results. How far the job is, and a page of its keywords in the order sent, each with its result once it has one. Ask again every few seconds while finished_at is null. A job is kept for 30 days."""
        return self._call(OPERATIONS["get_job"], sent)

    def cancel_job(self, **sent: Unpack[schemas.CancelJobInput]) -> Answer[schemas.CancelJobData, schemas.CancelJobMeta]:
        """Cancel a job. Keywords that have not begun never will; those that are read now still end. What is tracked stays tracked. Repeating the call is safe."""
        return self._call(OPERATIONS["cancel_job"], sent)

    def run_autocomplete(self, **sent: Unpack[schemas.RunAutocompleteInput]) -> Answer[schemas.RunAutocompleteData, schemas.RunAutocompleteMeta]:
        """Get autocomplete suggestions. The suggestions of the store’s search field for a prefix, in the store’s order. An empty list means that the store has no suggestions; when that is uncertain, the answer is STORE_FETCH_FAILED. The query is saved in the history. Spends one API request."""
        return self._call(OPERATIONS["run_autocomplete"], sent)

    def list_autocompletes(self, **sent: Unpack[schemas.ListAutocompletesInput]) -> Answer[schemas.ListAutocompletesData, schemas.ListAutocompletesMeta]:
        """List autocomplete queries. One row per prefix and storefront (store, country and language), most recently queried first."""
        return self._call(OPERATIONS["list_autocompletes"], sent)

    def analyze_niche(self, **sent: Unpack[schemas.AnalyzeNicheInput]) -> Answer[schemas.AnalyzeNicheData, schemas.AnalyzeNicheMeta]:
        """Analyze a niche. Clusters the search terms around a topic and scores the opportunity of each cluster. A new analysis can take a few minutes: allow 300 seconds. It is cached for all accounts for 7 days, or for one hour when the store failed to answer part of it, or seemed to have no suggestions for a term; when formulas change, it is computed again. Once it runs, it finishes even if the caller disconnects; concurrent callers share it. Per store, one analysis of an account runs and two wait; a further one is 503 and costs nothing. An analysis that waits is dropped when its callers disconnect, and costs no niche analysis. Only an analysis that ran for this call counts towards niche_analyses. Spends one API request."""
        return self._call(OPERATIONS["analyze_niche"], sent)

    def list_niches(self, **sent: Unpack[schemas.ListNichesInput]) -> Answer[schemas.ListNichesData, schemas.ListNichesMeta]:
        """List niche analyses. One row per analysis that the account has received, newest first. Repeated requests add no row."""
        return self._call(OPERATIONS["list_niches"], sent)

    def get_top_chart(self, **sent: Unpack[schemas.GetTopChartInput]) -> Answer[schemas.GetTopChartData, schemas.GetTopChartMeta]:
        """Get a top chart. Today’s chart, by rank. A chart that is requested for the first time is read now, and then daily while it is requested at least once in 30 days. The App Store shows at most 100 apps. Spends one API request."""
        return self._call(OPERATIONS["get_top_chart"], sent)

    def list_chart_categories(self, **sent: Unpack[schemas.ListChartCategoriesInput]) -> Answer[schemas.ListChartCategoriesData, schemas.ListChartCategoriesMeta]:
        """List collections and categories of the top charts. The collections and categories that GET /api/v1/top-charts supports. Spends one API request."""
        return self._call(OPERATIONS["list_chart_categories"], sent)

    def get_account_usage(self) -> Answer[schemas.GetAccountUsageData, schemas.GetAccountUsageMeta]:
        """Get usage and limits. What the account tracks now and what it has used in this calendar month (UTC). The call spends no API request: use it before a long job."""
        return self._call(OPERATIONS["get_account_usage"], {})


class Rows(Caller):
    """The rows of each list with pages, one page after the other."""

    def list_movers(self, **sent: Unpack[schemas.ListMoversInput]) -> Iterator[schemas.ListMoversRow]:
        """List the keywords of an application by how far their ranks moved. Compares the latest snapshot of each tracked keyword with the newest one that is at least `days` days older. The biggest movement comes first; here an app that is not ranked has rank 101. Keywords without both snapshots are not listed but counted in meta.unread. The earlier snapshot is at most 400 days old, or as many days as the plan has history. Read both dates of a row: the latest snapshot may be older than today, and the earlier one older than `days` says."""
        return self._rows(OPERATIONS["list_movers"], sent)

    def list_changes(self, **sent: Unpack[schemas.ListChangesInput]) -> Iterator[schemas.ListChangesRow]:
        """List changes of an application’s listing and what followed. Changes of title, subtitle, description, version and pictures, as daily readings found them, newest first: of the application, and with competitors=true of its competitors. A text that was not known before is no change. For each own change the tracked keywords with a word that came or went are compared with the others. What moved after a change was not necessarily caused by it. The newest 1,000 changes of a window of at most 400 days are listed. As CSV, each changed text has a row, and no effect is computed."""
        return self._rows(OPERATIONS["list_changes"], sent)

    def list_simulations(self, **sent: Unpack[schemas.ListSimulationsInput]) -> Iterator[schemas.ListSimulationsRow]:
        """List saved simulations. One row per distinct draft, most recently run first. Spends one API request."""
        return self._rows(OPERATIONS["list_simulations"], sent)

    def list_keywords(self, **sent: Unpack[schemas.ListKeywordsInput]) -> Iterator[schemas.ListKeywordsRow]:
        """List tracked keywords. Favorites first, then by keyword, or in the order of sort, with ranks from the latest daily snapshot, whose day is in snapshot_date. Sending page or per_page turns paging on; without both, the list has up to 1000 rows. The totals in meta count the rows that pass the filters. search works on at most 10,000 keywords, an order by traffic or difficulty, min_traffic and max_difficulty on 5,000, an order by rank on 4,000 and by delta on 2,000: narrow a longer list with app_id or favorites."""
        return self._rows(OPERATIONS["list_keywords"], sent)

    def list_rank_histories(self, **sent: Unpack[schemas.ListRankHistoriesInput]) -> Iterator[schemas.ListRankHistoriesRow]:
        """List the rank histories of many keywords of an application. Daily ranks of the application, and with competitors=true of its competitors, for up to 100 keywords, oldest day first: without keyword_ids those of the list of keywords, favorites first, in pages. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days, and keywords times days times apps are at most 40,000."""
        return self._rows(OPERATIONS["list_rank_histories"], sent)

    def list_rank_matrix(self, **sent: Unpack[schemas.ListRankMatrixInput]) -> Iterator[schemas.ListRankMatrixRow]:
        """Compare the ranks of an application with those of its competitors. The latest rank of the application and of up to five competitors for each tracked keyword, and how it differs from the one `days` days before. It reads result pages that are kept, and calls no store. Rows are narrowed, ordered and paged as in the list of keywords; an order by delta is by the delta of the application."""
        return self._rows(OPERATIONS["list_rank_matrix"], sent)

    def list_keyword_gap(self, **sent: Unpack[schemas.ListKeywordGapInput]) -> Iterator[schemas.ListKeywordGapRow]:
        """List the terms for which competitors rank and the application does not. The terms on whose result page a competitor ranks at rival_max_rank or better, and the application at own_min_rank or worse or not at all. The most valuable comes first: value = kei * gain. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too."""
        return self._rows(OPERATIONS["list_keyword_gap"], sent)

    def list_ranked_keywords(self, **sent: Unpack[schemas.ListRankedKeywordsInput]) -> Iterator[schemas.ListRankedKeywordsRow]:
        """List the terms for which an app ranks. The terms on whose result page any app ranks, tracked or not. The most valuable comes first: by the searches that reach the app at its rank, as in its visibility. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. Empty: no such page has the app, which does not mean that it ranks for nothing. Spends one API request."""
        return self._rows(OPERATIONS["list_ranked_keywords"], sent)

    def list_notes(self, **sent: Unpack[schemas.ListNotesInput]) -> Iterator[schemas.ListNotesRow]:
        """List the notes about an application. The notes of this account, the latest day first. Other accounts never see them."""
        return self._rows(OPERATIONS["list_notes"], sent)

    def list_alerts(self, **sent: Unpack[schemas.ListAlertsInput]) -> Iterator[schemas.ListAlertsRow]:
        """List the alerts. What the alert rules of this account found in the daily readings, kept 400 days, the last 100,000 at least. A change is measured between two days that were read. A keyword has no alert of ranks on a day without a reading, with an empty page or with a page of a storefront that shows signs of wrong pages. The same holds for a week while its page has lost two thirds of ten results or more. The next whole page is compared with the last one. Each rule reports a change once."""
        return self._rows(OPERATIONS["list_alerts"], sent)

    def list_alert_rules(self, **sent: Unpack[schemas.ListAlertRulesInput]) -> Iterator[schemas.ListAlertRulesRow]:
        """List the alert rules. The rules of this account, oldest first. A new account has four: rank_drop, left_top, listing_changed and store_blocked, for all of its applications. They may be changed and deleted."""
        return self._rows(OPERATIONS["list_alert_rules"], sent)

    def list_alert_channels(self, **sent: Unpack[schemas.ListAlertChannelsInput]) -> Iterator[schemas.ListAlertChannelsRow]:
        """List the channels for alerts. Where alerts of this account are sent, oldest first. Of an address only the host and the last four characters are shown."""
        return self._rows(OPERATIONS["list_alert_channels"], sent)

    def list_alert_deliveries(self, **sent: Unpack[schemas.ListAlertDeliveriesInput]) -> Iterator[schemas.ListAlertDeliveriesRow]:
        """List the deliveries of a channel. What was sent to a channel in the last 30 days, and what waits, newest first."""
        return self._rows(OPERATIONS["list_alert_deliveries"], sent)

    def list_alert_digests(self, **sent: Unpack[schemas.ListAlertDigestsInput]) -> Iterator[schemas.ListAlertDigestsRow]:
        """List the digests. The digests of this account, oldest first, with when they are sent."""
        return self._rows(OPERATIONS["list_alert_digests"], sent)

    def list_inspections(self, **sent: Unpack[schemas.ListInspectionsInput]) -> Iterator[schemas.ListInspectionsRow]:
        """List inspected keywords. One row per keyword and storefront (store, country and language), most recently inspected first."""
        return self._rows(OPERATIONS["list_inspections"], sent)

    def list_jobs(self, **sent: Unpack[schemas.ListJobsInput]) -> Iterator[schemas.ListJobsRow]:
        """List jobs. Newest first: the open jobs, and those that ended within 30 days of their creation, at most the last 20 of each kind."""
        return self._rows(OPERATIONS["list_jobs"], sent)

    def get_job(self, **sent: Unpack[schemas.GetJobInput]) -> Iterator[schemas.GetJobRow]:
        """Read a job and its results. How far the job is, and a page of its keywords in the order sent, each with its result once it has one. Ask again every few seconds while finished_at is null. A job is kept for 30 days."""
        return self._rows(OPERATIONS["get_job"], sent)

    def list_autocompletes(self, **sent: Unpack[schemas.ListAutocompletesInput]) -> Iterator[schemas.ListAutocompletesRow]:
        """List autocomplete queries. One row per prefix and storefront (store, country and language), most recently queried first."""
        return self._rows(OPERATIONS["list_autocompletes"], sent)

    def list_niches(self, **sent: Unpack[schemas.ListNichesInput]) -> Iterator[schemas.ListNichesRow]:
        """List niche analyses. One row per analysis that the account has received, newest first. Repeated requests add no row."""
        return self._rows(OPERATIONS["list_niches"], sent)


class Pages(Caller):
    """The pages of each list, with their meta and warnings."""

    def list_movers(self, **sent: Unpack[schemas.ListMoversInput]) -> Iterator[Answer[schemas.ListMoversData, schemas.ListMoversMeta]]:
        """List the keywords of an application by how far their ranks moved. Compares the latest snapshot of each tracked keyword with the newest one that is at least `days` days older. The biggest movement comes first; here an app that is not ranked has rank 101. Keywords without both snapshots are not listed but counted in meta.unread. The earlier snapshot is at most 400 days old, or as many days as the plan has history. Read both dates of a row: the latest snapshot may be older than today, and the earlier one older than `days` says."""
        return self._pages(OPERATIONS["list_movers"], sent)

    def list_changes(self, **sent: Unpack[schemas.ListChangesInput]) -> Iterator[Answer[schemas.ListChangesData, schemas.ListChangesMeta]]:
        """List changes of an application’s listing and what followed. Changes of title, subtitle, description, version and pictures, as daily readings found them, newest first: of the application, and with competitors=true of its competitors. A text that was not known before is no change. For each own change the tracked keywords with a word that came or went are compared with the others. What moved after a change was not necessarily caused by it. The newest 1,000 changes of a window of at most 400 days are listed. As CSV, each changed text has a row, and no effect is computed."""
        return self._pages(OPERATIONS["list_changes"], sent)

    def list_simulations(self, **sent: Unpack[schemas.ListSimulationsInput]) -> Iterator[Answer[schemas.ListSimulationsData, schemas.ListSimulationsMeta]]:
        """List saved simulations. One row per distinct draft, most recently run first. Spends one API request."""
        return self._pages(OPERATIONS["list_simulations"], sent)

    def list_keywords(self, **sent: Unpack[schemas.ListKeywordsInput]) -> Iterator[Answer[schemas.ListKeywordsData, schemas.ListKeywordsMeta]]:
        """List tracked keywords. Favorites first, then by keyword, or in the order of sort, with ranks from the latest daily snapshot, whose day is in snapshot_date. Sending page or per_page turns paging on; without both, the list has up to 1000 rows. The totals in meta count the rows that pass the filters. search works on at most 10,000 keywords, an order by traffic or difficulty, min_traffic and max_difficulty on 5,000, an order by rank on 4,000 and by delta on 2,000: narrow a longer list with app_id or favorites."""
        return self._pages(OPERATIONS["list_keywords"], sent)

    def list_rank_histories(self, **sent: Unpack[schemas.ListRankHistoriesInput]) -> Iterator[Answer[schemas.ListRankHistoriesData, schemas.ListRankHistoriesMeta]]:
        """List the rank histories of many keywords of an application. Daily ranks of the application, and with competitors=true of its competitors, for up to 100 keywords, oldest day first: without keyword_ids those of the list of keywords, favorites first, in pages. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days, and keywords times days times apps are at most 40,000."""
        return self._pages(OPERATIONS["list_rank_histories"], sent)

    def list_rank_matrix(self, **sent: Unpack[schemas.ListRankMatrixInput]) -> Iterator[Answer[schemas.ListRankMatrixData, schemas.ListRankMatrixMeta]]:
        """Compare the ranks of an application with those of its competitors. The latest rank of the application and of up to five competitors for each tracked keyword, and how it differs from the one `days` days before. It reads result pages that are kept, and calls no store. Rows are narrowed, ordered and paged as in the list of keywords; an order by delta is by the delta of the application."""
        return self._pages(OPERATIONS["list_rank_matrix"], sent)

    def list_keyword_gap(self, **sent: Unpack[schemas.ListKeywordGapInput]) -> Iterator[Answer[schemas.ListKeywordGapData, schemas.ListKeywordGapMeta]]:
        """List the terms for which competitors rank and the application does not. The terms on whose result page a competitor ranks at rival_max_rank or better, and the application at own_min_rank or worse or not at all. The most valuable comes first: value = kei * gain. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too."""
        return self._pages(OPERATIONS["list_keyword_gap"], sent)

    def list_ranked_keywords(self, **sent: Unpack[schemas.ListRankedKeywordsInput]) -> Iterator[Answer[schemas.ListRankedKeywordsData, schemas.ListRankedKeywordsMeta]]:
        """List the terms for which an app ranks. The terms on whose result page any app ranks, tracked or not. The most valuable comes first: by the searches that reach the app at its rank, as in its visibility. It reads result pages that are kept, and calls no store. The account sees the pages of the keywords that it tracks to rank 100. Of other terms it sees those that were read because a name, a subtitle or a description has them: their first 20 apps, and the week in which they were read. The words of a competitor are read once it is tracked as an application, too. Empty: no such page has the app, which does not mean that it ranks for nothing. Spends one API request."""
        return self._pages(OPERATIONS["list_ranked_keywords"], sent)

    def list_notes(self, **sent: Unpack[schemas.ListNotesInput]) -> Iterator[Answer[schemas.ListNotesData, schemas.ListNotesMeta]]:
        """List the notes about an application. The notes of this account, the latest day first. Other accounts never see them."""
        return self._pages(OPERATIONS["list_notes"], sent)

    def list_alerts(self, **sent: Unpack[schemas.ListAlertsInput]) -> Iterator[Answer[schemas.ListAlertsData, schemas.ListAlertsMeta]]:
        """List the alerts. What the alert rules of this account found in the daily readings, kept 400 days, the last 100,000 at least. A change is measured between two days that were read. A keyword has no alert of ranks on a day without a reading, with an empty page or with a page of a storefront that shows signs of wrong pages. The same holds for a week while its page has lost two thirds of ten results or more. The next whole page is compared with the last one. Each rule reports a change once."""
        return self._pages(OPERATIONS["list_alerts"], sent)

    def list_alert_rules(self, **sent: Unpack[schemas.ListAlertRulesInput]) -> Iterator[Answer[schemas.ListAlertRulesData, schemas.ListAlertRulesMeta]]:
        """List the alert rules. The rules of this account, oldest first. A new account has four: rank_drop, left_top, listing_changed and store_blocked, for all of its applications. They may be changed and deleted."""
        return self._pages(OPERATIONS["list_alert_rules"], sent)

    def list_alert_channels(self, **sent: Unpack[schemas.ListAlertChannelsInput]) -> Iterator[Answer[schemas.ListAlertChannelsData, schemas.ListAlertChannelsMeta]]:
        """List the channels for alerts. Where alerts of this account are sent, oldest first. Of an address only the host and the last four characters are shown."""
        return self._pages(OPERATIONS["list_alert_channels"], sent)

    def list_alert_deliveries(self, **sent: Unpack[schemas.ListAlertDeliveriesInput]) -> Iterator[Answer[schemas.ListAlertDeliveriesData, schemas.ListAlertDeliveriesMeta]]:
        """List the deliveries of a channel. What was sent to a channel in the last 30 days, and what waits, newest first."""
        return self._pages(OPERATIONS["list_alert_deliveries"], sent)

    def list_alert_digests(self, **sent: Unpack[schemas.ListAlertDigestsInput]) -> Iterator[Answer[schemas.ListAlertDigestsData, schemas.ListAlertDigestsMeta]]:
        """List the digests. The digests of this account, oldest first, with when they are sent."""
        return self._pages(OPERATIONS["list_alert_digests"], sent)

    def list_inspections(self, **sent: Unpack[schemas.ListInspectionsInput]) -> Iterator[Answer[schemas.ListInspectionsData, schemas.ListInspectionsMeta]]:
        """List inspected keywords. One row per keyword and storefront (store, country and language), most recently inspected first."""
        return self._pages(OPERATIONS["list_inspections"], sent)

    def list_jobs(self, **sent: Unpack[schemas.ListJobsInput]) -> Iterator[Answer[schemas.ListJobsData, schemas.ListJobsMeta]]:
        """List jobs. Newest first: the open jobs, and those that ended within 30 days of their creation, at most the last 20 of each kind."""
        return self._pages(OPERATIONS["list_jobs"], sent)

    def get_job(self, **sent: Unpack[schemas.GetJobInput]) -> Iterator[Answer[schemas.GetJobData, schemas.GetJobMeta]]:
        """Read a job and its results. How far the job is, and a page of its keywords in the order sent, each with its result once it has one. Ask again every few seconds while finished_at is null. A job is kept for 30 days."""
        return self._pages(OPERATIONS["get_job"], sent)

    def list_autocompletes(self, **sent: Unpack[schemas.ListAutocompletesInput]) -> Iterator[Answer[schemas.ListAutocompletesData, schemas.ListAutocompletesMeta]]:
        """List autocomplete queries. One row per prefix and storefront (store, country and language), most recently queried first."""
        return self._pages(OPERATIONS["list_autocompletes"], sent)

    def list_niches(self, **sent: Unpack[schemas.ListNichesInput]) -> Iterator[Answer[schemas.ListNichesData, schemas.ListNichesMeta]]:
        """List niche analyses. One row per analysis that the account has received, newest first. Repeated requests add no row."""
        return self._pages(OPERATIONS["list_niches"], sent)
