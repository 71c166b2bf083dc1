import type { AnalysisType } from '../runs/analysis-type.js';
import type { RowOf } from './archive-rows.schemas.js';

/** The series of a run, as the services of the types name it: what it is compared with. */
export const seriesOf = (type: AnalysisType, about: string | null): string =>
  about === null ? type : `${type}:${about}`;

/** What a run is about, where its type is about something. */
export const aboutOf = (run: RowOf<'runs'>): string | null =>
  run.type === 'gap_analysis' ? run.standard_id : run.type === 'checklist' ? run.checklist_id : null;
