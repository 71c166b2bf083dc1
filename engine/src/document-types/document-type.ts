import type { Severity } from '../findings/finding.js';

/** A section that a template expects (domain D.1). */
export interface TemplateSection {
  readonly key: string;
  readonly heading: { readonly en: string; readonly de: string };
  /** Other headings that mean the same, English and German. */
  readonly synonyms: readonly string[];
  readonly need: 'required' | 'conditional' | 'optional';
  /** What makes a conditional section required, for a person. */
  readonly condition?: string;
  /** Id of the same condition in `data/conditions.yaml`. */
  readonly conditionId?: string;
  readonly severity: Severity;
  /** Safety-critical content: an empty section keeps its severity (▲ in domain D.4). */
  readonly critical: boolean;
  /** Fewer words of prose than this are thin; 15 where absent. */
  readonly minWords?: number;
  /** Content may stand in another document that the section names with id and version. */
  readonly acceptsByReference?: boolean;
}

export interface TemplateColumn {
  readonly key: string;
  /** Titles that mean this column, English and German. */
  readonly names: readonly string[];
  /** Titles that mean it only where they are the whole title: options of tools. */
  readonly wholeNames?: readonly string[];
  /** Every row has a value. */
  readonly required: boolean;
  /** A table of the kind may do without the column. */
  readonly mayBeAbsent?: true;
  /** `<table>.<column>` of the same template that it says as well. */
  readonly sameAs?: string;
}

export interface TemplateTable {
  readonly key: string;
  readonly title: string;
  readonly columns: readonly TemplateColumn[];
  readonly minRows: number;
}

/** A kind of work product with its template (domain D.4). */
export interface DocumentType {
  /** `hara`, `functional_safety_concept`, … */
  readonly id: string;
  readonly name: { readonly en: string; readonly de: string };
  /** Titles and file-name hints, English and German. */
  readonly aliases: readonly string[];
  /** Titles of whole documents only: in others they are those of sections ("Technical safety requirements"). */
  readonly titles?: readonly string[];
  /** Its documents are about a document of another type, which their titles may name too: tests, reviews. */
  readonly isAboutOthers?: true;
  readonly sections: readonly TemplateSection[];
  readonly tables: readonly TemplateTable[];
  /** Type-specific rules against false alarms, for a person and for the completeness engine. */
  readonly traps: readonly string[];
}
