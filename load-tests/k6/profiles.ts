import type { Options, Scenario } from 'k6/options';

/**
 * The shapes of load, in one place for all systems. Rates are calls a second; `capacity` is what the system can carry, as
 * `breakpoint` finds it.
 */
export const profileNames = ['smoke', 'average', 'stress', 'spike', 'soak', 'breakpoint', 'limits'] as const;
export type ProfileName = (typeof profileNames)[number];

export const profileTexts: Readonly<Record<ProfileName, string>> = {
  smoke: 'four users, every route: does everything work? (2 minutes)',
  average: 'half of the capacity (5 minutes)',
  stress: 'up to 110 % of the capacity, and on it (8 minutes)',
  spike: 'a fifth of the capacity, ten times as much within 10 s, and a fifth again (6 minutes)',
  soak: 'half of the capacity for long: memory (30 minutes)',
  breakpoint: 'more and more, until answers fail or take long (up to 10 minutes)',
  limits: 'keys at the edge of their windows and of their quota (2 minutes)',
};

/** What a profile is made of. */
export type Load = {
  profile: ProfileName;
  /** calls a second; at its end for `breakpoint` */
  capacity: number;
  /** on average, as measured before */
  callsPerVisit: number;
  /** replaces the length of `average` and `soak` */
  minutes?: number;
  /** the keys of `limits`, by their edges; those without a key are left out */
  edgeKeys: Partial<Record<Edge, string>>;
};

/** The limits of a key: 5 calls in any second, 59 in any minute, and a quota of so many a month. */
export const edges = ['second', 'minute', 'quota'] as const;
export type Edge = (typeof edges)[number];
export const windowLimits = { second: { ms: 1000, most: 5 }, minute: { ms: 60_000, most: 59 } } as const;
export const edgeQuota = 20;

/** The name under which k6 reports the calls at an edge. */
export function edgeRoute(edge: Edge): string {
  return `at the edge of a ${edge}`;
}

/** A part of a run with a rate of its own, in seconds from its beginning; `rate` is reached at its end, in calls a second. */
type Stage = { seconds: number; rate: number };

/** The first one begins with its own rate. Not for smoke and limits, which have no rate. */
export function toStages({ profile, capacity, minutes }: Omit<Load, 'edgeKeys'>): Stage[] {
  const half = capacity / 2;
  const steady = (rate: number, length: number) => ({ rate, seconds: 60 * (minutes ?? length) });
  switch (profile) {
    case 'average':
      return [steady(half, 5)];
    case 'soak':
      return [steady(half, 30)];
    case 'stress':
      return [
        { rate: half, seconds: 60 },
        { rate: 1.1 * capacity, seconds: 240 },
        { rate: 1.1 * capacity, seconds: 180 },
      ];
    case 'spike':
      return [
        { rate: capacity / 5, seconds: spikeBeginsAt },
        { rate: 2 * capacity, seconds: 10 },
        { rate: 2 * capacity, seconds: spikeEndsAt - spikeBeginsAt - 20 },
        { rate: capacity / 5, seconds: 10 },
        { rate: capacity / 5, seconds: 180 },
      ];
    case 'breakpoint':
      return [
        { rate: capacity / 10, seconds: 30 },
        { rate: capacity, seconds: 570 },
      ];
    case 'smoke':
    case 'limits':
      return [];
  }
}

/** Whether a profile has the same rate all the time. */
export function isSteady(profile: ProfileName): boolean {
  return profile === 'average' || profile === 'soak';
}

/** In seconds from the beginning: when the rate of `spike` rises, and when it has fallen again. */
export const spikeBeginsAt = 120;
export const spikeEndsAt = 160;

/** Calls that may ask a store or a receiver, or analyze much: their times say little about the API itself. */
const slowRoutes =
  /^(POST \/(keywords|applications|competitors|metadata\/simulate|alerts\/channels\/{id}\/test|alerts\/deliveries\/{id}\/redeliver)|GET \/(niches|keywords\/inspect|autocomplete|top-charts))$/;

export function isSlowRoute(route: string): boolean {
  return slowRoutes.test(route);
}

/** The options of k6 for a profile. */
export function toOptions(load: Load): Options {
  return {
    scenarios: toScenarios(load),
    thresholds: load.profile === 'limits' ? edgeThresholds(edgesOf(load)) : thresholds[load.profile],
    summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
    systemTags: ['status', 'name'],
  };
}

function toScenarios(load: Load): Record<string, Scenario> {
  if (load.profile === 'smoke') {
    const once = { vus: 4, iterations: 1, maxDuration: '5m' };
    return { visits: { executor: 'per-vu-iterations', exec: 'visit', ...once } };
  }
  if (load.profile === 'limits')
    return Object.fromEntries(edgesOf(load).map((edge) => [edge, edgeScenarios[edge]]));
  const stages = toStages(load);
  // k6 counts in whole numbers.
  const perMinute = (rate: number) => Math.max(1, Math.round((60 * rate) / load.callsPerVisit));
  const most = Math.max(...stages.map(({ rate }) => rate)) / load.callsPerVisit;
  return {
    visits: {
      executor: 'ramping-arrival-rate',
      exec: 'visit',
      timeUnit: '1m',
      startRate: perMinute(stages[0]?.rate ?? 0),
      stages: stages.map(({ rate, seconds }) => ({ target: perMinute(rate), duration: `${seconds}s` })),
      // As many as are needed when each call takes 1.5 s: k6 makes further ones too slowly for a spike, and drops visits.
      preAllocatedVUs: Math.ceil(most * 30) + 5,
      maxVUs: Math.ceil(most * 60) + 50,
      gracefulStop: '60s',
    },
  };
}

function edgesOf({ edgeKeys }: Load): Edge[] {
  return edges.filter((edge) => edgeKeys[edge] !== undefined);
}

const edgeScenarios: Readonly<Record<Edge, Scenario>> = {
  second: {
    executor: 'constant-arrival-rate',
    exec: 'askForSecond',
    rate: 11,
    timeUnit: '2s',
    duration: '8s',
    preAllocatedVUs: 10,
  },
  minute: {
    executor: 'constant-arrival-rate',
    exec: 'askForMinute',
    rate: 61,
    timeUnit: '1m',
    duration: '2m',
    preAllocatedVUs: 5,
  },
  quota: {
    executor: 'constant-arrival-rate',
    exec: 'askForQuota',
    rate: 50,
    timeUnit: '1m',
    duration: '1m',
    preAllocatedVUs: 5,
  },
};

type Thresholds = NonNullable<Options['thresholds']>;

/** Every answer is the expected one, and arrivals are never late: an open loop whose callers wait is none. */
const noFailure: Thresholds = {
  failed: ['rate<0.001'],
  'failures{code:RATE_LIMITED}': ['count==0'],
  dropped_iterations: ['count==0'],
};
/** Overload may be answered with 429 and 503, but with nothing else. */
const onlyRefusals: Thresholds = { broken: ['count==0'], dropped_iterations: ['count==0'] };

const thresholds: Readonly<Record<Exclude<ProfileName, 'limits'>, Thresholds>> = {
  // Four users, one visit each: one that ends early has an answer that is not expected.
  smoke: { failed: ['rate==0'], whole_visits: ['count==4'] },
  average: { ...noFailure, 'http_req_duration{kind:stored}': ['p(95)<50', 'p(99)<100'] },
  soak: { ...noFailure, 'http_req_duration{kind:stored}': ['p(95)<50', 'p(99)<100'] },
  stress: { ...onlyRefusals },
  spike: { ...onlyRefusals },
  breakpoint: {
    broken: ['count==0'],
    failed: [{ threshold: 'rate<0.05', abortOnFail: true, delayAbortEval: '30s' }],
    'http_req_duration{kind:stored}': [{ threshold: 'p(95)<1000', abortOnFail: true, delayAbortEval: '30s' }],
  },
};

/**
 * How many calls are admitted in all. Five of six calls in a second that come at equal distances, and all but two or three of the 61
 * in each minute; a few fewer when calls are late. That no window admits too many is another goal, from the times of the calls.
 */
const admittedAt: Readonly<Record<Edge, string[]>> = {
  second: ['count>=35'],
  minute: ['count>=115'],
  quota: [`count==${edgeQuota}`],
};

function edgeThresholds(present: readonly Edge[]): Thresholds {
  return Object.fromEntries(
    present.flatMap((edge) => [
      [`admitted{edge:${edge}}`, admittedAt[edge]],
      [`wrong{edge:${edge}}`, ['count==0']],
    ]),
  );
}

/** Whether a profile runs only until this metric crosses its threshold, which then is no goal. */
export function endsRun(profile: ProfileName, metric: string): boolean {
  if (profile === 'limits') return false;
  return thresholds[profile][metric]?.some((one) => typeof one === 'object') ?? false;
}
