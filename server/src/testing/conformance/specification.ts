/**
 * The API as it was specified before the service was built, as rows that a test can walk: what has to be there, by
 * the section of the specification that demands it. What the specification leaves open is not here; the API
 * description (`server/openapi.json`) says how it was decided.
 */

/** Type of a field as it is answered. */
export type FieldType =
  | 'uuid'
  | 'string'
  | 'timestamp'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'url'
  | 'array'
  | 'strings'
  | 'headers'
  | 'object'
  | 'string or null';

export interface RecordRow {
  readonly section: string;
  readonly fields: Readonly<Record<string, FieldType>>;
}

const row = (section: string, fields: RecordRow['fields']): RecordRow => ({ section, fields });

/** Everything that is answered with named fields. */
export const RECORDS = {
  profile: row('User profile', {
    id: 'uuid',
    email: 'string',
    name: 'string',
    organization: 'string',
    role: 'string',
    created_at: 'timestamp',
    last_login: 'timestamp',
    subscription_status: 'string',
    subscription_plan: 'string or null',
  }),
  workspace: row('Workspace', {
    id: 'uuid',
    name: 'string',
    description: 'string',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  }),
  standard: row('Standard', {
    id: 'uuid',
    workspace_id: 'uuid',
    name: 'string',
    version: 'string',
    category: 'string',
    description: 'string',
    attested: 'boolean',
    processing_status: 'string',
    created_at: 'timestamp',
  }),
  workProduct: row('Work product', {
    id: 'uuid',
    workspace_id: 'uuid',
    name: 'string',
    original_filename: 'string',
    file_url: 'url',
    file_size: 'integer',
    file_type: 'string',
    category: 'string',
    uploaded_at: 'timestamp',
    processing_status: 'string',
    compliance_score: 'number',
    tags: 'strings',
  }),
  standardUpload: row('Upload session', { upload_id: 'uuid', upload_url: 'url', headers: 'headers' }),
  workProductUpload: row('Upload session', { upload_id: 'uuid', upload_url: 'url', headers: 'headers' }),
  traceLink: row('Traceability link', {
    workspace_id: 'uuid',
    source_id: 'string',
    target_id: 'string',
    link_type: 'string',
  }),
  listedGap: row('Traceability gap', {
    requirement_id: 'string',
    gap_type: 'string',
    severity: 'string',
    description: 'string',
  }),
  analysedGap: row('Traceability gap', {
    artifact_id: 'string',
    gap_type: 'string',
    severity: 'string',
    description: 'string',
    suggested_action: 'string',
  }),
  persistedGap: row('Persisted compliance gap', {
    severity: 'string',
    status: 'string',
    recommendations: 'array',
  }),
  analysis: row('Other records', { type: 'string', status: 'string' }),
  analysisResults: row('Analysis', { gaps: 'array', recommendations: 'array' }),
  listEnvelope: row('List envelope', {
    items: 'array',
    total: 'integer',
    page: 'integer',
    limit: 'integer',
    next_cursor: 'string or null',
  }),
  syncResult: row('Auth', {
    success: 'boolean',
    message: 'string',
    user_id: 'uuid',
    email: 'string',
    subscription_migrated: 'boolean',
    subscription_plan: 'string',
  }),
  accessToken: row('Auth', { access_token: 'string', token_type: 'string', expires_in: 'integer' }),
  matrix: row('Traceability', { matrix: 'array', gaps: 'integer', coverage: 'number' }),
  matrixRow: row('Traceability', {
    requirement_id: 'string',
    requirement_text: 'string',
    upstream_links: 'array',
    downstream_links: 'array',
    status: 'string',
  }),
  matrixLink: row('Traceability', { artifact_id: 'string', artifact_name: 'string', link_type: 'string' }),
  gapList: row('Traceability', { gaps: 'array', total_gaps: 'integer' }),
  traceCompleteness: row('Traceability', {
    workspace_id: 'uuid',
    total_artifacts: 'integer',
    total_links: 'integer',
    upstream_completeness: 'number',
    downstream_completeness: 'number',
    verification_completeness: 'number',
    evidence_completeness: 'number',
    overall_completeness: 'number',
    gaps: 'array',
  }),
  traceAnalysis: row('Traceability', {
    workspace_id: 'uuid',
    analyzed_at: 'timestamp',
    gaps: 'array',
    summary: 'object',
    severity_counts: 'object',
    total_gaps: 'integer',
    total_artifacts: 'integer',
    total_links: 'integer',
    completeness_percentage: 'number',
  }),
  gapTypeCounts: row('Traceability', {
    orphan_upstream: 'integer',
    orphan_downstream: 'integer',
    missing_verification: 'integer',
    missing_evidence: 'integer',
    broken_chain: 'integer',
    asil_inconsistency: 'integer',
  }),
  severityCounts: row('Traceability', {
    critical: 'integer',
    high: 'integer',
    medium: 'integer',
    low: 'integer',
  }),
  unauthenticated: row('Errors', { error: 'object' }),
  unauthenticatedError: row('Errors', {
    code: 'string',
    message: 'string',
    details: 'object',
    timestamp: 'timestamp',
    request_id: 'string',
  }),
  unauthenticatedDetails: row('Errors', { reason: 'string' }),
  paymentRequired: row('Errors', { detail: 'string' }),
} as const satisfies Readonly<Record<string, RecordRow>>;

export type RecordName = keyof typeof RECORDS;

export interface EnumRow {
  readonly section: string;
  readonly values: readonly string[];
}

/** Closed lists of words. */
export const ENUMS = {
  role: { section: 'User profile', values: ['admin', 'engineer', 'manager', 'viewer'] },
  subscriptionStatus: { section: 'User profile', values: ['active', 'inactive'] },
  plan: { section: 'User profile', values: ['free', 'pro', 'consultant'] },
  severity: { section: 'Traceability gap', values: ['critical', 'high', 'medium', 'low'] },
  gapStatus: {
    section: 'Persisted compliance gap',
    values: ['open', 'in_progress', 'resolved', 'accepted'],
  },
  linkType: {
    section: 'Traceability link',
    values: [
      'derives_from',
      'satisfies',
      'allocated_to',
      'decomposes_to',
      'implemented_by',
      'verified_by',
      'evidenced_by',
    ],
  },
  gapType: {
    section: 'Traceability gap',
    values: [
      'orphan_upstream',
      'orphan_downstream',
      'missing_verification',
      'missing_evidence',
      'broken_chain',
      'asil_inconsistency',
    ],
  },
  itemVerdict: { section: 'What the service does', values: ['pass', 'fail', 'missing', 'NA'] },
  exportFormat: { section: 'What the service does', values: ['html', 'csv', 'json'] },
  paymentEvent: {
    section: 'Events',
    values: ['checkout.session.completed', 'customer.subscription.deleted'],
  },
} as const satisfies Readonly<Record<string, EnumRow>>;

/** A word of the list of trace gaps alone: a requirement without a test case. */
export const LISTED_GAP_TYPE = 'missing_downstream';

export interface EndpointRow {
  /** Method and path below `/api/v1`, as the specification writes it. */
  readonly endpoint: string;
  readonly section: string;
  /** Names of query parameters, fields of the body or of the form. */
  readonly takes?: readonly string[];
  /** What it answers, where that is specified. */
  readonly answers?: RecordName;
  /** Without a token. */
  readonly open?: true;
}

const PAGE = ['cursor', 'limit', 'search'];
const FILE = ['filename', 'size', 'content_type'];
const endpoints = (
  section: string,
  rows: readonly (readonly [string, Omit<EndpointRow, 'endpoint' | 'section'>?])[],
) => rows.map(([endpoint, more = {}]): EndpointRow => ({ endpoint, section, ...more }));

export const ENDPOINTS: readonly EndpointRow[] = [
  ...endpoints('Auth', [
    ['GET /auth/me', { answers: 'profile' }],
    ['POST /auth/sync', { takes: ['id', 'email', 'name'], answers: 'syncResult' }],
    ['POST /auth/refresh', { answers: 'accessToken' }],
  ]),
  ...endpoints('Payments', [
    ['POST /payments/create-checkout-session', { open: true }],
    ['GET /payments/session-info/{session_id}', { open: true }],
    ['POST /payments/webhook', { open: true }],
  ]),
  ...endpoints('Workspaces', [
    ['GET /workspaces', { answers: 'listEnvelope' }],
    ['POST /workspaces', { takes: ['name', 'description'], answers: 'workspace' }],
    ['GET /workspaces/{id}', { answers: 'workspace' }],
    ['PATCH /workspaces/{id}', { takes: ['name', 'description'], answers: 'workspace' }],
    ['DELETE /workspaces/{id}'],
  ]),
  ...endpoints('Standards', [
    ['GET /standards/common'],
    ['GET /standards', { takes: [...PAGE, 'category'], answers: 'listEnvelope' }],
    [
      'POST /standards',
      { takes: ['workspace_id', 'name', 'version', 'description', 'category'], answers: 'standard' },
    ],
    ['GET /standards/{id}', { answers: 'standard' }],
    ['DELETE /standards/{id}'],
    ['PATCH /standards/{id}/attest', { answers: 'standard' }],
    ['POST /standards/{id}/uploads/init', { takes: FILE, answers: 'standardUpload' }],
    ['POST /standards/{id}/uploads/{upload_id}/complete'],
  ]),
  ...endpoints('Work products', [
    ['GET /work-products', { takes: [...PAGE, 'type'], answers: 'listEnvelope' }],
    ['GET /work-products/{id}', { answers: 'workProduct' }],
    ['PATCH /work-products/{id}', { answers: 'workProduct' }],
    ['DELETE /work-products/{id}'],
    ['POST /work-products/uploads/init', { takes: [...FILE, 'workspace_id'], answers: 'workProductUpload' }],
    ['POST /work-products/uploads/{file_id}/complete'],
  ]),
  ...endpoints('Upload sequence', [['PUT {upload_url}', { open: true }]]),
  ...endpoints('Analysis', [
    ['GET /analysis/overview'],
    ['GET /analysis/standards/{id}/drilldown'],
    ['POST /analysis/gaps', { answers: 'analysis' }],
    ['GET /analysis/evidence'],
    ['GET /analysis/analyses', { answers: 'listEnvelope' }],
    ['GET /analysis/analyses/{id}', { answers: 'analysisResults' }],
    ['GET /analysis/gaps', { answers: 'listEnvelope' }],
    ['PATCH /analysis/gaps/{gap_id}', { takes: ['status'], answers: 'persistedGap' }],
  ]),
  ...endpoints('Compliance', [
    ['POST /compliance/completeness', { answers: 'analysis' }],
    ['POST /compliance/checklist', { answers: 'analysis' }],
  ]),
  ...endpoints('Reports', [
    ['GET /reports', { answers: 'listEnvelope' }],
    ['POST /reports'],
    ['GET /reports/{id}'],
    ['DELETE /reports/{id}'],
    ['GET /reports/{id}/download'],
  ]),
  ...endpoints('Export', [
    ['GET /export/gap-analysis'],
    ['GET /export/checklist'],
    ['GET /export/completeness'],
  ]),
  ...endpoints('Traceability', [
    ['GET /traceability/matrix', { takes: ['workspace_id', 'standard_id'], answers: 'matrix' }],
    ['GET /traceability/gaps', { takes: ['workspace_id'], answers: 'gapList' }],
    ['GET /traceability/completeness', { takes: ['workspace_id'], answers: 'traceCompleteness' }],
    ['GET /traceability/analyze', { takes: ['workspace_id'], answers: 'traceAnalysis' }],
    ['GET /traceability/links', { answers: 'listEnvelope' }],
    [
      'POST /traceability/links',
      { takes: ['workspace_id', 'source_id', 'target_id', 'link_type'], answers: 'traceLink' },
    ],
  ]),
  ...endpoints('Health', [['GET /health', { open: true }]]),
];

/** What is said in sentences; each has a test of its own in `conformance.test.ts`, by this name. */
export const STATEMENTS = {
  'every list begins with twenty items': 'Limits',
  'an access token lives for thirty minutes': 'Limits',
  'an analysis may run for thirty minutes': 'Limits',
  'the rate limit is on and refuses what is beyond it': 'Limits',
  'all groups sit under the prefix of the version': 'Versioning',
  'the documentation is served': 'Versioning',
  'a standard counts as owned through the attestation alone': 'Standard',
  'a file travels to the address and with the headers of its session': 'Upload sequence',
  'a gap takes every status': 'Persisted gap status',
  'a new profile is inactive': 'Subscription status of a profile',
  'the first sync of an inactive profile activates the free plan': 'Subscription status of a profile',
  'a sync of an active profile changes nothing': 'Subscription status of a profile',
  'a payment before the sign-up is claimed by the sync': 'Subscription status of a profile',
  'a gated operation is refused without a subscription and opened by one': 'Subscription gating',
  'a payment event without the right signature is refused': 'Authentication',
  'a payment event changes the subscription': 'Events',
  'progress reaches the client while the analysis runs': 'Events',
  'results are kept': 'What the service does',
  'origins that are not allowed get no access': 'Authentication',
  'workspaces of others are out of reach': 'Authentication',
  'the database knows four roles': 'User profile',
  'a refused token is told with its code, reason and request': 'Errors',
  'a row of the matrix that has everything is complete': 'Traceability',
  'requirements without a test case are listed': 'Traceability gap',
  'missing verification at ASIL D is critical': 'Traceability gap',
} as const;

/** Other words that the specification names; the tests of the statements speak of them. */
export const NAMES = {
  settings: [
    'ACCESS_TOKEN_EXPIRE_MINUTES',
    'ALLOWED_ORIGINS',
    'PAYMENT_WEBHOOK_SECRET',
    'RATE_LIMIT_PER_MINUTE',
    'RATE_LIMIT_BURST',
  ],
  headers: ['Authorization', 'Payment-Signature'],
  pages: ['/docs', '/redoc'],
  prefix: ['/api/v1', '{base_url}'],
  tables: ['pending_subscriptions'],
  processingStatus: ['completed'],
  matrixStatus: ['complete'],
  tokenType: ['bearer'],
  refusalCode: ['AUTHENTICATION_ERROR'],
} as const;
