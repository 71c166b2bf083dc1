/** What a run does, and so what its result looks like. */
export const ANALYSIS_TYPES = ['gap_analysis', 'completeness', 'checklist', 'traceability'] as const;
export type AnalysisType = (typeof ANALYSIS_TYPES)[number];
