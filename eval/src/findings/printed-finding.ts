import type { Confidence } from '@normtrace/engine';

/** A finding as the command line prints it, of whatever engine. */
export interface PrintedFinding {
  /** `gap 26262-3`, `completeness`, `checklist`, `trace`, `remark`. */
  readonly engine: string;
  readonly kind: string;
  readonly criterion: string;
  readonly severity: string;
  /** Remarks have none. */
  readonly confidence?: Confidence;
  readonly title: string;
  readonly observed: string;
  readonly quotes: readonly { readonly document: string; readonly quote: string }[];
  /** Remarks are shown, but counted nowhere. */
  readonly counted: boolean;
  /** Of a cause that several artifacts have: what would be said of each of them. */
  readonly parts?: readonly PrintedFinding[];
}

/** What all engines say about one set of documents. */
export interface EngineResults {
  readonly findings: readonly PrintedFinding[];
  /** By standard, and `completeness`. */
  readonly scores: ReadonlyMap<string, number>;
  /** Verdicts of criteria and answers to items, by `<engine> <id>`. */
  readonly verdicts: ReadonlyMap<string, JudgedCriterion>;
}

export interface JudgedCriterion {
  readonly verdict: string;
  readonly confidence: string;
  /** Quotes that speak for it. */
  readonly support: readonly string[];
}

/**
 * What makes two findings of two runs the same one: engine, kind, criterion, title and observation, without the quotes, names of
 * files and numbers of passages in them.
 */
export function identityOf({ engine, kind, criterion, title, observed }: PrintedFinding): string {
  const isItem = engine === 'checklist';
  const said = isItem ? title.replaceAll(/; not .*?(?=\. |\.$)/g, '') : withoutQuotes(observed);
  return [engine, kind, criterion, isItem ? said : title, said.replaceAll(/\s+/g, ' ').slice(0, 300)].join(
    '\n',
  );
}

function withoutQuotes(text: string): string {
  return text
    .replaceAll(
      /“[^”]*”|\(?\d+ passages\)?|Searched \d+ documents|\([^)]*\)|"[^"]*\.(?:docx|xlsx|pdf|md)"/g,
      '',
    )
    .replaceAll(/"\d+(?:\.\d+)* /g, '"');
}
