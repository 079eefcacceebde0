# Written by `npm run clients:generate` from the OpenAPI document. Do not change it here.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

ErrorCode: TypeAlias = Literal[
    'INVALID_PARAMS',
    'SELF_COMPETITOR',
    'MISSING_API_KEY',
    'INVALID_API_KEY',
    'PLAN_REQUIRED',
    'PLAN_LIMIT',
    'NOT_FOUND',
    'APP_NOT_FOUND',
    'COMPETITOR_NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'DUPLICATE',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
    'QUOTA_EXCEEDED',
    'CREATE_APP_FAILED',
    'INTERNAL_ERROR',
    'STORE_FETCH_FAILED',
    'ANALYSIS_FAILED',
    'SERVICE_UNAVAILABLE',
]


class ErrorBodyDetailsIssuesIssues(TypedDict):
    """
    All problems of the request.
    """

    formErrors: list[str]
    fieldErrors: dict[str, list[str]]


class ErrorBodyDetailsId(TypedDict):
    id: int


class ErrorBodyUsage(TypedDict):
    """
    Usage of the quota; only with QUOTA_EXCEEDED.
    """

    api_requests: int
    api_requests_per_month: int
    renews_at: str


class ListApplicationsInput(TypedDict):
    """
    The parameters of listApplications.
    """

    app_id: NotRequired[int]


ListApplicationsRowAsoHealth = TypedDict(
    'ListApplicationsRowAsoHealth',
    {
        'global': int,
        'coverage': int,
        'targeting': int,
        'appeal': int,
        'tier': int,
        'tier_label': Literal['Emerging', 'Growing', 'Established'],
        'computed_at': str,
    },
)


class ListApplicationsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    has_more: NotRequired[Literal[True]]
    warnings: NotRequired[
        list[Literal['stale_store_data', 'audit_pending', 'audit_partial'] | str]
    ]
    stale_since: NotRequired[str]


class TrackApplicationInput(TypedDict):
    """
    The parameters of trackApplication.
    """

    app_id: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class TrackApplicationDataApp(TypedDict):
    """
    The app in the store.
    """

    id: str
    title: str | None


class TrackApplicationMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class SearchAppsInput(TypedDict):
    """
    The parameters of searchApps.
    """

    term: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class SearchAppsRow(TypedDict):
    app_id: str
    title: str | None
    icon: str | None
    developer_name: str | None
    ratings: int | None
    is_tracked: bool


SearchAppsData: TypeAlias = list[SearchAppsRow]
"""
The requested data.
"""


class SearchAppsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    warnings: NotRequired[list[str]]


class UntrackApplicationInput(TypedDict):
    """
    The parameters of untrackApplication.
    """

    id: int


class UntrackApplicationData(TypedDict):
    """
    The requested data.
    """

    id: int
    already_removed: bool


class UntrackApplicationMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListMoversInput(TypedDict):
    """
    The parameters of listMovers.
    """

    id: int
    days: NotRequired[Literal[1, 7, 30]]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListMoversRow(TypedDict):
    keyword_id: int
    keyword: str
    from_date: str
    to_date: str
    rank_before: int | None
    rank_now: int | None
    delta: int | None
    rank_date: str
    stale: bool
    status: Literal['up', 'down', 'same', 'entered', 'left']


ListMoversData: TypeAlias = list[ListMoversRow]
"""
The requested data.
"""


class ListMoversMetaSnapshotDepths(TypedDict):
    keyword_id: int
    date: str
    depth: int


class GetRankDistributionInput(TypedDict):
    """
    The parameters of getRankDistribution.
    """

    id: int
    from_: NotRequired[str]
    to: NotRequired[str]


class GetRankDistributionDataHistory(TypedDict):
    date: str
    tracked: int
    rank_1: int
    rank_2_3: int
    rank_4_10: int
    rank_11_30: int
    rank_31_100: int
    not_ranked: int
    unread: int
    traffic_share: float | None


GetRankDistributionMeta = TypedDict(
    'GetRankDistributionMeta',
    {
        'from': str,
        'to': str,
        'total': int,
        'warnings': NotRequired[list[str]],
    },
)


class GetScoreHistoryInput(TypedDict):
    """
    The parameters of getScoreHistory.
    """

    id: int
    from_: NotRequired[str]
    to: NotRequired[str]


class GetScoreHistoryDataHistory(TypedDict):
    date: str
    score: float | None
    reason: Literal['basket_too_small', 'too_little_read'] | None
    basket_version: int | None
    terms: int
    previous_basket_score: float | None
    carried_terms: int
    ratings: int | None


GetScoreHistoryMeta = TypedDict(
    'GetScoreHistoryMeta',
    {
        'from': str,
        'to': str,
        'total': int,
        'warnings': NotRequired[list[str]],
    },
)


class CreateShareLinkInput(TypedDict):
    """
    The parameters of createShareLink.
    """

    id: int
    days: int
    label: str


class CreateShareLinkData(TypedDict):
    """
    The requested data.
    """

    id: int
    label: str
    created_at: str
    expires_at: str
    address: str


class CreateShareLinkMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListShareLinksInput(TypedDict):
    """
    The parameters of listShareLinks.
    """

    id: int


class ListShareLinksRow(TypedDict):
    id: int
    label: str
    created_at: str
    expires_at: str


ListShareLinksData: TypeAlias = list[ListShareLinksRow]
"""
The requested data.
"""


class ListShareLinksMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    warnings: NotRequired[list[str]]


class EndShareLinkInput(TypedDict):
    """
    The parameters of endShareLink.
    """

    id: int
    link_id: int


class EndShareLinkData(TypedDict):
    """
    The requested data.
    """

    id: int
    ended: bool


class EndShareLinkMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListChangesInput(TypedDict):
    """
    The parameters of listChanges.
    """

    id: int
    competitors: NotRequired[bool]
    effects: NotRequired[bool]
    from_: NotRequired[str]
    to: NotRequired[str]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListChangesRowApp(TypedDict):
    """
    Whose listing it is, with its title of today.
    """

    app_id: str
    title: str | None
    is_own: bool


class ListChangesRowFields(TypedDict):
    field: Literal['title', 'subtitle', 'description', 'version']
    before: str
    after: str
    words_added: list[str]
    words_removed: list[str]


class ListChangesRowScreenshots(TypedDict):
    added: int
    removed: int


class ListChangesRowEffectAdded(TypedDict):
    """
    Tracked keywords with a word that came into the texts that the store’s search reads. Function words (for, the) do not count, and forms of a word (habit, habits) are one.
    """

    keywords: int
    rank_before: float | None
    rank_after: float | None
    moved: bool | None


class ListChangesRowEffectRemoved(TypedDict):
    """
    Tracked keywords with a word that left these texts.
    """

    keywords: int
    rank_before: float | None
    rank_after: float | None
    moved: bool | None


class ListChangesRowEffectControl(TypedDict):
    """
    Tracked keywords with neither.
    """

    keywords: int
    rank_before: float | None
    rank_after: float | None


ListChangesMeta = TypedDict(
    'ListChangesMeta',
    {
        'total': int,
        'page': int,
        'per_page': int,
        'total_pages': int,
        'has_more': bool,
        'from': str,
        'to': str,
        'truncated': bool,
        'warnings': NotRequired[list[str]],
    },
)


class GetAsoHealthInput(TypedDict):
    """
    The parameters of getAsoHealth.
    """

    id: int
    include_words: NotRequired[bool]


class GetAsoHealthDataApp(TypedDict):
    """
    The application.
    """

    id: int
    app_id: str
    title: str | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    unlisted_since: str | None


class GetAsoHealthDataReportAxes(TypedDict):
    key: Literal['coverage', 'targeting', 'appeal']
    score: int


class GetAsoHealthDataReportFieldsWordsRelevanceParts(TypedDict):
    own: float | None
    near: float | None
    said: float | None
    kind: float | None


class GetAsoHealthDataReportTargetingKeywordsRelevanceParts(TypedDict):
    own: float | None
    near: float | None
    said: float | None
    kind: float | None


class GetAsoHealthDataReportAppealRating(TypedDict):
    """
    The rating of the app.
    """

    value: float | None


class GetAsoHealthDataReportAppealScreenshots(TypedDict):
    """
    The screenshots of the listing.
    """

    count: int | None
    target: int


class GetAsoHealthDataReportAppealFreshness(TypedDict):
    """
    The age of the latest release.
    """

    days_since_update: int | None


class GetAsoHealthDataReportFlagsEvidenceValue(TypedDict):
    name: str
    traffic: int | None
    difficulty: int | None
    relevance: float | None
    scored_at: str | None
    source: Literal['titles', 'description', 'pages', 'tracked']
    rank: int | None
    genre_share: float | None
    field: Literal['title', 'subtitle', 'kw_field', 'description']
    global_delta: int | None


class GetAsoHealthDataPendingFieldsWordsRelevanceParts(TypedDict):
    own: float | None
    near: float | None
    said: float | None
    kind: float | None


GetAsoHealthDataTimeline = TypedDict(
    'GetAsoHealthDataTimeline',
    {
        'date': str,
        'version': str | None,
        'global': int,
    },
)


class GetAsoHealthMeta(TypedDict):
    """
    Information about the data.
    """

    warnings: NotRequired[
        list[Literal['stale_store_data', 'audit_pending', 'audit_partial'] | str]
    ]
    stale_since: NotRequired[str]


class CheckMetadataInput(TypedDict):
    """
    The parameters of checkMetadata.
    """

    store: Literal['ITUNES', 'GPLAY']
    title: NotRequired[str]
    subtitle: NotRequired[str]
    description: NotRequired[str]
    kw_field: NotRequired[str]


class CheckMetadataDataFieldsWarnings(TypedDict):
    level: Literal['error', 'warning', 'info']
    message: str
    rule: (
        Literal[
            'price',
            'ranking',
            'play-program',
            'call-to-action',
            'kids',
            'rival-platform',
        ]
        | None
    )


class CheckMetadataDataKeywords(TypedDict):
    """
    Analysis of kw_field; only when it was sent for the App Store.
    """

    terms: list[str]
    duplicates: list[str]
    too_short: list[str]
    phrases: list[str]
    wasted_on_spaces: int
    wasted_on_duplicates: int


class CheckMetadataMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class SimulateMetadataInputContext(TypedDict):
    """
    What is scored besides the texts. An omitted key takes the app’s own value; without an app, that of an unpublished listing.
    """

    rating: NotRequired[float | None]
    rating_count: NotRequired[int]
    screenshots: NotRequired[int]
    days_since_update: NotRequired[int]
    age_months: NotRequired[int | None]
    has_video: NotRequired[bool]
    language_count: NotRequired[int]


class SimulateMetadataDataApp(TypedDict):
    id: int
    app_id: str
    title: str | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class SimulateMetadataDataListing(TypedDict):
    """
    The texts that were scored: those of the draft, and the app’s live text for every text that the draft omits.
    """

    title: str | None
    subtitle: str | None
    description: str | None
    kw_field: str


SimulateMetadataDataAsoHealth = TypedDict(
    'SimulateMetadataDataAsoHealth',
    {
        'global': int,
        'coverage': int,
        'targeting': int,
        'appeal': int,
        'tier': int,
        'tier_label': Literal['Emerging', 'Growing', 'Established'],
    },
)


SimulateMetadataDataDelta = TypedDict(
    'SimulateMetadataDataDelta',
    {
        'global': int | None,
        'coverage': int | None,
        'targeting': int | None,
        'appeal': int | None,
    },
)


class SimulateMetadataDataDeltaBoundsGlobal(TypedDict):
    min: int
    max: int


class SimulateMetadataDataDeltaBoundsCoverage(TypedDict):
    min: int
    max: int


class SimulateMetadataDataDeltaBoundsTargeting(TypedDict):
    min: int
    max: int


SimulateMetadataDataDeltaBasisAsoHealth = TypedDict(
    'SimulateMetadataDataDeltaBasisAsoHealth',
    {
        'global': int,
        'coverage': int,
        'targeting': int,
        'appeal': int,
        'tier': int,
        'tier_label': Literal['Emerging', 'Growing', 'Established'],
    },
)


class SimulateMetadataDataFieldsWordsRelevanceParts(TypedDict):
    own: float | None
    near: float | None
    said: float | None
    kind: float | None


class SimulateMetadataDataFlagsEvidenceValue(TypedDict):
    name: str
    traffic: int | None
    difficulty: int | None
    relevance: float | None
    scored_at: str | None
    source: Literal['titles', 'description', 'pages', 'tracked']
    rank: int | None
    genre_share: float | None
    field: Literal['title', 'subtitle', 'kw_field', 'description']
    global_delta: int | None


class SimulateMetadataDataSaved(TypedDict):
    """
    The saved run.
    """

    id: int
    is_new: bool


class SimulateMetadataMeta(TypedDict):
    """
    Information about the data.
    """

    warnings: NotRequired[list[Literal['stale_store_data', 'audit_pending'] | str]]
    stale_since: NotRequired[str]


class ListSimulationsInput(TypedDict):
    """
    The parameters of listSimulations.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]
    search: NotRequired[str]


ListSimulationsRowAsoHealth = TypedDict(
    'ListSimulationsRowAsoHealth',
    {
        'global': int,
        'coverage': int,
        'targeting': int,
        'appeal': int,
    },
)


class ListSimulationsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class GetSimulationInput(TypedDict):
    """
    The parameters of getSimulation.
    """

    id: int


class GetSimulationDataListing(TypedDict):
    """
    The texts that were scored: those of the draft, and the app’s live text for every text that the draft omits.
    """

    title: str | None
    subtitle: str | None
    description: str | None
    kw_field: str


class GetSimulationDataContext(TypedDict):
    """
    What was scored besides the texts; null: unknown.
    """

    rating: float | None
    rating_count: int | None
    screenshots: int | None
    days_since_update: int | None
    age_months: int | None
    has_video: bool | None
    language_count: int | None


GetSimulationDataAsoHealth = TypedDict(
    'GetSimulationDataAsoHealth',
    {
        'global': int,
        'coverage': int,
        'targeting': int,
        'appeal': int,
        'tier': int,
        'tier_label': Literal['Emerging', 'Growing', 'Established'],
    },
)


GetSimulationDataDelta = TypedDict(
    'GetSimulationDataDelta',
    {
        'global': int | None,
        'coverage': int | None,
        'targeting': int | None,
        'appeal': int | None,
    },
)


class GetSimulationDataDeltaBoundsGlobal(TypedDict):
    min: int
    max: int


class GetSimulationDataDeltaBoundsCoverage(TypedDict):
    min: int
    max: int


class GetSimulationDataDeltaBoundsTargeting(TypedDict):
    min: int
    max: int


GetSimulationDataDeltaBasisAsoHealth = TypedDict(
    'GetSimulationDataDeltaBasisAsoHealth',
    {
        'global': int,
        'coverage': int,
        'targeting': int,
        'appeal': int,
        'tier': int,
        'tier_label': Literal['Emerging', 'Growing', 'Established'],
    },
)


class GetSimulationDataReportAxes(TypedDict):
    key: Literal['coverage', 'targeting', 'appeal']
    score: int


class GetSimulationDataReportFieldsWordsRelevanceParts(TypedDict):
    own: float | None
    near: float | None
    said: float | None
    kind: float | None


class GetSimulationDataReportTargetingKeywordsRelevanceParts(TypedDict):
    own: float | None
    near: float | None
    said: float | None
    kind: float | None


class GetSimulationDataReportAppealRating(TypedDict):
    """
    The rating of the app.
    """

    value: float | None


class GetSimulationDataReportAppealScreenshots(TypedDict):
    """
    The screenshots of the listing.
    """

    count: int | None
    target: int


class GetSimulationDataReportAppealFreshness(TypedDict):
    """
    The age of the latest release.
    """

    days_since_update: int | None


class GetSimulationDataReportFlagsEvidenceValue(TypedDict):
    name: str
    traffic: int | None
    difficulty: int | None
    relevance: float | None
    scored_at: str | None
    source: Literal['titles', 'description', 'pages', 'tracked']
    rank: int | None
    genre_share: float | None
    field: Literal['title', 'subtitle', 'kw_field', 'description']
    global_delta: int | None


class GetSimulationMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class GetKeywordsFieldInput(TypedDict):
    """
    The parameters of getKeywordsField.
    """

    id: int


class GetKeywordsFieldData(TypedDict):
    """
    The requested data.
    """

    app_id: int
    kw_field: str | None
    updated_at: str | None


class GetKeywordsFieldMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class SetKeywordsFieldInput(TypedDict):
    """
    The parameters of setKeywordsField.
    """

    id: int
    kw_field: str


class SetKeywordsFieldData(TypedDict):
    """
    The requested data.
    """

    app_id: int
    kw_field: str
    updated_at: str


class SetKeywordsFieldMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class DeleteKeywordsFieldInput(TypedDict):
    """
    The parameters of deleteKeywordsField.
    """

    id: int


class DeleteKeywordsFieldData(TypedDict):
    """
    The requested data.
    """

    app_id: int
    already_removed: bool


class DeleteKeywordsFieldMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListCompetitorsInput(TypedDict):
    """
    The parameters of listCompetitors.
    """

    app_id: NotRequired[int]


class ListCompetitorsRowApp(TypedDict):
    """
    The application that the competitor competes with.
    """

    id: int
    app_id: str
    title: str | None
    icon: str | None
    store: Literal['ITUNES', 'GPLAY']


class ListCompetitorsRowCompetitor(TypedDict):
    """
    The competitor, with its store listing.
    """

    id: int
    app_id: str
    title: str | None
    description: str | None
    url: str | None
    icon: str | None
    screenshots: list[str] | None
    developer_name: str | None
    genre: str | None
    version: str | None
    score: float | None
    ratings: int | None
    store: Literal['ITUNES', 'GPLAY']
    unlisted_since: str | None


class ListCompetitorsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    has_more: NotRequired[Literal[True]]
    warnings: NotRequired[list[Literal['stale_store_data'] | str]]
    stale_since: NotRequired[str]


class TrackCompetitorInput(TypedDict):
    """
    The parameters of trackCompetitor.
    """

    app_id: int
    competitor_app_id: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class TrackCompetitorDataCompetitor(TypedDict):
    """
    The competitor.
    """

    id: int
    app_id: str
    title: str | None


class TrackCompetitorMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class UntrackCompetitorInput(TypedDict):
    """
    The parameters of untrackCompetitor.
    """

    id: int


class UntrackCompetitorData(TypedDict):
    """
    The requested data.
    """

    id: int
    removed: bool


class UntrackCompetitorMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListKeywordsInput(TypedDict):
    """
    The parameters of listKeywords.
    """

    app_id: NotRequired[int]
    favorites: NotRequired[bool]
    sort: NotRequired[
        Literal[
            'keyword',
            '-keyword',
            'rank',
            '-rank',
            'traffic',
            '-traffic',
            'difficulty',
            '-difficulty',
            'delta',
            '-delta',
        ]
    ]
    search: NotRequired[str]
    min_traffic: NotRequired[int]
    max_difficulty: NotRequired[int]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListKeywordsRowAhead(TypedDict):
    app_id: str
    title: str | None
    icon: str | None


class ListKeywordsRowBehind(TypedDict):
    app_id: str
    title: str | None
    icon: str | None


class ListKeywordsRowRanking(TypedDict):
    app_id: str
    title: str | None
    icon: str | None
    rank: int
    ratings: int | None


class ListKeywordsMetaSnapshotDepths(TypedDict):
    keyword_id: int
    depth: int


class TrackKeywordsInput(TypedDict):
    """
    The parameters of trackKeywords.
    """

    keywords: list[str]
    app_id: int
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class TrackKeywordsDataResultsSuccess(TypedDict):
    keyword: str
    success: str
    keyword_id: int
    rank: int | None
    depth: int
    rank_date: str
    stale: bool


class TrackKeywordsDataResultsError(TypedDict):
    keyword: str
    error: str


class TrackKeywordsMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class UntrackKeywordInput(TypedDict):
    """
    The parameters of untrackKeyword.
    """

    id: int
    app_id: int


class UntrackKeywordData(TypedDict):
    """
    The requested data.
    """

    keyword_id: int
    app_id: int
    already_removed: bool


class UntrackKeywordMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class SetKeywordFavoriteInput(TypedDict):
    """
    The parameters of setKeywordFavorite.
    """

    id: int
    app_id: int
    is_favorite: bool


class SetKeywordFavoriteData(TypedDict):
    """
    The requested data.
    """

    keyword_id: int
    app_id: int
    is_favorite: bool


class SetKeywordFavoriteMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class GetRankHistoryInput(TypedDict):
    """
    The parameters of getRankHistory.
    """

    id: int
    app_id: NotRequired[int]
    from_: NotRequired[str]
    to: NotRequired[str]


class GetRankHistoryDataAppsHistory(TypedDict):
    date: str
    rank: int | None


class GetRankHistoryMetaSnapshotDepths(TypedDict):
    date: str
    depth: int


class ListRankHistoriesInput(TypedDict):
    """
    The parameters of listRankHistories.
    """

    id: int
    keyword_ids: NotRequired[str]
    from_: NotRequired[str]
    to: NotRequired[str]
    competitors: NotRequired[bool]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListRankHistoriesRowAppsHistory(TypedDict):
    date: str
    rank: int | None


class ListRankHistoriesMetaSnapshotDepths(TypedDict):
    keyword_id: int
    depth: int


class ListRankMatrixInput(TypedDict):
    """
    The parameters of listRankMatrix.
    """

    id: int
    days: NotRequired[int]
    competitor_ids: NotRequired[str]
    favorites: NotRequired[bool]
    sort: NotRequired[
        Literal[
            'keyword',
            '-keyword',
            'rank',
            '-rank',
            'traffic',
            '-traffic',
            'difficulty',
            '-difficulty',
            'delta',
            '-delta',
        ]
    ]
    search: NotRequired[str]
    min_traffic: NotRequired[int]
    max_difficulty: NotRequired[int]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListRankMatrixRowRanks(TypedDict):
    app_id: str
    rank: int | None
    state: Literal['ranked', 'not_ranked', 'unread', 'stale']
    delta: int | None


class ListRankMatrixDataApps(TypedDict):
    app_id: str
    title: str | None
    is_own: bool
    competitor_id: int | None


class ListRankMatrixMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: NotRequired[int]
    per_page: NotRequired[int]
    total_pages: NotRequired[int]
    has_more: bool
    pages: int
    oldest_page: str | None
    unread: int
    truncated: bool
    warnings: NotRequired[list[str]]


class GetShareOfVoiceInput(TypedDict):
    """
    The parameters of getShareOfVoice.
    """

    id: int
    from_: NotRequired[str]
    to: NotRequired[str]


class GetShareOfVoiceDataApps(TypedDict):
    app_id: str
    title: str | None
    icon: str | None
    is_own: bool
    is_competitor: bool
    share: float | None
    change_7d: float | None


class GetShareOfVoiceDataBasket(TypedDict):
    keyword: str
    weight: float
    page_date: str | None


class GetShareOfVoiceDataHistoryApps(TypedDict):
    app_id: str
    share: float | None


GetShareOfVoiceMeta = TypedDict(
    'GetShareOfVoiceMeta',
    {
        'from': str,
        'to': str,
        'total': int,
        'pages': int,
        'oldest_page': str | None,
        'unread': int,
        'truncated': bool,
        'warnings': NotRequired[list[str]],
    },
)


class ListKeywordGapInput(TypedDict):
    """
    The parameters of listKeywordGap.
    """

    id: int
    competitor_ids: NotRequired[str]
    rival_max_rank: NotRequired[int]
    own_min_rank: NotRequired[int]
    min_traffic: NotRequired[int]
    include_brands: NotRequired[bool]
    sort: NotRequired[
        Literal[
            'value',
            '-value',
            'traffic',
            '-traffic',
            'difficulty',
            '-difficulty',
            'kei',
            '-kei',
            'gain',
            '-gain',
            'rank',
            '-rank',
            'keyword',
            '-keyword',
        ]
    ]
    search: NotRequired[str]
    max_difficulty: NotRequired[int]
    tracked: NotRequired[Literal['all', 'yes', 'no']]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListKeywordGapRowRivals(TypedDict):
    app_id: str
    title: str | None
    rank: int


class ListKeywordGapMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    pages: int
    oldest_page: str | None
    unread: int
    truncated: bool
    truncated_by: Literal['traffic'] | None
    reason: (
        Literal['no_competitors', 'no_pages', 'too_shallow', 'no_gap', 'filtered']
        | None
    )
    warnings: NotRequired[list[str]]


class ListRankedKeywordsInput(TypedDict):
    """
    The parameters of listRankedKeywords.
    """

    app_id: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    min_traffic: NotRequired[int]
    sort: NotRequired[
        Literal[
            'value',
            '-value',
            'traffic',
            '-traffic',
            'difficulty',
            '-difficulty',
            'kei',
            '-kei',
            'rank',
            '-rank',
            'keyword',
            '-keyword',
        ]
    ]
    search: NotRequired[str]
    max_difficulty: NotRequired[int]
    tracked: NotRequired[Literal['all', 'yes', 'no']]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListRankedKeywordsRow(TypedDict):
    keyword: str
    keyword_id: int | None
    traffic_score: int | None
    is_partial: bool
    difficulty_score: int | None
    kei: float | None
    rank: int
    rank_date: str
    depth: int
    stale: bool
    is_tracked: bool


ListRankedKeywordsData: TypeAlias = list[ListRankedKeywordsRow]
"""
The requested data.
"""


class ListRankedKeywordsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    pages: int
    oldest_page: str | None
    unread: int
    truncated: bool
    truncated_by: Literal['traffic'] | None
    warnings: NotRequired[list[str]]


class AddNoteInput(TypedDict):
    """
    The parameters of addNote.
    """

    id: int
    date: str
    text: str


class AddNoteData(TypedDict):
    """
    The requested data.
    """

    id: int
    date: str
    text: str
    created_at: str


class AddNoteMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListNotesInput(TypedDict):
    """
    The parameters of listNotes.
    """

    id: int
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListNotesRow(TypedDict):
    id: int
    date: str
    text: str
    created_at: str


ListNotesData: TypeAlias = list[ListNotesRow]
"""
The requested data.
"""


class ListNotesMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class RemoveNoteInput(TypedDict):
    """
    The parameters of removeNote.
    """

    id: int
    note_id: int


class RemoveNoteData(TypedDict):
    """
    The requested data.
    """

    id: int
    already_removed: bool


class RemoveNoteMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListAlertsInput(TypedDict):
    """
    The parameters of listAlerts.
    """

    since: NotRequired[int]
    kind: NotRequired[
        Literal[
            'rank_drop',
            'rank_rise',
            'entered_top',
            'left_top',
            'overtaken',
            'listing_changed',
            'rating_drop',
            'audit_drop',
            'chart_entered',
            'chart_left',
            'store_blocked',
            'store_recovered',
            'keyword_unread',
            'quota_used',
            'channel_off',
        ]
    ]
    app_id: NotRequired[int]
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListAlertsRowApp(TypedDict):
    id: int
    app_id: str
    title: str | None


class ListAlertsRowEvidenceDays(TypedDict):
    """
    The two days that are compared. Both were read; days between them were not, or their pages were empty, suspect or much shorter than before. For store_blocked and store_recovered: the day on which the failures began, and the day of the alert. For keyword_unread: the day on which the keywords were last read, and the day of the alert. For quota_used: null, and the day of the alert.
    """

    before: str | None
    after: str


class ListAlertsRowEvidenceRanks(TypedDict):
    app_id: str
    before: int | None
    after: int | None


class ListAlertsRowEvidenceOtherApp(TypedDict):
    id: int
    app_id: str
    title: str | None


class ListAlertsRowEvidenceFields(TypedDict):
    field: Literal[
        'title',
        'subtitle',
        'description',
        'version',
        'icon',
        'screenshots',
        'unlisted_since',
    ]
    before: str | None
    after: str | None


class ListAlertsRowEvidenceChannel(TypedDict):
    id: int
    name: str
    reason: Literal['account', 'gone', 'no_success', 'unconfirmed', 'unsubscribed']


class ListAlertsRowEvidenceChart(TypedDict):
    store: Literal['ITUNES', 'GPLAY']
    country: str
    category: str
    collection: Literal['free', 'paid', 'grossing']
    depth: int


class ListAlertsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class ListAlertRulesInput(TypedDict):
    """
    The parameters of listAlertRules.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]


class ListAlertRulesRow(TypedDict):
    id: int
    app_id: int | None
    kind: Literal[
        'rank_drop',
        'rank_rise',
        'entered_top',
        'left_top',
        'overtaken',
        'listing_changed',
        'rating_drop',
        'audit_drop',
        'chart_entered',
        'chart_left',
        'store_blocked',
        'store_recovered',
        'keyword_unread',
        'quota_used',
    ]
    threshold: float | None
    keywords: Literal['all', 'favorites'] | list[int]
    channels: list[int]
    is_enabled: bool
    created_at: str


ListAlertRulesData: TypeAlias = list[ListAlertRulesRow]
"""
The requested data.
"""


class ListAlertRulesMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class CreateAlertRuleInput(TypedDict):
    """
    The parameters of createAlertRule.
    """

    kind: Literal[
        'rank_drop',
        'rank_rise',
        'entered_top',
        'left_top',
        'overtaken',
        'listing_changed',
        'rating_drop',
        'audit_drop',
        'chart_entered',
        'chart_left',
        'store_blocked',
        'store_recovered',
        'keyword_unread',
        'quota_used',
    ]
    app_id: NotRequired[int | None]
    threshold: NotRequired[float | None]
    keywords: NotRequired[Literal['all', 'favorites'] | list[int]]
    channels: NotRequired[list[int]]
    is_enabled: NotRequired[bool]


class CreateAlertRuleData(TypedDict):
    """
    The requested data.
    """

    id: int
    app_id: int | None
    kind: Literal[
        'rank_drop',
        'rank_rise',
        'entered_top',
        'left_top',
        'overtaken',
        'listing_changed',
        'rating_drop',
        'audit_drop',
        'chart_entered',
        'chart_left',
        'store_blocked',
        'store_recovered',
        'keyword_unread',
        'quota_used',
    ]
    threshold: float | None
    keywords: Literal['all', 'favorites'] | list[int]
    channels: list[int]
    is_enabled: bool
    created_at: str


class CreateAlertRuleMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class UpdateAlertRuleInput(TypedDict):
    """
    The parameters of updateAlertRule.
    """

    rule_id: int
    app_id: NotRequired[int | None]
    threshold: NotRequired[float | None]
    keywords: NotRequired[Literal['all', 'favorites'] | list[int]]
    channels: NotRequired[list[int]]
    is_enabled: NotRequired[bool]


class UpdateAlertRuleData(TypedDict):
    """
    The requested data.
    """

    id: int
    app_id: int | None
    kind: Literal[
        'rank_drop',
        'rank_rise',
        'entered_top',
        'left_top',
        'overtaken',
        'listing_changed',
        'rating_drop',
        'audit_drop',
        'chart_entered',
        'chart_left',
        'store_blocked',
        'store_recovered',
        'keyword_unread',
        'quota_used',
    ]
    threshold: float | None
    keywords: Literal['all', 'favorites'] | list[int]
    channels: list[int]
    is_enabled: bool
    created_at: str


class UpdateAlertRuleMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class DeleteAlertRuleInput(TypedDict):
    """
    The parameters of deleteAlertRule.
    """

    rule_id: int


class DeleteAlertRuleData(TypedDict):
    """
    The requested data.
    """

    id: int
    already_removed: bool


class DeleteAlertRuleMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListAlertChannelsInput(TypedDict):
    """
    The parameters of listAlertChannels.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]


class ListAlertChannelsRow(TypedDict):
    id: int
    type: Literal['webhook', 'slack', 'email']
    name: str
    host: str
    url_end: str
    timing: Literal['hourly', 'instant']
    is_enabled: bool
    is_confirmed: bool
    off_reason: (
        Literal['account', 'gone', 'no_success', 'unconfirmed', 'unsubscribed'] | None
    )
    off_at: str | None
    last_success_at: str | None
    failing_since: str | None
    old_secret_until: str | None
    created_at: str


ListAlertChannelsData: TypeAlias = list[ListAlertChannelsRow]
"""
The requested data.
"""


class ListAlertChannelsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class CreateAlertChannelInput(TypedDict):
    """
    The parameters of createAlertChannel.
    """

    type: Literal['webhook', 'slack', 'email']
    name: str
    url: str
    timing: NotRequired[Literal['hourly', 'instant']]


class CreateAlertChannelData(TypedDict):
    """
    The requested data.
    """

    id: int
    type: Literal['webhook', 'slack', 'email']
    name: str
    host: str
    url_end: str
    timing: Literal['hourly', 'instant']
    is_enabled: bool
    is_confirmed: bool
    off_reason: (
        Literal['account', 'gone', 'no_success', 'unconfirmed', 'unsubscribed'] | None
    )
    off_at: str | None
    last_success_at: str | None
    failing_since: str | None
    old_secret_until: str | None
    created_at: str
    secret: str | None


class CreateAlertChannelMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class UpdateAlertChannelInput(TypedDict):
    """
    The parameters of updateAlertChannel.
    """

    channel_id: int
    name: NotRequired[str]
    url: NotRequired[str]
    timing: NotRequired[Literal['hourly', 'instant']]
    is_enabled: NotRequired[bool]
    rotate_secret: NotRequired[bool]


class UpdateAlertChannelData(TypedDict):
    """
    The requested data.
    """

    id: int
    type: Literal['webhook', 'slack', 'email']
    name: str
    host: str
    url_end: str
    timing: Literal['hourly', 'instant']
    is_enabled: bool
    is_confirmed: bool
    off_reason: (
        Literal['account', 'gone', 'no_success', 'unconfirmed', 'unsubscribed'] | None
    )
    off_at: str | None
    last_success_at: str | None
    failing_since: str | None
    old_secret_until: str | None
    created_at: str
    secret: str | None


class UpdateAlertChannelMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class DeleteAlertChannelInput(TypedDict):
    """
    The parameters of deleteAlertChannel.
    """

    channel_id: int


class DeleteAlertChannelData(TypedDict):
    """
    The requested data.
    """

    id: int
    already_removed: bool


class DeleteAlertChannelMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class TestAlertChannelInput(TypedDict):
    """
    The parameters of testAlertChannel.
    """

    channel_id: int


class TestAlertChannelData(TypedDict):
    """
    The requested data.
    """

    id: int
    channel_id: int
    webhook_id: str
    state: Literal['waiting', 'delivered', 'failed']
    is_test: bool
    digest_id: int | None
    app_id: int | None
    alert_ids: list[int]
    tries: int
    created_at: str
    last_tried_at: str | None
    next_try_at: str | None
    status: int | None
    duration_ms: int | None
    failure: str | None
    answer: str | None


class TestAlertChannelMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListAlertDeliveriesInput(TypedDict):
    """
    The parameters of listAlertDeliveries.
    """

    channel_id: int
    page: NotRequired[int]
    per_page: NotRequired[int]


class ListAlertDeliveriesRow(TypedDict):
    id: int
    channel_id: int
    webhook_id: str
    state: Literal['waiting', 'delivered', 'failed']
    is_test: bool
    digest_id: int | None
    app_id: int | None
    alert_ids: list[int]
    tries: int
    created_at: str
    last_tried_at: str | None
    next_try_at: str | None
    status: int | None
    duration_ms: int | None
    failure: str | None
    answer: str | None


ListAlertDeliveriesData: TypeAlias = list[ListAlertDeliveriesRow]
"""
The requested data.
"""


class ListAlertDeliveriesMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class RedeliverAlertsInput(TypedDict):
    """
    The parameters of redeliverAlerts.
    """

    delivery_id: int


class RedeliverAlertsData(TypedDict):
    """
    The requested data.
    """

    id: int
    channel_id: int
    webhook_id: str
    state: Literal['waiting', 'delivered', 'failed']
    is_test: bool
    digest_id: int | None
    app_id: int | None
    alert_ids: list[int]
    tries: int
    created_at: str
    last_tried_at: str | None
    next_try_at: str | None
    status: int | None
    duration_ms: int | None
    failure: str | None
    answer: str | None


class RedeliverAlertsMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListAlertDigestsInput(TypedDict):
    """
    The parameters of listAlertDigests.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]


class ListAlertDigestsRow(TypedDict):
    id: int
    channel: int
    every: Literal['day', 'week']
    hour: int
    time_zone: str
    app_id: int | None
    next_at: str
    last_due_at: str | None
    created_at: str


ListAlertDigestsData: TypeAlias = list[ListAlertDigestsRow]
"""
The requested data.
"""


class ListAlertDigestsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class CreateAlertDigestInput(TypedDict):
    """
    The parameters of createAlertDigest.
    """

    channel: int
    every: Literal['day', 'week']
    hour: int
    time_zone: str
    app_id: NotRequired[int | None]


class CreateAlertDigestData(TypedDict):
    """
    The requested data.
    """

    id: int
    channel: int
    every: Literal['day', 'week']
    hour: int
    time_zone: str
    app_id: int | None
    next_at: str
    last_due_at: str | None
    created_at: str


class CreateAlertDigestMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class UpdateAlertDigestInput(TypedDict):
    """
    The parameters of updateAlertDigest.
    """

    digest_id: int
    channel: NotRequired[int]
    every: NotRequired[Literal['day', 'week']]
    hour: NotRequired[int]
    time_zone: NotRequired[str]
    app_id: NotRequired[int | None]


class UpdateAlertDigestData(TypedDict):
    """
    The requested data.
    """

    id: int
    channel: int
    every: Literal['day', 'week']
    hour: int
    time_zone: str
    app_id: int | None
    next_at: str
    last_due_at: str | None
    created_at: str


class UpdateAlertDigestMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class DeleteAlertDigestInput(TypedDict):
    """
    The parameters of deleteAlertDigest.
    """

    digest_id: int


class DeleteAlertDigestData(TypedDict):
    """
    The requested data.
    """

    id: int
    already_removed: bool


class DeleteAlertDigestMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class GetTrackedKeywordScoresInput(TypedDict):
    """
    The parameters of getTrackedKeywordScores.
    """

    id: int
    from_: NotRequired[str]
    to: NotRequired[str]


class GetTrackedKeywordScoresDataKei(TypedDict):
    score: float
    level: Literal['excellent', 'good', 'fair', 'poor']
    reason: Literal['no_results', 'unsearched', 'brand', 'few_results'] | None


class GetTrackedKeywordScoresDataDifficultyParts(TypedDict):
    name: str
    meaning: str
    weight: float
    value: float | None
    points: float | None
    max_points: float
    sentence: str


class GetTrackedKeywordScoresDataTrafficParts(TypedDict):
    name: str
    meaning: str
    weight: float
    value: float | None
    points: float | None
    max_points: float
    sentence: str


class GetTrackedKeywordScoresDataInputs(TypedDict):
    name: Literal['result page', 'app details', 'suggestions', 'top chart']
    read_at: str | None
    age_days: int | None
    source: str | None
    note: str


class GetTrackedKeywordScoresDataApps(TypedDict):
    rank: int
    app_id: str
    title: str | None
    ratings: int | None
    rating: float | None
    installs: int | None
    updated_at: str | None
    evidence: float | None


class GetTrackedKeywordScoresDataSuggestions(TypedDict):
    prefix: str
    place: int | None
    size: int


class GetTrackedKeywordScoresDataHistory(TypedDict):
    date: str
    difficulty_score: int | None
    traffic_score: int | None
    kei_score: float | None
    is_partial: bool
    scoring_version: int


GetTrackedKeywordScoresMeta = TypedDict(
    'GetTrackedKeywordScoresMeta',
    {
        'from': str,
        'to': str,
        'warnings': NotRequired[list[str]],
    },
)


class InspectKeywordInput(TypedDict):
    """
    The parameters of inspectKeyword.
    """

    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class InspectKeywordDataKei(TypedDict):
    score: float
    level: Literal['excellent', 'good', 'fair', 'poor']
    reason: Literal['no_results', 'unsearched', 'brand', 'few_results'] | None


class InspectKeywordDataRanking(TypedDict):
    rank: int
    app_id: str
    title: str | None
    icon: str | None
    genre: str | None
    rating: float | None
    ratings: int | None


class InspectKeywordDataRelated(TypedDict):
    keyword: str
    traffic_score: int | None
    difficulty_score: int | None
    scored_at: str | None


class InspectKeywordDataUserTracking(TypedDict):
    app_id: int
    app_title: str | None
    current_rank: int | None
    rank_date: str
    stale: bool
    is_favorite: bool
    tracked_since: str


class InspectKeywordMeta(TypedDict):
    """
    Information about the data.
    """

    warnings: NotRequired[list[Literal['history_save_failed'] | str]]


class GetKeywordScoresInput(TypedDict):
    """
    The parameters of getKeywordScores.
    """

    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    from_: NotRequired[str]
    to: NotRequired[str]


class GetKeywordScoresDataKei(TypedDict):
    score: float
    level: Literal['excellent', 'good', 'fair', 'poor']
    reason: Literal['no_results', 'unsearched', 'brand', 'few_results'] | None


class GetKeywordScoresDataDifficultyParts(TypedDict):
    name: str
    meaning: str
    weight: float
    value: float | None
    points: float | None
    max_points: float
    sentence: str


class GetKeywordScoresDataTrafficParts(TypedDict):
    name: str
    meaning: str
    weight: float
    value: float | None
    points: float | None
    max_points: float
    sentence: str


class GetKeywordScoresDataInputs(TypedDict):
    name: Literal['result page', 'app details', 'suggestions', 'top chart']
    read_at: str | None
    age_days: int | None
    source: str | None
    note: str


class GetKeywordScoresDataApps(TypedDict):
    rank: int
    app_id: str
    title: str | None
    ratings: int | None
    rating: float | None
    installs: int | None
    updated_at: str | None
    evidence: float | None


class GetKeywordScoresDataSuggestions(TypedDict):
    prefix: str
    place: int | None
    size: int


class GetKeywordScoresDataHistory(TypedDict):
    date: str
    difficulty_score: int | None
    traffic_score: int | None
    kei_score: float | None
    is_partial: bool
    scoring_version: int


GetKeywordScoresMeta = TypedDict(
    'GetKeywordScoresMeta',
    {
        'from': str,
        'to': str,
        'warnings': NotRequired[list[str]],
    },
)


class ListInspectionsInput(TypedDict):
    """
    The parameters of listInspections.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]


class ListInspectionsRow(TypedDict):
    id: int
    keyword_name: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    difficulty_score: int | None
    traffic_score: int | None
    is_partial: bool
    last_inspected_at: str
    scored_at: str | None


ListInspectionsData: TypeAlias = list[ListInspectionsRow]
"""
The requested data.
"""


class ListInspectionsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class CreateJobInput(TypedDict):
    """
    The parameters of createJob.
    """

    kind: Literal['track_keywords', 'inspect_keywords']
    app_id: NotRequired[int]
    store: NotRequired[Literal['ITUNES', 'GPLAY']]
    country: NotRequired[str]
    lang: NotRequired[str]
    keywords: list[str]


class CreateJobData(TypedDict):
    """
    The requested data.
    """

    id: int
    kind: Literal['track_keywords', 'inspect_keywords']
    state: Literal['queued', 'running', 'done', 'canceled']
    app_id: int | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    total: int
    done: int
    failed: int
    eta: str | None
    created_at: str
    finished_at: str | None


class CreateJobMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ListJobsInput(TypedDict):
    """
    The parameters of listJobs.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]


class ListJobsRow(TypedDict):
    id: int
    kind: Literal['track_keywords', 'inspect_keywords']
    state: Literal['queued', 'running', 'done', 'canceled']
    app_id: int | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    total: int
    done: int
    failed: int
    eta: str | None
    created_at: str
    finished_at: str | None


ListJobsData: TypeAlias = list[ListJobsRow]
"""
The requested data.
"""


class ListJobsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class GetJobInput(TypedDict):
    """
    The parameters of getJob.
    """

    id: int
    page: NotRequired[int]
    per_page: NotRequired[int]


class GetJobRowError(TypedDict):
    code: str
    message: str


class GetJobRowTracked(TypedDict):
    keyword: str
    success: str
    keyword_id: int
    rank: int | None
    depth: int
    rank_date: str
    stale: bool


class GetJobRowInspectionKei(TypedDict):
    score: float
    level: Literal['excellent', 'good', 'fair', 'poor']
    reason: Literal['no_results', 'unsearched', 'brand', 'few_results'] | None


class GetJobRowInspectionRanking(TypedDict):
    rank: int
    app_id: str
    title: str | None
    icon: str | None
    genre: str | None
    rating: float | None
    ratings: int | None


class GetJobRowInspectionRelated(TypedDict):
    keyword: str
    traffic_score: int | None
    difficulty_score: int | None
    scored_at: str | None


class GetJobMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class CancelJobInput(TypedDict):
    """
    The parameters of cancelJob.
    """

    id: int


class CancelJobData(TypedDict):
    """
    The requested data.
    """

    id: int
    kind: Literal['track_keywords', 'inspect_keywords']
    state: Literal['queued', 'running', 'done', 'canceled']
    app_id: int | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    total: int
    done: int
    failed: int
    eta: str | None
    created_at: str
    finished_at: str | None
    already_ended: bool


class CancelJobMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class RunAutocompleteInput(TypedDict):
    """
    The parameters of runAutocomplete.
    """

    prefix: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class RunAutocompleteData(TypedDict):
    """
    The requested data.
    """

    suggestions: list[str]
    normalized_prefix: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class RunAutocompleteMeta(TypedDict):
    """
    Information about the data.
    """

    warnings: NotRequired[list[Literal['history_save_failed'] | str]]


class ListAutocompletesInput(TypedDict):
    """
    The parameters of listAutocompletes.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]


class ListAutocompletesRow(TypedDict):
    id: int
    prefix: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    suggestion_count: int
    last_queried_at: str


ListAutocompletesData: TypeAlias = list[ListAutocompletesRow]
"""
The requested data.
"""


class ListAutocompletesMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class AnalyzeNicheInput(TypedDict):
    """
    The parameters of analyzeNiche.
    """

    topic: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str


class AnalyzeNicheDataClustersKeywords(TypedDict):
    name: str
    trafficScore: int
    difficultyScore: int
    scoredAt: str | None


class AnalyzeNicheMeta(TypedDict):
    """
    Information about the data.
    """

    cached: bool
    candidates: int
    left_out: int
    unanswered: int
    warnings: NotRequired[
        list[
            Literal[
                'history_save_failed',
                'topic_page_unread',
                'topic_page_short',
                'no_terms_read',
                'no_related_terms',
                'no_searched_terms',
            ]
            | str
        ]
    ]


class ListNichesInput(TypedDict):
    """
    The parameters of listNiches.
    """

    page: NotRequired[int]
    per_page: NotRequired[int]


class ListNichesRow(TypedDict):
    id: int
    topic: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    clusters_count: int
    keywords_count: int
    top_opportunity_score: float | None
    created_at: str
    scored_at: str | None


ListNichesData: TypeAlias = list[ListNichesRow]
"""
The requested data.
"""


class ListNichesMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    warnings: NotRequired[list[str]]


class GetTopChartInput(TypedDict):
    """
    The parameters of getTopChart.
    """

    store: Literal['ITUNES', 'GPLAY']
    country: str
    category: NotRequired[str]
    collection: NotRequired[Literal['free', 'paid', 'grossing']]
    limit: NotRequired[int]


class GetTopChartDataRows(TypedDict):
    rank: int
    app_id: str
    ios_id: int | None
    apple_id: int | None
    title: str | None
    developer: str | None
    icon: str | None
    rating: float | None
    price: float | None
    currency: str | None
    delta: int
    is_new: bool
    rank_date: str
    stale: bool


class GetTopChartMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    read_at: str
    warnings: NotRequired[list[str]]


class ListChartCategoriesInput(TypedDict):
    """
    The parameters of listChartCategories.
    """

    store: NotRequired[Literal['ITUNES', 'GPLAY']]


class ListChartCategoriesDataCategoriesItunes(TypedDict):
    key: str
    label: str


class ListChartCategoriesDataCategoriesGplay(TypedDict):
    key: str
    label: str


class ListChartCategoriesMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class GetAccountUsageDataUsage(TypedDict):
    """
    Current totals, and the usage of this month.
    """

    apps: int
    keywords: int
    competitors: int
    keyword_inspections: int
    niche_analyses: int
    autocomplete_queries: int
    metadata_simulations: int
    api_requests: int


class GetAccountUsageDataLimits(TypedDict):
    """
    What the plan allows.
    """

    apps: int | None
    keywords: int | None
    competitors: int | None
    keyword_inspections_per_month: int | None
    niche_analyses_per_month: int | None
    autocomplete_queries_per_month: int | None
    metadata_simulations_per_month: int | None
    api_requests_per_month: int | None
    historical_data_days: int | None


class GetAccountUsageMeta(TypedDict):
    """
    Absent when there is nothing to warn of.
    """

    warnings: NotRequired[list[str]]


class ErrorBodyDetailsIssues(TypedDict):
    issues: ErrorBodyDetailsIssuesIssues
    notes: list[str]


class ListApplicationsRow(TypedDict):
    id: int
    app_id: str
    title: str | None
    description: str | None
    url: str | None
    icon: str | None
    screenshots: list[str] | None
    developer_name: str | None
    genre: str | None
    version: str | None
    score: float | None
    ratings: int | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    keyword_count: int
    aso_health: ListApplicationsRowAsoHealth | None
    unlisted_since: str | None


ListApplicationsData: TypeAlias = list[ListApplicationsRow]
"""
The requested data.
"""


class TrackApplicationData(TypedDict):
    """
    The requested data.
    """

    id: int
    app: TrackApplicationDataApp


class ListMoversMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: int
    per_page: int
    total_pages: int
    has_more: bool
    up: int
    down: int
    same: int
    entered: int
    left: int
    unread: int
    snapshot_depths: NotRequired[list[ListMoversMetaSnapshotDepths]]
    warnings: NotRequired[list[str]]


class GetRankDistributionData(TypedDict):
    """
    The requested data.
    """

    app_id: int
    app_title: str | None
    history: list[GetRankDistributionDataHistory]


class GetScoreHistoryData(TypedDict):
    """
    The requested data.
    """

    app_id: int
    app_title: str | None
    history: list[GetScoreHistoryDataHistory]


class ListChangesRowEffect(TypedDict):
    days: Literal[7, 14, 28]
    added: ListChangesRowEffectAdded
    removed: ListChangesRowEffectRemoved
    control: ListChangesRowEffectControl
    visibility_before: float | None
    visibility_after: float | None
    other_changes: list[str]


class GetAsoHealthDataReportFieldsWords(TypedDict):
    name: str
    traffic: int | None
    difficulty: int | None
    occurrences: int | None
    relevance: float | None
    relevance_parts: GetAsoHealthDataReportFieldsWordsRelevanceParts | None
    rank: int | None
    gain: float
    counts: float | None
    status: Literal[
        'earning',
        'irrelevant',
        'already-used',
        'not-searched',
        'pending',
        'covered',
        'missing',
        'extra-reach',
    ]
    is_partial: bool
    scored_at: str | None


class GetAsoHealthDataReportTargetingKeywords(TypedDict):
    name: str
    field: str
    traffic: int | None
    difficulty: int | None
    relevance: float | None
    relevance_parts: GetAsoHealthDataReportTargetingKeywordsRelevanceParts | None
    rank: int | None
    gain: float
    listing_gain: float
    credit: float
    won: float
    lost: float
    own_brand: bool
    same_as: str | None
    verdict: Literal['reachable', 'ambitious', 'out-of-reach']
    reason: Literal['rival-brand', 'not-your-business', 'too-hard', 'held'] | None
    is_partial: bool
    scored_at: str | None


class GetAsoHealthDataReportAppeal(TypedDict):
    """
    What makes visitors install the app.
    """

    rating: GetAsoHealthDataReportAppealRating
    screenshots: GetAsoHealthDataReportAppealScreenshots
    freshness: GetAsoHealthDataReportAppealFreshness


class GetAsoHealthDataReportFlags(TypedDict):
    code: str
    axis: Literal['coverage', 'targeting', 'appeal']
    severity: Literal['critical', 'warning', 'info']
    title: str
    impact: str
    fix: str
    evidence: (
        dict[
            str,
            float | str | list[str] | list[GetAsoHealthDataReportFlagsEvidenceValue],
        ]
        | None
    )


class GetAsoHealthDataPendingFieldsWords(TypedDict):
    name: str
    traffic: int | None
    difficulty: int | None
    occurrences: int | None
    relevance: float | None
    relevance_parts: GetAsoHealthDataPendingFieldsWordsRelevanceParts | None
    rank: int | None
    gain: float
    counts: float | None
    status: Literal[
        'earning',
        'irrelevant',
        'already-used',
        'not-searched',
        'pending',
        'covered',
        'missing',
        'extra-reach',
    ]
    is_partial: bool
    scored_at: str | None


class CheckMetadataDataFields(TypedDict):
    field: Literal['title', 'subtitle', 'description', 'kw_field']
    store_field: str
    indexed: bool
    length: int
    limit: int
    remaining: int
    over: bool
    warnings: list[CheckMetadataDataFieldsWarnings]


class SimulateMetadataInput(TypedDict):
    """
    The parameters of simulateMetadata.
    """

    app_id: NotRequired[int]
    store: NotRequired[Literal['ITUNES', 'GPLAY']]
    country: NotRequired[str]
    lang: NotRequired[str]
    title: NotRequired[str]
    subtitle: NotRequired[str]
    description: NotRequired[str]
    kw_field: NotRequired[str]
    context: NotRequired[SimulateMetadataInputContext]
    include_words: NotRequired[bool]


SimulateMetadataDataDeltaBounds = TypedDict(
    'SimulateMetadataDataDeltaBounds',
    {
        'global': SimulateMetadataDataDeltaBoundsGlobal | None,
        'coverage': SimulateMetadataDataDeltaBoundsCoverage | None,
        'targeting': SimulateMetadataDataDeltaBoundsTargeting | None,
    },
)


class SimulateMetadataDataDeltaBasis(TypedDict):
    kw_field: Literal['empty']
    aso_health: SimulateMetadataDataDeltaBasisAsoHealth | None


class SimulateMetadataDataFieldsWords(TypedDict):
    name: str
    traffic: int | None
    difficulty: int | None
    occurrences: int | None
    relevance: float | None
    relevance_parts: SimulateMetadataDataFieldsWordsRelevanceParts | None
    rank: int | None
    gain: float
    counts: float | None
    status: Literal[
        'earning',
        'irrelevant',
        'already-used',
        'not-searched',
        'pending',
        'covered',
        'missing',
        'extra-reach',
    ]
    is_partial: bool
    scored_at: str | None


class SimulateMetadataDataFlags(TypedDict):
    code: str
    axis: Literal['coverage', 'targeting', 'appeal']
    severity: Literal['critical', 'warning', 'info']
    title: str
    impact: str
    fix: str
    evidence: (
        dict[
            str, float | str | list[str] | list[SimulateMetadataDataFlagsEvidenceValue]
        ]
        | None
    )


class ListSimulationsRow(TypedDict):
    id: int
    app_id: int | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    title: str | None
    baseline_global: int | None
    edited: bool
    runs_count: int
    last_run_at: str
    aso_health: ListSimulationsRowAsoHealth | None
    delta_global: int | None
    scoring_version: int


ListSimulationsData: TypeAlias = list[ListSimulationsRow]
"""
The requested data.
"""


GetSimulationDataDeltaBounds = TypedDict(
    'GetSimulationDataDeltaBounds',
    {
        'global': GetSimulationDataDeltaBoundsGlobal | None,
        'coverage': GetSimulationDataDeltaBoundsCoverage | None,
        'targeting': GetSimulationDataDeltaBoundsTargeting | None,
    },
)


class GetSimulationDataDeltaBasis(TypedDict):
    kw_field: Literal['empty']
    aso_health: GetSimulationDataDeltaBasisAsoHealth | None


class GetSimulationDataReportFieldsWords(TypedDict):
    name: str
    traffic: int | None
    difficulty: int | None
    occurrences: int | None
    relevance: float | None
    relevance_parts: GetSimulationDataReportFieldsWordsRelevanceParts | None
    rank: int | None
    gain: float
    counts: float | None
    status: Literal[
        'earning',
        'irrelevant',
        'already-used',
        'not-searched',
        'pending',
        'covered',
        'missing',
        'extra-reach',
    ]
    is_partial: bool
    scored_at: str | None


class GetSimulationDataReportTargetingKeywords(TypedDict):
    name: str
    field: str
    traffic: int | None
    difficulty: int | None
    relevance: float | None
    relevance_parts: GetSimulationDataReportTargetingKeywordsRelevanceParts | None
    rank: int | None
    gain: float
    listing_gain: float
    credit: float
    won: float
    lost: float
    own_brand: bool
    same_as: str | None
    verdict: Literal['reachable', 'ambitious', 'out-of-reach']
    reason: Literal['rival-brand', 'not-your-business', 'too-hard', 'held'] | None
    is_partial: bool
    scored_at: str | None


class GetSimulationDataReportAppeal(TypedDict):
    """
    What makes visitors install the app.
    """

    rating: GetSimulationDataReportAppealRating
    screenshots: GetSimulationDataReportAppealScreenshots
    freshness: GetSimulationDataReportAppealFreshness


class GetSimulationDataReportFlags(TypedDict):
    code: str
    axis: Literal['coverage', 'targeting', 'appeal']
    severity: Literal['critical', 'warning', 'info']
    title: str
    impact: str
    fix: str
    evidence: (
        dict[
            str,
            float | str | list[str] | list[GetSimulationDataReportFlagsEvidenceValue],
        ]
        | None
    )


class ListCompetitorsRow(TypedDict):
    id: int
    app: ListCompetitorsRowApp
    competitor: ListCompetitorsRowCompetitor
    app_score: float | None
    competitor_score: float | None
    snapshot_date: str | None
    rank_date: str | None
    stale: bool


ListCompetitorsData: TypeAlias = list[ListCompetitorsRow]
"""
The requested data.
"""


class TrackCompetitorData(TypedDict):
    """
    The requested data.
    """

    id: int
    competitor: TrackCompetitorDataCompetitor


class ListKeywordsRow(TypedDict):
    keyword_id: int
    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    difficulty_score: int | None
    traffic_score: int | None
    is_partial: bool
    app_id: int
    app_title: str | None
    current_rank: int | None
    ahead: ListKeywordsRowAhead | None
    behind: ListKeywordsRowBehind | None
    ranking: list[ListKeywordsRowRanking]
    snapshot_date: str
    delta: NotRequired[int | None]
    delta_since: NotRequired[str | None]
    rank_date: str
    stale: bool
    scored_at: str | None
    result_count: int
    kei_score: float | None
    is_favorite: bool
    tracked_since: str
    kei_reason: Literal['no_results', 'unsearched', 'brand', 'few_results'] | None


ListKeywordsData: TypeAlias = list[ListKeywordsRow]
"""
The requested data.
"""


class ListKeywordsMeta(TypedDict):
    """
    Information about the data.
    """

    total: int
    page: NotRequired[int]
    per_page: NotRequired[int]
    total_pages: NotRequired[int]
    has_more: bool
    snapshot_depths: NotRequired[list[ListKeywordsMetaSnapshotDepths]]
    warnings: NotRequired[list[str]]


class TrackKeywordsData(TypedDict):
    """
    The requested data.
    """

    results: list[TrackKeywordsDataResultsSuccess | TrackKeywordsDataResultsError]
    success_count: int
    error_count: int


class GetRankHistoryDataApps(TypedDict):
    app_id: int
    app_title: str | None
    history: list[GetRankHistoryDataAppsHistory]


GetRankHistoryMeta = TypedDict(
    'GetRankHistoryMeta',
    {
        'from': str,
        'to': str,
        'total_apps': int,
        'snapshot_depths': NotRequired[list[GetRankHistoryMetaSnapshotDepths]],
        'warnings': NotRequired[list[str]],
    },
)


class ListRankHistoriesRowApps(TypedDict):
    app_id: str
    title: str | None
    is_own: bool
    history: list[ListRankHistoriesRowAppsHistory]


ListRankHistoriesMeta = TypedDict(
    'ListRankHistoriesMeta',
    {
        'total': int,
        'page': int,
        'per_page': int,
        'total_pages': int,
        'has_more': bool,
        'from': str,
        'to': str,
        'snapshot_depths': NotRequired[list[ListRankHistoriesMetaSnapshotDepths]],
        'warnings': NotRequired[list[str]],
    },
)


class ListRankMatrixRow(TypedDict):
    keyword_id: int
    keyword: str
    traffic_score: int | None
    is_partial: bool
    difficulty_score: int | None
    rank_date: str
    stale: bool
    depth: int
    ranks: list[ListRankMatrixRowRanks]


class ListRankMatrixData(TypedDict):
    """
    The requested data.
    """

    apps: list[ListRankMatrixDataApps]
    rows: list[ListRankMatrixRow]


class GetShareOfVoiceDataHistory(TypedDict):
    date: str
    terms: int
    terms_read: int
    apps: list[GetShareOfVoiceDataHistoryApps]


class ListKeywordGapRow(TypedDict):
    keyword: str
    keyword_id: int | None
    traffic_score: int | None
    is_partial: bool
    difficulty_score: int | None
    kei: float | None
    relevance: float | None
    gain: float | None
    own_rank: int | None
    rivals: list[ListKeywordGapRowRivals]
    is_tracked: bool
    rank_date: str
    depth: int
    stale: bool
    value: float | None


ListKeywordGapData: TypeAlias = list[ListKeywordGapRow]
"""
The requested data.
"""


class ListAlertsRowEvidence(TypedDict):
    """
    What the alert rests on.
    """

    days: ListAlertsRowEvidenceDays
    threshold: float | None
    ranks: list[ListAlertsRowEvidenceRanks]
    other_app: ListAlertsRowEvidenceOtherApp | None
    fields: list[ListAlertsRowEvidenceFields]
    is_confirmed: bool | None
    unread_keywords: int | None
    store: Literal['ITUNES', 'GPLAY'] | None
    channel: ListAlertsRowEvidenceChannel | None
    chart: ListAlertsRowEvidenceChart | None


class GetTrackedKeywordScoresData(TypedDict):
    """
    The requested data.
    """

    keyword_id: int
    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    difficulty_score: int | None
    traffic_score: int | None
    is_partial: bool
    kei: GetTrackedKeywordScoresDataKei | None
    is_navigational: bool | None
    is_searched: bool | None
    scoring_version: int
    scored_at: str | None
    rank_date: str | None
    stale: bool
    difficulty_parts: list[GetTrackedKeywordScoresDataDifficultyParts]
    traffic_parts: list[GetTrackedKeywordScoresDataTrafficParts]
    notes: list[str]
    values: dict[str, float]
    inputs: list[GetTrackedKeywordScoresDataInputs]
    apps: list[GetTrackedKeywordScoresDataApps]
    suggestions: list[GetTrackedKeywordScoresDataSuggestions]
    history: list[GetTrackedKeywordScoresDataHistory]


class InspectKeywordData(TypedDict):
    """
    The requested data.
    """

    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    difficulty_score: int | None
    traffic_score: int | None
    is_partial: bool
    kei: InspectKeywordDataKei | None
    is_navigational: bool | None
    is_searched: bool | None
    scored_at: str | None
    rank_date: str
    stale: bool
    result_count: int
    ranking: list[InspectKeywordDataRanking]
    related_keywords: list[str]
    related: list[InspectKeywordDataRelated]
    is_tracked: bool
    user_tracking: list[InspectKeywordDataUserTracking]


class GetKeywordScoresData(TypedDict):
    """
    The requested data.
    """

    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    difficulty_score: int | None
    traffic_score: int | None
    is_partial: bool
    kei: GetKeywordScoresDataKei | None
    is_navigational: bool | None
    is_searched: bool | None
    scoring_version: int
    scored_at: str | None
    rank_date: str | None
    stale: bool
    difficulty_parts: list[GetKeywordScoresDataDifficultyParts]
    traffic_parts: list[GetKeywordScoresDataTrafficParts]
    notes: list[str]
    values: dict[str, float]
    inputs: list[GetKeywordScoresDataInputs]
    apps: list[GetKeywordScoresDataApps]
    suggestions: list[GetKeywordScoresDataSuggestions]
    history: list[GetKeywordScoresDataHistory]


class GetJobRowInspection(TypedDict):
    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    difficulty_score: int | None
    traffic_score: int | None
    is_partial: bool
    kei: GetJobRowInspectionKei | None
    is_navigational: bool | None
    is_searched: bool | None
    scored_at: str | None
    rank_date: str
    stale: bool
    result_count: int
    ranking: list[GetJobRowInspectionRanking]
    related_keywords: list[str]
    related: list[GetJobRowInspectionRelated]


class AnalyzeNicheDataClusters(TypedDict):
    name: str
    appConcept: str
    intentType: Literal[
        'navigational',
        'informational',
        'utility',
        'entertainment',
        'games',
        'learning',
        'social',
        'lifestyle',
        'shopping',
    ]
    opportunityScore: float
    keywords: list[AnalyzeNicheDataClustersKeywords]


class GetTopChartData(TypedDict):
    """
    The requested data.
    """

    store: Literal['ITUNES', 'GPLAY']
    country: str
    category: str
    collection: Literal['free', 'paid', 'grossing']
    snapshot_date: str
    total_count: int
    rows: list[GetTopChartDataRows]


class ListChartCategoriesDataCategories(TypedDict):
    """
    Categories by store.
    """

    ITUNES: NotRequired[list[ListChartCategoriesDataCategoriesItunes]]
    GPLAY: NotRequired[list[ListChartCategoriesDataCategoriesGplay]]


class GetAccountUsageData(TypedDict):
    """
    The requested data.
    """

    plan: str
    usage: GetAccountUsageDataUsage
    limits: GetAccountUsageDataLimits
    export_csv: bool
    export_pdf: bool
    ai_inspections: bool


class ErrorBody(TypedDict):
    error: str
    code: ErrorCode
    details: NotRequired[ErrorBodyDetailsIssues | ErrorBodyDetailsId]
    usage: NotRequired[ErrorBodyUsage]


class ListChangesRow(TypedDict):
    id: str
    app: ListChangesRowApp
    date: str
    version: str | None
    fields: list[ListChangesRowFields]
    screenshots: ListChangesRowScreenshots | None
    icon_changed: bool | None
    rating_before: float | None
    rating_after: float | None
    simulation_id: int | None
    predicted_delta: int | None
    effect: list[ListChangesRowEffect] | None


ListChangesData: TypeAlias = list[ListChangesRow]
"""
The requested data.
"""


class GetAsoHealthDataReportFields(TypedDict):
    key: Literal['title', 'subtitle', 'kw_field', 'description']
    label: str
    hint: str | None
    score: int | None
    state: Literal['scored', 'empty', 'missing']
    length: int | None
    limit: int
    text: str | None
    truncated: bool
    words: NotRequired[list[GetAsoHealthDataReportFieldsWords]]


class GetAsoHealthDataReportTargeting(TypedDict):
    """
    The terms that the listing targets.
    """

    assessable: bool
    reason: Literal['unsearched', 'unread', 'partial'] | None
    won: float
    lost: float
    partial: int
    keywords: list[GetAsoHealthDataReportTargetingKeywords]
    ungraded: int
    unsearched: int
    unsearched_words: list[str]


class GetAsoHealthDataPendingFields(TypedDict):
    key: Literal['title', 'subtitle', 'kw_field', 'description']
    label: str
    hint: str | None
    score: int | None
    state: Literal['scored', 'empty', 'missing']
    length: int | None
    limit: int
    text: str | None
    truncated: bool
    words: NotRequired[list[GetAsoHealthDataPendingFieldsWords]]


class CheckMetadataData(TypedDict):
    """
    The requested data.
    """

    store: Literal['ITUNES', 'GPLAY']
    valid: bool
    fields: list[CheckMetadataDataFields]
    keywords: NotRequired[CheckMetadataDataKeywords]
    notes: list[str]


class SimulateMetadataDataFields(TypedDict):
    key: Literal['title', 'subtitle', 'kw_field', 'description']
    label: str
    hint: str | None
    score: int | None
    state: Literal['scored', 'empty', 'missing']
    length: int | None
    limit: int
    text: str | None
    truncated: bool
    words: list[SimulateMetadataDataFieldsWords]


class GetSimulationDataReportFields(TypedDict):
    key: Literal['title', 'subtitle', 'kw_field', 'description']
    label: str
    hint: str | None
    score: int | None
    state: Literal['scored', 'empty', 'missing']
    length: int | None
    limit: int
    text: str | None
    truncated: bool
    words: list[GetSimulationDataReportFieldsWords] | None


class GetSimulationDataReportTargeting(TypedDict):
    """
    The terms that the listing targets.
    """

    assessable: bool
    reason: Literal['unsearched', 'unread', 'partial'] | None
    won: float
    lost: float
    partial: int
    keywords: list[GetSimulationDataReportTargetingKeywords]
    ungraded: int
    unsearched: int
    unsearched_words: list[str]


class GetRankHistoryData(TypedDict):
    """
    The requested data.
    """

    keyword_id: int
    keyword: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    apps: list[GetRankHistoryDataApps]


class ListRankHistoriesRow(TypedDict):
    keyword_id: int
    keyword: str
    apps: list[ListRankHistoriesRowApps]


class ListRankHistoriesData(TypedDict):
    """
    The requested data.
    """

    app_id: int
    keywords: list[ListRankHistoriesRow]


class GetShareOfVoiceData(TypedDict):
    """
    The requested data.
    """

    app_id: int
    app_title: str | None
    date: str | None
    terms: int
    terms_read: int
    apps: list[GetShareOfVoiceDataApps]
    others: float | None
    basket: list[GetShareOfVoiceDataBasket]
    history: list[GetShareOfVoiceDataHistory]


class ListAlertsRow(TypedDict):
    id: int
    kind: Literal[
        'rank_drop',
        'rank_rise',
        'entered_top',
        'left_top',
        'overtaken',
        'listing_changed',
        'rating_drop',
        'audit_drop',
        'chart_entered',
        'chart_left',
        'store_blocked',
        'store_recovered',
        'keyword_unread',
        'quota_used',
        'channel_off',
    ]
    at: str
    rule_id: int | None
    app: ListAlertsRowApp | None
    keyword_id: int | None
    keyword: str | None
    before: float | None
    after: float | None
    evidence: ListAlertsRowEvidence
    text: str


ListAlertsData: TypeAlias = list[ListAlertsRow]
"""
The requested data.
"""


class GetJobRow(TypedDict):
    keyword: str
    state: Literal['waiting', 'done', 'failed', 'canceled']
    error: GetJobRowError | None
    tracked: GetJobRowTracked | None
    inspection: GetJobRowInspection | None


class GetJobData(TypedDict):
    """
    The requested data.
    """

    id: int
    kind: Literal['track_keywords', 'inspect_keywords']
    state: Literal['queued', 'running', 'done', 'canceled']
    app_id: int | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    total: int
    done: int
    failed: int
    eta: str | None
    created_at: str
    finished_at: str | None
    results: list[GetJobRow]


class AnalyzeNicheData(TypedDict):
    """
    The requested data.
    """

    topic: str
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    totalKeywords: int
    analyzedAt: str
    clusters: list[AnalyzeNicheDataClusters]


class ListChartCategoriesData(TypedDict):
    """
    The requested data.
    """

    collections: list[Literal['free', 'paid', 'grossing']]
    categories: ListChartCategoriesDataCategories


GetAsoHealthDataReport = TypedDict(
    'GetAsoHealthDataReport',
    {
        'global': int,
        'tier': int,
        'tier_label': Literal['Emerging', 'Growing', 'Established'],
        'computed_at': str,
        'axes': list[GetAsoHealthDataReportAxes],
        'fields': list[GetAsoHealthDataReportFields],
        'targeting': GetAsoHealthDataReportTargeting,
        'appeal': GetAsoHealthDataReportAppeal,
        'flags': list[GetAsoHealthDataReportFlags],
    },
)


class GetAsoHealthDataPending(TypedDict):
    words: int | None
    words_read: int | None
    next_look_at: str | None
    fields: list[GetAsoHealthDataPendingFields]


class SimulateMetadataData(TypedDict):
    """
    The requested data.
    """

    app: SimulateMetadataDataApp | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    listing: SimulateMetadataDataListing
    aso_health: SimulateMetadataDataAsoHealth | None
    delta: SimulateMetadataDataDelta | None
    delta_bounds: SimulateMetadataDataDeltaBounds | None
    delta_basis: SimulateMetadataDataDeltaBasis | None
    fields: list[SimulateMetadataDataFields] | None
    flags: list[SimulateMetadataDataFlags]
    scoring_version: int
    words_probed: int
    words_fetched: int
    saved: SimulateMetadataDataSaved
    notes: list[str]


GetSimulationDataReport = TypedDict(
    'GetSimulationDataReport',
    {
        'global': int,
        'tier': int,
        'tier_label': Literal['Emerging', 'Growing', 'Established'],
        'computed_at': str,
        'axes': list[GetSimulationDataReportAxes],
        'fields': list[GetSimulationDataReportFields],
        'targeting': GetSimulationDataReportTargeting,
        'appeal': GetSimulationDataReportAppeal,
        'flags': list[GetSimulationDataReportFlags],
    },
)


class GetAsoHealthData(TypedDict):
    """
    The requested data.
    """

    app: GetAsoHealthDataApp
    report: GetAsoHealthDataReport | None
    global_without_kw_field: int | None
    pending: GetAsoHealthDataPending | None
    timeline: list[GetAsoHealthDataTimeline]


class GetSimulationData(TypedDict):
    """
    The requested data.
    """

    id: int
    app_id: int | None
    store: Literal['ITUNES', 'GPLAY']
    country: str
    lang: str
    title: str | None
    baseline_global: int | None
    edited: bool
    runs_count: int
    last_run_at: str
    listing: GetSimulationDataListing
    kw_field_known: bool
    context: GetSimulationDataContext
    aso_health: GetSimulationDataAsoHealth | None
    delta: GetSimulationDataDelta | None
    delta_bounds: GetSimulationDataDeltaBounds | None
    delta_basis: GetSimulationDataDeltaBasis | None
    scoring_version: int
    words_probed: int
    report: GetSimulationDataReport | None
