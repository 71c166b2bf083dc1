import type { Artifact } from './artifact.js';
import { linkStatements } from './link-statements.js';
import { collectNotes } from './notes.js';
import { readStatements } from './read-statements.js';
import { referenceIndex } from './references.js';
import { compareDefinitions, settleIds } from './scopes.js';
import type {
  ExtractedArtifact,
  ExtractedLink,
  ExtractionNote,
  SourceDocument,
  Statement,
  Statements,
} from './statement.js';

/** Artifacts and links of documents as they are. */
export interface Extraction {
  /** In reading order; the same id twice is one artifact stated in two places. */
  readonly artifacts: readonly ExtractedArtifact[];
  readonly links: readonly ExtractedLink[];
  /** At most a hundred of each kind. */
  readonly notes: readonly ExtractionNote[];
  readonly noteCounts: Readonly<Partial<Record<ExtractionNote['code'], number>>>;
}

/**
 * Takes artifacts and links out of documents (domain E.7, E.8): first everything that defines an id, then what refers
 * to it. Any document gives a result; linear in the text. Integrity levels, results and types are as written or as
 * `inferType` tells; an id that nothing defines stays the end of a link.
 */
export function extractArtifacts(documents: readonly SourceDocument[]): Extraction {
  return artifactsOf(readStatements(documents));
}

/** Pass 2 on what pass 1 has collected. */
export function artifactsOf(all: Statements): Extraction {
  const notes = collectNotes(all.documents);
  const scoped = settleIds(all.statements, notes);
  settleMentions(all.statements);
  const index = referenceIndex(all.statements, { scoped, notes });
  const links = linkStatements(all, { index, notes });
  compareDefinitions(all.statements, notes);
  const artifacts = all.statements.flatMap((statement) => artifactsOfStatement(statement, all));
  links.push(...linksToResults(all));
  return { artifacts, links, notes: notes.listed, noteCounts: notes.counts };
}

/**
 * What is said about an artifact where it is not defined belongs to its definition; where nothing defines it, the
 * first mention with a text does. One type for all statements of an id.
 */
function settleMentions(statements: readonly Statement[]): void {
  const definitions = new Map<string, Statement>();
  for (const statement of statements) {
    const known = definitions.get(statement.id);
    if (statement.kind === 'definition' && (!known || known.type === 'unknown')) {
      if (known && statement.type === 'unknown') continue;
      definitions.set(statement.id, statement);
    }
  }
  for (const statement of statements) {
    if (statement.kind === 'definition') continue;
    const definition = definitions.get(statement.id);
    if (!definition) {
      // A matrix of ids defines nothing: an id without any text that nothing defines is missing.
      if (statement.text === '' && statement.name === undefined && statement.asil === undefined) continue;
      statement.kind = 'definition';
      definitions.set(statement.id, statement);
      continue;
    }
    if (statement.status !== undefined) definition.status ??= statement.status;
    if (statement.method !== undefined) definition.method ??= statement.method;
    if (statement.result !== undefined) definition.result ??= statement.result;
    if (statement.ratings) definition.ratings ??= statement.ratings;
    if (definition.asil === undefined && statement.asil !== undefined) {
      definition.asil = statement.asil;
      if (statement.asilPlace) definition.asilPlace = statement.asilPlace;
    }
  }
  for (const statement of statements) {
    const definition = definitions.get(statement.id);
    if (definition && definition.type !== 'unknown') statement.type = definition.type;
  }
}

/** Tests that carry their result have it as a piece of evidence of its own. */
const resultId = (statement: Statement) => `${statement.id} result`;

function isTestWithResult(statement: Statement): boolean {
  return statement.type === 'test' && statement.result !== undefined;
}

function artifactsOfStatement(statement: Statement, { documents }: Statements): ExtractedArtifact[] {
  if (statement.kind === 'mention') return [];
  const source = documents[statement.document]!;
  const { id, type, text, name, version, status, asil, cal, risk, ratings, informational, external } =
    statement;
  const place = {
    documentId: source.id,
    ...(source.documentType === undefined ? {} : { documentType: source.documentType }),
    location: statement.location,
    start: statement.start,
    end: statement.end,
  };
  const own: ExtractedArtifact = {
    id,
    type,
    text: text === '' ? (name ?? '') : text,
    ...place,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(status === undefined ? {} : { status }),
    ...(asil === undefined ? {} : { asil }),
    ...(statement.asilPlace ? { asilPlace: statement.asilPlace } : {}),
    ...(cal === undefined ? {} : { cal }),
    ...(risk === undefined ? {} : { risk }),
    ...(ratings ? { ratings } : {}),
    ...(informational ? { informational } : {}),
    ...(external ? { external } : {}),
    ...(statement.method === undefined ? {} : { verificationMethod: statement.method }),
    ...(type === 'evidence' ? evidenceOf(statement, source) : {}),
  };
  if (!isTestWithResult(statement)) return [own];
  return [
    own,
    { id: resultId(statement), type: 'evidence', text, ...place, ...evidenceOf(statement, source) },
  ];
}

function evidenceOf(
  { result, configuration, id }: Statement,
  { document }: SourceDocument,
): Pick<Artifact, 'result' | 'configuration' | 'kind'> {
  const isResult = result !== undefined || document.format === 'junit';
  return {
    ...(result === undefined ? {} : { result }),
    ...(configuration === undefined ? {} : { configuration }),
    ...(isResult ? { kind: 'test_result' } : /^DFA(?![a-z])/.test(id) ? { kind: 'dfa' } : {}),
  };
}

function linksToResults({ documents, statements }: Statements): ExtractedLink[] {
  return statements.flatMap((statement): ExtractedLink[] => {
    if (statement.kind !== 'definition' || !isTestWithResult(statement)) return [];
    const { document, location, start, end } = statement;
    const documentId = documents[document]!.id;
    const targetId = resultId(statement);
    return [{ sourceId: statement.id, targetId, type: 'evidenced_by', documentId, location, start, end }];
  });
}
