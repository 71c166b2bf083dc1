import { hasHiddenText, unhiddenDocument } from '../../documents/hidden-text.js';
import { say } from '../../sentences/sentence.js';
import type { Artifact } from './artifact.js';
import { withHidden } from './hidden-artifacts.js';
import { joinStatements, type Statements } from './join-statements.js';
import { linkStatements } from './link-statements.js';
import { collectNotes } from './notes.js';
import { readStatements } from './read-statements.js';
import { referenceIndex } from './references.js';
import { compareDefinitions, settleIds } from './scopes.js';
import { settleTypes } from './settle-types.js';
import type {
  DocumentStatements,
  ExtractedArtifact,
  Extraction,
  SettledStatement,
  SourceDocument,
  StatementSource,
} from './statement.js';

/** What one document says about ids (pass 1), as it can be kept: plain data, the same for the same document and type. */
export interface ReadStatements {
  readonly seen: DocumentStatements;
  /** What it says with its hidden text; absent where nothing is hidden. */
  readonly whole?: DocumentStatements;
}

/**
 * Takes artifacts and links out of documents (domain E.7, E.8): first everything that defines an id, then what refers
 * to it. Any document gives a result; linear in the text. Integrity levels, results and types are as written or as
 * `inferType` tells; an id that nothing defines stays the end of a link. Artifacts that stand in hidden text only are
 * kept, and told; links that stand there are told, and do not count.
 */
export const extractArtifacts = (documents: readonly SourceDocument[]): Extraction =>
  joinDocuments(documents.map(readDocumentStatements));

/** Pass 1 of `extractArtifacts`, for one document. */
export function readDocumentStatements(source: SourceDocument): ReadStatements {
  const seen = readStatements(source);
  if (!hasHiddenText(source.document)) return { seen };
  const { read: _, document, ...one } = source;
  return { seen, whole: readStatements({ ...one, document: unhiddenDocument(document) }) };
}

/**
 * Pass 2 of `extractArtifacts`, over all documents in their order. What was read stays as it is; of documents that make it when it is
 * asked for no more than one is there at a time.
 */
export function joinDocuments(documents: readonly ReadStatements[]): Extraction {
  let isWhole = true;
  const seen = artifactsOf(
    each(documents, (one) => {
      const { seen, whole } = one;
      if (whole) isWhole = false;
      return seen;
    }),
  );
  if (isWhole) return seen;
  return withHidden(seen, artifactsOf(each(documents, ({ seen, whole }) => whole ?? seen)));
}

function* each<Value, Result>(values: readonly Value[], of: (value: Value) => Result): Iterable<Result> {
  for (const value of values) yield of(value);
}

/** The artifacts and links of what was read (pass 2): ids under one spelling, mentions, then what refers to them. */
export function artifactsOf(read: Iterable<DocumentStatements>): Extraction {
  const joined = joinStatements(read);
  const byOthers = settleTypes(joined.statements);
  const all = { ...joined, statements: withoutTentative(joined.statements) };
  const notes = collectNotes(all.documents);
  const settled = settleIds(all.statements, notes);
  settleMentions(all.statements, settled.repeated);
  const { artifacts, results } = artifactsFrom(all);
  const index = referenceIndex(all.statements, { ...settled, notes });
  const { links, ends, elements, byTexts } = linkStatements(all, {
    index,
    notes,
    firstElement: artifacts.length,
  });
  for (const element of elements) artifacts.push(artifactOf(element, all.documents[element.document]!));
  if (settled.repeated) compareDefinitions(all.statements, notes);
  for (const demand of all.demands)
    notes.add('demand_without_id', say('trace.note.demand_without_id'), demand);
  for (const position of results) {
    const { id: sourceId, documentId, location, start, end } = artifacts[position]!;
    ends.add(position, position + 1);
    const targetId = artifacts[position + 1]!.id;
    links.push({ sourceId, targetId, type: 'evidenced_by', documentId, location, start, end });
  }
  return {
    artifacts,
    links,
    ends: ends.whole(),
    notes: notes.listed,
    noteCounts: notes.counts,
    weighed:
      byTexts || byOthers || settled.scoped.size > 0 ? undefined : settled.repeated ? comparedIn(all) : [],
  };
}

/** Without ids by their form alone that nothing tells to be any. */
const withoutTentative = (statements: readonly SettledStatement[]): readonly SettledStatement[] =>
  statements.some(({ tentative }) => tentative)
    ? statements.filter(({ tentative, type }) => !tentative || type !== 'unknown')
    : statements;

/** Documents that define an id which is defined more than once. */
function comparedIn({ statements, documents }: Statements): readonly string[] {
  const first = new Map<string, SettledStatement>();
  const compared = new Set<number>();
  for (const statement of statements) {
    if (statement.kind !== 'definition') continue;
    const known = first.get(statement.id);
    if (known) compared.add(known.document).add(statement.document);
    else first.set(statement.id, statement);
  }
  return [...compared].map((document) => documents[document]!.id);
}

/** One artifact for each definition, and one after each test that carries its result; `results` are those tests. */
function artifactsFrom({ statements, documents }: Statements): {
  readonly artifacts: ExtractedArtifact[];
  readonly results: number[];
} {
  const artifacts: ExtractedArtifact[] = [];
  const results: number[] = [];
  for (const statement of statements) {
    if (statement.kind === 'mention') continue;
    const source = documents[statement.document]!;
    const artifact = artifactOf(statement, source);
    statement.position = artifacts.length;
    artifacts.push(artifact);
    if (statement.type !== 'test' || statement.result === undefined) continue;
    results.push(statement.position);
    artifacts.push(resultOf(statement, { artifact, source }));
  }
  return { artifacts, results };
}

/**
 * What is said about an artifact where it is not defined belongs to its definition; where nothing defines it, the
 * first mention with a text does. One type for all statements of an id.
 */
function settleMentions(statements: readonly SettledStatement[], repeated: boolean): void {
  if (!repeated && statements.every((statement) => statement.kind === 'definition')) return;
  const definitions = new Map<string, SettledStatement>();
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
      // A matrix of ids defines nothing: an id without any text that nothing defines is missing. A test that was run is
      // there, though, where nothing but the report of it is at hand.
      const isExecuted = statement.type === 'test' && statement.result !== undefined;
      const says = statement.text !== '' || statement.name !== undefined || statement.asil !== undefined;
      if (!says && !isExecuted) continue;
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

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

function artifactOf(statement: SettledStatement, source: StatementSource): ExtractedArtifact {
  const { type, text, name } = statement;
  const own: Writable<ExtractedArtifact> = {
    id: statement.id,
    type,
    text: text === '' ? (name ?? '') : text,
    documentId: source.id,
    location: statement.location,
    start: statement.start,
    end: statement.end,
  };
  // Written one by one: copying objects is what takes the time in large exports.
  if (source.documentType !== undefined) own.documentType = source.documentType;
  if (name !== undefined) own.name = name;
  if (statement.version !== undefined) own.version = statement.version;
  if (statement.status !== undefined) own.status = statement.status;
  if (statement.asil !== undefined) own.asil = statement.asil;
  if (statement.asilPlace !== undefined) own.asilPlace = statement.asilPlace;
  if (statement.cal !== undefined) own.cal = statement.cal;
  if (statement.risk !== undefined) own.risk = statement.risk;
  if (statement.ratings !== undefined) own.ratings = statement.ratings;
  if (statement.informational) own.informational = true;
  if (statement.external) own.external = true;
  if (statement.method !== undefined) own.verificationMethod = statement.method;
  if (statement.needs !== undefined) own.needs = statement.needs;
  if (type === 'evidence') Object.assign(own, evidenceOf(statement, source));
  return own;
}

/** A test that carries its result has it as a piece of evidence of its own. */
function resultOf(
  statement: SettledStatement,
  { artifact, source }: { readonly artifact: ExtractedArtifact; readonly source: StatementSource },
): ExtractedArtifact {
  const { id, documentId, location, start, end } = artifact;
  return {
    id: `${id} result`,
    type: 'evidence',
    text: statement.text,
    documentId,
    location,
    start,
    end,
    ...evidenceOf(statement, source),
  };
}

function evidenceOf(
  { result, configuration, id }: SettledStatement,
  { format }: StatementSource,
): Pick<Artifact, 'result' | 'configuration' | 'kind'> {
  const isResult = result !== undefined || format === 'junit';
  return {
    ...(result === undefined ? {} : { result }),
    ...(configuration === undefined ? {} : { configuration }),
    ...(isResult ? { kind: 'test_result' } : /^DFA(?![a-z])/.test(id) ? { kind: 'dfa' } : {}),
  };
}
