import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type AnalysisScope,
  makeReport,
  type RenderOptions,
  type Report,
  type ReportFormat,
  type ReportLanguage,
  renderReport,
  selectFindings,
  type WantedFindings,
  withoutStandardWords,
} from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { tellProgress } from '../engine/run-news.js';
import { RENDERING_SHARES } from './rendering-stages.js';
import { documentsOf, partsOf } from './report-parts.js';
import type { PartRows } from './report-rows.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

export interface RenderReportInput {
  readonly format: ReportFormat;
  readonly options: RenderOptions;
  /** What was read from the database, or a model that was made of it before. */
  readonly source:
    | {
        readonly kind: 'rows';
        readonly title: string;
        readonly language: ReportLanguage;
        readonly workspace: string;
        readonly author: string;
        /** ISO 8601. */
        readonly createdAt: string;
        readonly scope: AnalysisScope;
        /** What whoever makes it says on the cover, and what is printed. */
        readonly stated?: Pick<Report, 'mark' | 'cover' | 'chapters'>;
        readonly wanted?: WantedFindings;
        readonly parts: readonly PartRows[];
      }
    | { readonly kind: 'model'; readonly packed: Uint8Array };
  /** Leaves the words of these uploaded standards out and says this instead. */
  readonly without?: { readonly standardIds: readonly string[]; readonly instead: string };
  readonly copyFor?: Report['copyFor'];
  /** Gives the model back too, for renditions to come. */
  readonly keepModel?: boolean;
}

export interface RenderedReport {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly sha256: string;
  readonly contentHash: string;
  readonly toolVersion: string;
  readonly model?: Uint8Array;
}

/** Renders a report: all of it runs in a process of its own, so that thousands of findings block nobody. */
export const renderReportTask: EngineTask<RenderReportInput, RenderedReport> = {
  name: 'renderReport',
  processorSeconds: 900,
  work: async ({ format, options, source, without, copyFor, keepModel }, context) => {
    const { signal } = context;
    const tell = tellProgress(context, RENDERING_SHARES);
    const whole = source.kind === 'rows' ? await fromRows(source) : await fromModel(source.packed);
    signal.throwIfAborted();
    tell('composing', 1, 1);
    const model = without
      ? withoutStandardWords(
          whole,
          without.instead,
          ({ standard }) => standard?.source === 'uploaded' && without.standardIds.includes(standard.id),
        )
      : whole;
    const report = copyFor ? { ...model, copyFor } : model;
    const chunks: Uint8Array[] = [];
    const hash = createHash('sha256');
    for await (const chunk of renderReport(report, format, {
      ...options,
      onProgress: (written, total) => tell('writing', written, total),
    })) {
      signal.throwIfAborted();
      hash.update(chunk);
      chunks.push(chunk);
    }
    tell('writing', 1, 1);
    const bytes = joined(chunks);
    const packed = keepModel ? new Uint8Array(await pack(JSON.stringify(model), { level: 4 })) : undefined;
    return {
      result: {
        bytes,
        sha256: hash.digest('hex'),
        contentHash: report.contentHash,
        toolVersion: report.tool.version,
        ...(packed ? { model: packed } : {}),
      },
    };
  },
};

async function fromRows(source: Extract<RenderReportInput['source'], { kind: 'rows' }>): Promise<Report> {
  const { title, language, workspace, author, createdAt, scope, parts, stated = {}, wanted = {} } = source;
  const selected = selectFindings(await partsOf(parts, language), wanted);
  return makeReport({
    title,
    language,
    workspace,
    author,
    createdAt,
    scope,
    ...stated,
    documents: documentsOf(parts, language),
    ...selected,
  });
}

async function fromModel(packed: Uint8Array): Promise<Report> {
  return JSON.parse((await unpack(packed)).toString()) as Report;
}

/** One buffer. */
function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
