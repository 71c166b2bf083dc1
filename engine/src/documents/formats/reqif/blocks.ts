import { type Sentence, say } from '../../../sentences/sentence.js';
import type { DraftNote } from '../../block.js';
import { cleanText } from '../../clean-text.js';
import { noteOf } from '../../reading-notes.js';
import { MOST_NOTES, type RecordDraft, type RecordTable } from '../../records/record-table.js';
import { idsOfObjects } from './ids.js';
import type { ReqifElement, ReqifModel, ReqifSpecification } from './model.js';

const CHAPTER = /^(?:ReqIF\.ChapterName|Object Heading|Heading|Überschrift)$/i;
const TEXT =
  /^(?:ReqIF\.(?:Text|Description)|Object Text|Primary Text|Text|Description|Statement|Contents?|Beschreibung)$/i;
const HEADING_TYPE = /\b(?:heading|chapter|section|überschrift|kapitel|abschnitt)\b/iu;

/** Puts the specifications in their order: chapters become headings, all other objects records. */
export function writeBlocks(model: ReqifModel, table: RecordTable): DraftNote[] {
  const notes: DraftNote[] = [];
  const note = (message: Sentence, requirementId?: string) => {
    if (notes.length >= MOST_NOTES) return;
    notes.push(noteOf('broken_reference', message, requirementId ? { requirementId } : undefined));
  };
  const titles = new Map(model.specifications.map((each) => [each, specificationTitle(model, each)]));
  const placed = new Map<string, string>();
  for (const [specification, title] of titles) {
    for (const { object } of specification.entries) if (!placed.has(object)) placed.set(object, title);
  }
  const ids = idsOfObjects(model, placed);
  const links = linksBySource(model, ids, note);
  const typedHeadings = [...model.objects.values()].some((object) => isHeadingType(model, object));

  const write = (object: ReqifElement, depth: number) => {
    const id = ids.get(object.identifier)!;
    const place = { ...(object.line > 0 ? { line: object.line } : {}), requirementId: id };
    const chapter = valueNamed(model, object, CHAPTER) || (isHeadingType(model, object) ? object.name : '');
    const text = valueNamed(model, object, TEXT);
    const heading = chapter && (typedHeadings ? isHeadingType(model, object) : !text);
    if (heading) {
      table.heading(depth + 1, chapter, place);
      table.prose('paragraph', cleanText(text), place);
    }
    const ownLinks = links.get(object.identifier);
    links.delete(object.identifier);
    if (!heading || ownLinks) table.record(recordOf(model, object, { id, links: ownLinks ?? [] }));
  };

  const left = new Map(model.objects);
  for (const [specification, title] of titles) {
    table.leaveSections();
    table.heading(1, title, specification.line > 0 ? { line: specification.line } : {});
    for (const { object: identifier, depth } of specification.entries) {
      const object = model.objects.get(identifier);
      if (object) write(object, depth);
      else note(say('reading.listed-object-missing'), identifier);
      left.delete(identifier);
    }
  }
  table.leaveSections();
  for (const object of left.values()) write(object, 1);
  for (const object of model.repeated) {
    notes.push(noteOf('duplicate_id', say('reading.two-objects'), { requirementId: object.identifier }));
  }
  return notes;
}

type Link = NonNullable<RecordDraft['links']>[number];

function linksBySource(
  model: ReqifModel,
  ids: ReadonlyMap<string, string>,
  note: (message: Sentence, requirementId?: string) => void,
): Map<string, Link[]> {
  const groupOf = new Map<string, string>();
  for (const group of model.groups) {
    const name = group.name || model.types.get(group.type) || '';
    for (const relation of group.relations) groupOf.set(relation, name);
  }
  const links = new Map<string, Link[]>();
  for (const relation of model.relations) {
    const { identifier, source, target } = relation;
    if (!source || !target) {
      note(say(source ? 'reading.relation-without-target' : 'reading.relation-without-source'), identifier);
      continue;
    }
    if (!ids.has(source)) {
      note(say('reading.relation-from-nowhere'), source);
      continue;
    }
    if (!ids.has(target)) note(say('reading.relation-to-nowhere'), ids.get(source));
    const type = model.types.get(relation.type) || groupOf.get(identifier) || relation.name || 'Relation';
    const own = links.get(source) ?? [];
    own.push({ type, target: ids.get(target) ?? target });
    links.set(source, own);
  }
  return links;
}

function recordOf(
  model: ReqifModel,
  object: ReqifElement,
  { id, links }: { id: string; links: readonly Link[] },
): RecordDraft {
  const type = model.types.get(object.type) ?? '';
  return {
    id,
    ...(type ? { type } : {}),
    ...(object.line > 0 ? { line: object.line } : {}),
    fields: [
      { name: 'ID', text: id },
      { name: 'Type', text: type },
      // Some tools put the title there and nowhere else, others repeat an attribute or the identifier.
      ...[
        { name: 'LONG-NAME', text: object.name },
        { name: 'DESC', text: object.description },
      ].filter(({ text }) => text !== id && !object.values.some((value) => value.text === text)),
      ...attributesOf(model, object),
    ],
    links,
  };
}

/** Attributes with names of their own: a type may have several that are called alike. */
function attributesOf(model: ReqifModel, object: ReqifElement): { name: string; text: string }[] {
  const uses = new Map<string, number>();
  return object.values.map((value) => {
    const name = (model.attributes.get(value.definition) ?? value.definition).replace(/^ReqIF\./, '');
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return { name: use > 1 ? `${name} (${use})` : name, text: textOf(model, value) };
  });
}

function textOf(model: ReqifModel, value: ReqifElement['values'][number]): string {
  if (!value.choices) return model.choices.get(value.text) ?? value.text;
  return value.choices.map((choice) => model.choices.get(choice) ?? choice).join(', ');
}

function valueNamed(model: ReqifModel, object: ReqifElement, name: RegExp): string {
  const found = object.values.find(
    (value) => value.text.trim() && name.test(model.attributes.get(value.definition) ?? value.definition),
  );
  return found ? found.text : '';
}

function isHeadingType(model: ReqifModel, object: ReqifElement): boolean {
  return HEADING_TYPE.test(model.types.get(object.type) ?? '');
}

function specificationTitle(model: ReqifModel, specification: ReqifSpecification): string {
  return (
    cleanText(
      specification.name || valueNamed(model, specification, /^(?:ReqIF\.)?(?:Name|Title|Titel)$/i) || '',
    ) || cleanText(specification.values.find((value) => value.text.trim())?.text ?? '')
  );
}
