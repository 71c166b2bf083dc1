import { cleanText, MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import { parseXml, type XmlAttributes } from '../../files/xml.js';
import type { ReadingLimits } from '../../reading-limits.js';
import type { ReqifElement, ReqifGroup, ReqifModel, ReqifRelation, ReqifSpecification } from './model.js';

/** Elements of XHTML within a line; all others separate words. */
const INLINE = new Set(
  'a abbr acronym b big cite code del dfn em i ins kbd q s samp small span strong sub sup tt u var object'.split(
    ' ',
  ),
);
const TYPE = /^(?:SPEC-OBJECT|SPEC-RELATION|SPECIFICATION|RELATION-GROUP)-TYPE$/;
const TYPE_REFERENCE = /^(?:SPEC-OBJECT|SPEC-RELATION|SPECIFICATION|RELATION-GROUP)-TYPE-REF$/;
const DEFINITION = /^ATTRIBUTE-DEFINITION-[A-Z]+$/;
const DEFINITION_REFERENCE = /^ATTRIBUTE-DEFINITION-[A-Z]+-REF$/;
const VALUE = /^ATTRIBUTE-VALUE-[A-Z]+$/;

type Owner =
  | { kind: 'object'; element: ReqifElement }
  | { kind: 'relation'; element: ReqifRelation }
  | { kind: 'specification'; element: ReqifSpecification }
  | { kind: 'group'; element: ReqifGroup };

/**
 * Reads one `.reqif` file (ReqIF 1.0 to 1.2 of the OMG) into the model. Names of elements are taken without prefix,
 * because tools disagree about prefixes and put namespaces on any element.
 */
export async function parseReqif(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  model: ReqifModel,
  { limits, partName }: { limits: ReadingLimits; partName: string },
): Promise<void> {
  const { kept } = model;
  const owners: Owner[] = [];
  const hierarchy: ReqifSpecification['entries'][number][] = [];
  let value: ReqifElement['values'][number] | undefined;
  let end: 'source' | 'target' | undefined;
  /** Depth of XHTML inside `THE-VALUE`; 0 outside. */
  let content = 0;
  let text = '';

  const add = (more: string) => {
    text += more;
    if (text.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
  };

  function openElement(name: string, attributes: XmlAttributes, line: number): void {
    const identifier = kept.copy(attributes.IDENTIFIER ?? '');
    const element = () => ({
      identifier,
      name: kept.name(attributes['LONG-NAME'] ?? ''),
      description: kept.copy(attributes.DESC ?? ''),
      line,
      type: '',
      values: [],
    });
    if (name === 'SPEC-OBJECT') owners.push({ kind: 'object', element: element() });
    else if (name === 'SPEC-RELATION') {
      owners.push({ kind: 'relation', element: { ...element(), source: '', target: '' } });
    } else if (name === 'SPECIFICATION') {
      owners.push({ kind: 'specification', element: { ...element(), entries: [] } });
    } else if (name === 'RELATION-GROUP') {
      owners.push({ kind: 'group', element: { ...element(), relations: [] } });
    } else if (name === 'SPEC-HIERARCHY') openHierarchy();
    else if (TYPE.test(name)) model.types.set(identifier, kept.copy(attributes['LONG-NAME'] ?? ''));
    else if (DEFINITION.test(name))
      model.attributes.set(identifier, kept.copy(attributes['LONG-NAME'] || identifier));
    else if (name === 'ENUM-VALUE')
      model.choices.set(identifier, kept.copy(attributes['LONG-NAME'] || identifier));
    else if (VALUE.test(name) && owners.length > 0) {
      value = {
        definition: kept.name(attributes.DEFINITION ?? ''),
        text: kept.copy(attributes['THE-VALUE'] ?? ''),
      };
      owners.at(-1)!.element.values.push(value);
    } else if (name === 'THE-VALUE' && value) content = 1;
    else if (name === 'SOURCE' || name === 'TARGET') end = name === 'SOURCE' ? 'source' : 'target';
  }

  function openHierarchy(): void {
    const owner = owners.at(-1);
    const entry = { object: '', depth: hierarchy.length + 1 };
    hierarchy.push(entry);
    if (owner?.kind === 'specification') owner.element.entries.push(entry);
  }

  function closeElement(name: string): void {
    const owner = owners.at(-1);
    const reference = text.trim();
    if (name === 'SPEC-OBJECT' || name === 'SPEC-RELATION' || name === 'SPECIFICATION') finish();
    else if (name === 'RELATION-GROUP') finish();
    else if (VALUE.test(name)) value = undefined;
    else if (DEFINITION_REFERENCE.test(name) && value) value.definition = kept.name(reference);
    else if (name === 'ENUM-VALUE-REF' && value) {
      value.choices = [...(value.choices ?? []), kept.name(reference)];
    } else if (TYPE_REFERENCE.test(name) && owner) owner.element.type = kept.name(reference);
    else if (name === 'SPEC-OBJECT-REF') {
      if (owner?.kind === 'relation' && end) owner.element[end] = kept.copy(reference);
      else if (hierarchy.length > 0) hierarchy.at(-1)!.object = kept.copy(reference);
    } else if (name === 'SPEC-RELATION-REF' && owner?.kind === 'group')
      owner.element.relations.push(kept.copy(reference));
    else if (name === 'SPEC-HIERARCHY') hierarchy.pop();
    else if (name === 'SOURCE' || name === 'TARGET') end = undefined;
    else if (name === 'TITLE') model.title ||= reference;
    else if (name === 'CREATION-TIME') model.created ||= reference;
    text = '';
  }

  function finish(): void {
    const owner = owners.pop();
    if (owner?.kind === 'object') {
      if (model.objects.has(owner.element.identifier)) model.repeated.push(owner.element);
      else model.objects.set(owner.element.identifier, owner.element);
    } else if (owner?.kind === 'relation') model.relations.push(owner.element);
    else if (owner?.kind === 'specification') model.specifications.push(owner.element);
    else if (owner?.kind === 'group') model.groups.push(owner.element);
  }

  await parseXml(
    chunks,
    {
      open(qualified, attributes, line) {
        const name = localName(qualified);
        if (content > 0) {
          content++;
          if (name === 'object') model.embedded++;
          if (!INLINE.has(name)) add(' ');
          return;
        }
        text = '';
        openElement(name, attributes, line);
      },
      text: add,
      close(qualified) {
        const name = localName(qualified);
        if (content > 0) {
          content--;
          if (!INLINE.has(name)) add(' ');
          if (content > 0) return;
          if (value) value.text = kept.copy(cleanText(text));
          text = '';
          return;
        }
        closeElement(name);
      },
    },
    { maxDepth: limits.maxDepth, partName, lines: true },
  );
}

function localName(qualified: string): string {
  const colon = qualified.indexOf(':');
  return colon < 0 ? qualified : qualified.slice(colon + 1);
}
