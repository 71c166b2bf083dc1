import { z } from 'zod';
import { bareHeading } from '../corpus/passages/headings.js';
import type { Section } from '../corpus/passages/outline.js';
import { type ReadDocument, takeApart } from '../corpus/passages/passages-of.js';
import { roleOfHeading } from '../corpus/passages/section-roles.js';
import type { Table } from '../corpus/passages/tables.js';
import type { DocumentType, TemplateSection, TemplateTable } from '../document-types/document-type.js';
import type { Document } from '../documents/document.js';
import { normaliseText } from '../text/normalise.js';
import { readWords } from '../words/read-words.js';
import { TemplateError } from './template-error.js';

const schema = z.strictObject({
  optional: z.string(),
  optionalMark: z.string(),
  field: z.string(),
  templateMark: z.string(),
  optionalColumn: z.string(),
});
const words = () => readWords('template-learning', schema);
const says = (pattern: string, text: string) => new RegExp(pattern, 'iu').test(text);

export interface LearnOptions {
  /** Of the new type; made from its name where absent. */
  readonly id?: string;
  /** What such documents are called; the title of the document where absent. */
  readonly name?: string;
  /** File name of the template; names the type where the document has no title. */
  readonly fileName?: string;
}

const LONGEST_KEY = 40;
const FEWEST_COLUMNS = 2;

/**
 * Learns a template from an empty template document: its headings become sections, its tables with titled columns
 * required tables. What a template says of itself (contents, history, glossary, references) is no section. All
 * sections are required and of medium severity, since a form does not say what matters; a person corrects it in the
 * YAML that `printTemplate` writes. Throws `TemplateError` where nothing can be learnt.
 */
export function learnTemplate(document: Document, options: LearnOptions = {}): DocumentType {
  const read = takeApart('template', document);
  const title = titleOf(read);
  const name = options.name ?? title?.name ?? nameOfFile(options.fileName) ?? '';
  if (name.length < 3) {
    throw new TemplateError(
      'The template has no title and no name was given.',
      'Give a name, or put a title first.',
    );
  }
  const all = sectionsOf(read, title?.position);
  // The title once more, on a cover or as a sheet whose name is cut, is a section only where there is no other.
  const isTitle = ({ heading }: TemplateSection) => normaliseText(name).startsWith(normaliseText(heading.en));
  const others = all.filter((section) => !isTitle(section));
  const sections = others.length > 0 ? others : all;
  if (sections.length === 0) {
    throw new TemplateError(
      'The document has no headings from which sections could be learnt.',
      'Use headings (styles "Heading 1" and so on, or # in Markdown), or write the template as YAML.',
    );
  }
  const fromFile = nameOfFile(options.fileName);
  const aliases = [name, ...(fromFile && fromFile.toLowerCase() !== name.toLowerCase() ? [fromFile] : [])];
  return {
    id: options.id ?? keyOf(name, new Set()),
    name: { en: name, de: name },
    aliases,
    sections,
    tables: tablesOf(read),
    traps: [],
  };
}

/** A first heading above all others is the title of the document. */
function titleOf({ sections }: ReadDocument): { name: string; position?: number } | undefined {
  const [first] = sections;
  if (!first) return undefined;
  const level = Math.min(...sections.map((section) => section.level));
  const tops = sections.filter((section) => section.level === level);
  const isTitle =
    first.level === level && (tops.length === 1 || !/^\s*\d/.test(first.title)) && isAbove(first, sections);
  const name = cleaned(first.title);
  return isTitle && name.length >= 3 ? { name, position: 0 } : undefined;
}

/** It holds all other headings, or nothing before the next one of its level. */
function isAbove(first: Section, sections: readonly Section[]): boolean {
  return (
    sections.every((section) => section === first || section.start > first.start) &&
    first.end >= (sections.at(-1)?.start ?? 0)
  );
}

function cleaned(title: string): string {
  const { optionalMark, templateMark, field } = words();
  const bare = bareHeading(title.replace(new RegExp(optionalMark, 'giu'), ' '))
    .replace(new RegExp(templateMark, 'iu'), '')
    .trim();
  return says(field, bare) ? '' : bare;
}

function nameOfFile(fileName: string | undefined): string | undefined {
  const stem = fileName
    ?.replace(/^.*[\\/]/, '')
    .replace(/\.[^.]{1,8}$/, '')
    .replace(/^\d+[-_ .]+/, '')
    .replace(/[_]+/g, ' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const name = stem === undefined ? '' : cleaned(stem);
  return name.length >= 3 ? name : undefined;
}

function sectionsOf(read: ReadDocument, title: number | undefined): readonly TemplateSection[] {
  const keys = new Set<string>();
  const names = new Set<string>();
  return read.sections.flatMap((section, position): TemplateSection[] => {
    const heading = cleaned(section.title);
    const isBeside = isBesideContent(read, position);
    // The same heading under several parents is asked for once.
    if (position === title || heading.length < 3 || isBeside || names.has(heading.toLowerCase())) return [];
    names.add(heading.toLowerCase());
    const { optionalMark, optional } = words();
    const first = read.passages
      .slice(section.start, section.ownEnd)
      .find((passage) => passage.text.trim() !== '');
    const isOptional =
      says(optionalMark, section.title) ||
      (first !== undefined && says(`^[\\s[(<{]*(?:${optional})`, first.text));
    return [
      {
        key: keyOf(heading, keys),
        heading: { en: heading, de: heading },
        synonyms: [],
        need: isOptional ? 'optional' : 'required',
        severity: 'medium',
        critical: false,
      },
    ];
  });
}

/** A list of contents, a history and the like, or below one. */
function isBesideContent({ sections }: ReadDocument, position: number): boolean {
  for (
    let at: number | undefined = position, depth = 0;
    at !== undefined;
    at = sections[at]!.parent, depth++
  ) {
    const role = roleOfHeading(sections[at]!.title);
    if (role && role.role !== 'scope' && (depth === 0 || role.subtree)) return true;
  }
  return false;
}

/** Tables with titled columns; covers, histories and pick lists are none. */
function tablesOf(read: ReadDocument): readonly TemplateTable[] {
  const keys = new Set<string>();
  const seen = new Set<string>();
  return read.tables.flatMap((table): TemplateTable[] => {
    const first = table.headerBlocks[0];
    const titled = table.columns.filter((title) => title !== undefined && cleaned(title).length >= 1);
    if (first === undefined || titled.length < FEWEST_COLUMNS) return [];
    if (read.passages[first]!.role !== 'body' && read.passages[first]!.role !== 'scope') return [];
    const same = titled.map((title) => normaliseText(title!)).join('|');
    if (seen.has(same)) return [];
    seen.add(same);
    const title = captionOf(read, first) ?? headingOf(read, first) ?? titled.join(', ');
    return [{ key: keyOf(title, keys), title, columns: columnsOf(table), minRows: 1 }];
  });
}

function columnsOf(table: Table): TemplateTable['columns'] {
  const keys = new Set<string>();
  const names = new Set<string>();
  return table.columns.flatMap((title) => {
    const name = title === undefined ? '' : cleaned(title);
    if (name === '' || names.has(name.toLowerCase())) return [];
    names.add(name.toLowerCase());
    const { optionalMark, optionalColumn } = words();
    const required = !says(optionalMark, title!) && !says(optionalColumn, name);
    return [{ key: keyOf(name, keys), names: [name], required }];
  });
}

/** The caption right above the table. */
function captionOf(read: ReadDocument, block: number): string | undefined {
  const before = read.passages[block - 1];
  if (before?.role !== 'caption') return undefined;
  const name = before.text.replace(/^\s*(?:table|tabelle|tab\.)\s*[\d.-]*\s*[:.–-]?\s*/iu, '').trim();
  return name.length >= 3 ? name : undefined;
}

function headingOf(read: ReadDocument, block: number): string | undefined {
  const section = read.sections[read.sectionOf[block]!];
  const name = section ? cleaned(section.title) : '';
  return name.length >= 3 ? name : undefined;
}

/** An id of lower-case words, each once: "Roles & Rôles" becomes `roles_roles`. */
function keyOf(name: string, taken: Set<string>): string {
  const base =
    normaliseText(name)
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, LONGEST_KEY)
      .replace(/_+$/, '') || 'section';
  let key = base;
  for (let number = 2; taken.has(key); number++) key = `${base}_${number}`;
  taken.add(key);
  return key;
}
