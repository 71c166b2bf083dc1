import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  detectDocumentTypes,
  type Extraction,
  examineTraceability,
  extractArtifacts,
  loadDocumentTypes,
  loadTraceabilityRules,
  readDocument,
  type SourceDocument,
  type TraceabilityAnalysis,
  takeApart,
} from '@normtrace/engine';

/** Some files, read and traced together. */
export interface TracedSet {
  readonly documents: readonly SourceDocument[];
  readonly extraction: Extraction;
  readonly analysis: TraceabilityAnalysis;
  /** Files that could not be read, with the reason. */
  readonly unread: readonly string[];
}

/** Paths of the files below a folder whose names fit, in their order. */
export function filesBelow(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Reads files below a folder as the command line does, and examines their trace. */
export async function traceFiles(folder: string, pattern: RegExp): Promise<TracedSet> {
  const types = [...(await loadDocumentTypes()).values()];
  const documents: SourceDocument[] = [];
  const unread: string[] = [];
  for (const path of filesBelow(folder, pattern)) {
    const id = relative(folder, path);
    try {
      const document = await readDocument(readFileSync(path), { fileName: id });
      const parts = detectDocumentTypes({ fileName: id, read: takeApart(id, document) }, types);
      const documentType = parts.find((part) => part.whole)?.typeId;
      documents.push({ id, document, ...(documentType === undefined ? {} : { documentType }) });
    } catch (error) {
      unread.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const extraction = extractArtifacts(documents);
  const { analysis } = examineTraceability({ ...extraction, rules: await loadTraceabilityRules() });
  return { documents, extraction, analysis, unread };
}
