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
}
