import { readFileSync } from 'node:fs';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import type { AnalysisScope, Corpus } from '../corpus/corpus.js';
import { fieldOf } from '../corpus/metadata-fields.js';
import type { DocumentStatus } from '../documents/document-status.js';
import { saidBy } from '../documents/reading-notes.js';
import { english } from '../sentences/render.js';
import type { Sentence } from '../sentences/sentence.js';
import { worded } from '../sentences/worded.js';

const DISCLAIMER = 'Indicative analysis – not a confirmation measure, audit, assessment or certification.';

const PACKAGE: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Name and version of the engine, from its package. */
export function engineVersion(): { readonly name: string; readonly version: string } {
  return { name: PACKAGE.name, version: PACKAGE.version };
}

/** What every engine tells of how its result came about. */
export interface RunMethod {
  readonly engine: { readonly name: string; readonly version: string };
  readonly mode: 'rules' | 'ai';
  readonly scope: AnalysisScope;
  /** Answers of a person, sorted by condition. */
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly today?: string;
  /** So many statements were not told, because a quote of theirs did not stand in its document: a defect of the engine. */
  readonly withheld?: number;
  readonly disclaimer: string;
}

/**
 * Everything that made a result what it is; no times, so that the same input gives the same bytes.
 * @param about What was asked: a standard, a checklist.
 * @param basis What it rests on: documents, templates, a model.
 */
export function methodOf<About extends object, Basis extends object>(
  {
    scope = {},
    options: { conditions = {}, today } = {},
    model,
  }: {
    readonly scope?: AnalysisScope;
    /** Asked beside the rules. */
    readonly model?: object;
    readonly options?: { readonly conditions?: RunMethod['conditions']; readonly today?: string };
  },
  about: About,
  basis: Basis,
): RunMethod & About & Basis {
  return {
    engine: engineVersion(),
    mode: model ? 'ai' : 'rules',
    ...about,
    scope,
    conditions: Object.fromEntries(Object.entries(conditions).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(today === undefined ? {} : { today }),
    ...basis,
    disclaimer: DISCLAIMER,
  };
}

/** What a document says about itself. */
export interface DocumentFields {
  readonly version?: string;
  readonly date?: string;
  readonly status?: string;
}

export interface DocumentStatement {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly language: string;
  readonly status: DocumentStatus;
  /** Version, date and status as the document itself states them. */
  readonly stated?: DocumentFields;
  /** What it was taken for, with the grounds. */
  readonly types: readonly {
    readonly type: string;
    readonly part: 'document' | 'section';
    readonly confidence: string;
    readonly reasons: readonly string[];
  }[];
  /** Why it was not used as evidence, if it was not. */
  readonly setAside?: string;
  /** What the reader had to say: pages without text, tracked changes. */
  readonly notes: readonly string[];
  readonly said: { readonly notes: readonly Sentence[] };
}

const STATED = ['version', 'date', 'status'] as const;

/** What a document says about itself: version, date and status, as far as it does. */
export function statedFields(corpus: Corpus, documentId: string): { readonly stated?: DocumentFields } {
  const found = STATED.flatMap((key) => {
    const { state, value } = fieldOf(corpus, key, documentId);
    return state === 'present' && value !== undefined ? [[key, value.replace(/\s+/g, ' ')]] : [];
  });
  return found.length === 0 ? {} : { stated: Object.fromEntries(found) as DocumentFields };
}

/** What each document was taken for, with the grounds. */
export function documentStatements(
  corpus: Corpus,
  documents: readonly AnalysedDocument[],
): readonly DocumentStatement[] {
  return corpus.documents.map((document, at) => {
    const given = documents[at]!;
    return {
      id: document.id,
      name: document.name,
      version: document.version,
      sha256: given.sha256,
      language: given.document.language,
      status: document.status,
      ...statedFields(corpus, document.id),
      types: document.parts.map((part) => ({
        type: part.typeId,
        part: part.whole ? 'document' : 'section',
        confidence: part.confidence,
        reasons: part.reasons.map(english),
      })),
      ...(document.setAside === undefined ? {} : { setAside: document.setAside }),
      ...worded({ notes: saidBy(given.document.notes) }),
    };
  });
}
