import type { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import type { Language } from '../../platform/http/language.js';
import type { AnalysisRow } from './analyses.repository.js';
import type { AnalysisType } from './analysis-type.js';

/** What `GET /analysis/analyses/{id}` shows of a type beside what all have: fields of their own, read apart. */
export interface AnalysisView {
  readonly type: AnalysisType;
  /** Name of the shape in the API description. */
  readonly name: string;
  /** The fields; `read` answers them. */
  readonly fields: z.ZodRawShape;
  read(
    row: AnalysisRow,
    context: {
      read<Row>(statement: Statement): Promise<Row[]>;
      readonly caller: { readonly userId: string };
      /** Of the sentences. */
      readonly language: Language;
    },
  ): Promise<Readonly<Record<string, unknown>>>;
  /** What it says of one thing after the other, for pages of them; a type without it has a single result. */
  readonly results?: AnalysisResults;
}

/** The items of a field of the run, a page at a time. */
export interface AnalysisResults {
  readonly item: z.ZodType;
  /** What `verdict` may be. */
  readonly verdicts: readonly string[];
  /** `ordinal` and, where there are verdicts, `verdict` of all results of a run. */
  listed(analysisId: string): Statement;
  /** The result at an ordinal, as a user may read it. */
  details(analysisId: string, at: { readonly ordinal: Statement; readonly userId: string }): Statement;
  /** A row of `details` as the API names it. */
  toItem(row: unknown, language: Language): unknown;
}
