import type { DocumentFormat } from './document.js';
import type { FormatEntry, FormatMark } from './format-entry.js';
import * as registered from './formats/registry.js';

/** A way in which files show that they are of a format. */
export interface Recognised<Mark extends FormatMark = FormatMark> {
  readonly format: DocumentFormat;
  readonly entry: FormatEntry;
  readonly mark: Mark;
}

export const FORMATS: Readonly<Record<DocumentFormat, FormatEntry>> = registered;

const ALL: readonly Recognised[] = Object.entries(FORMATS).flatMap(([name, entry]) =>
  entry.marks.map((mark) => ({ format: name as DocumentFormat, entry, mark })),
);

/** The marks of one kind, of all formats. */
export const marksOf = <Kind extends FormatMark['kind']>(
  kind: Kind,
): readonly Recognised<Extract<FormatMark, { kind: Kind }>>[] =>
  ALL.filter((one): one is Recognised<Extract<FormatMark, { kind: Kind }>> => one.mark.kind === kind);

/** The ending of a file name, in small letters without the dot; empty where there is none. */
export const endingOf = (fileName: string): string =>
  /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';

/** All endings of a format. */
export const endingsOf = ({ endings, furtherEndings = [] }: FormatEntry): readonly string[] => [
  ...endings,
  ...furtherEndings,
];

/** What a file of each format is called and announced as, for whoever chooses files. */
export const READABLE_FORMATS: readonly {
  readonly format: DocumentFormat;
  readonly label: FormatEntry['label'];
  /** With those of ZIP files that are one document, in small letters without the dot. */
  readonly endings: readonly string[];
  /** The first is the usual one. */
  readonly mediaTypes: readonly string[];
}[] = Object.entries(FORMATS).map(([name, entry]) => ({
  format: name as DocumentFormat,
  label: entry.label,
  endings: [
    ...new Set([
      ...endingsOf(entry),
      ...entry.marks.flatMap((mark) => (mark.kind === 'exchange' ? [mark.ending] : [])),
    ]),
  ],
  mediaTypes: [...new Set(entry.marks.flatMap(({ mediaTypes }) => mediaTypes))],
}));
