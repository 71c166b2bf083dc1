/**
 * Everything that is measured, by the name that the code uses. Labels take names of operations, kinds of jobs and
 * outcomes only: never ids, names of people or files, so that the number of series stays bounded.
 */
export const COUNTERS = {
  requests: {
    name: 'normtrace_requests_total',
    help: 'Requests answered, by operation of the API and status. `page`: no operation; `unknown`: no such address.',
    labels: ['operation', 'status'],
  },
  jobs: {
    name: 'normtrace_jobs_total',
    help: 'Attempts at jobs, by kind and outcome: done, failed, stopped (at shutdown, or taken by another worker).',
    labels: ['job', 'outcome'],
  },
  storageErrors: {
    name: 'normtrace_storage_errors_total',
    help: 'Calls to the storage of objects that failed, by what was asked.',
    labels: ['action'],
  },
} as const;

/** Seconds that something took; `buckets` are upper bounds in seconds. */
export const DURATIONS = {
  requests: {
    name: 'normtrace_request_duration_seconds',
    help: 'Seconds from the arrival of a request to the end of its answer, by operation. Without event streams.',
    labels: ['operation'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  jobs: {
    name: 'normtrace_job_duration_seconds',
    help: 'Seconds of one attempt at a job, by kind.',
    labels: ['job'],
    buckets: [0.05, 0.25, 1, 5, 15, 60, 300, 900, 1800],
  },
} as const;

/** What is the case at the moment when somebody asks. */
export const STATES = {
  queueJobs: {
    name: 'normtrace_queue_jobs',
    help: 'Jobs in the queue of the whole installation, by kind and state: waiting, running, later (not due yet).',
    labels: ['job', 'state'],
  },
  queueOldest: {
    name: 'normtrace_queue_oldest_seconds',
    help: 'Seconds that the oldest waiting job of the whole installation has waited, by kind. 0: none waits.',
    labels: ['job'],
  },
  eventStreams: {
    name: 'normtrace_event_streams',
    help: 'Event streams that are open in this process.',
    labels: [],
  },
  objectsMissing: {
    name: 'normtrace_objects_missing',
    help: 'Objects that rows of the database name and that the storage did not have at the last comparison (hourly).',
    labels: [],
  },
  connections: {
    name: 'normtrace_database_connections',
    help: 'Connections of this process, by pool and state: busy, idle; waiting are those who wait for one.',
    labels: ['pool', 'state'],
  },
  connectionsMost: {
    name: 'normtrace_database_connections_most',
    help: 'Connections that this process opens at most, by pool.',
    labels: ['pool'],
  },
  engineTasks: {
    name: 'normtrace_engine_tasks',
    help: 'Tasks of the engine in this process, by pool of processes and state: running (a busy process each), waiting.',
    labels: ['pool', 'state'],
  },
} as const;

type Labels<Metric extends { readonly labels: readonly string[] }> = Readonly<
  Record<Metric['labels'][number], string>
>;

/** One value of a state. */
export type Reading = {
  readonly [Name in keyof typeof STATES]: {
    readonly state: Name;
    readonly labels: Labels<(typeof STATES)[Name]>;
    readonly value: number;
  };
}[keyof typeof STATES];

/**
 * Where what is measured goes. Who measures takes it as an argument that may be absent: without `METRICS_PORT` nothing
 * is measured.
 */
export interface Metrics {
  count<Name extends keyof typeof COUNTERS>(counter: Name, labels: Labels<(typeof COUNTERS)[Name]>): void;
  time<Name extends keyof typeof DURATIONS>(
    duration: Name,
    seconds: number,
    labels: Labels<(typeof DURATIONS)[Name]>,
  ): void;
  /** Reads whenever somebody asks for the metrics. What cannot be read at the moment is left out. */
  watch(read: () => readonly Reading[] | Promise<readonly Reading[]>): void;
}
