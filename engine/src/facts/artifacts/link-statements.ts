import { say } from '../../sentences/sentence.js';
import { compactTitle, type LinkRole } from '../../words/column-titles.js';
import type { ArtifactType } from './artifact.js';
import { nameElement, namesIn } from './element-names.js';
import { extractionWords } from './extraction-words.js';
import { idsInText, letterGroups } from './id-forms.js';
import { separatorKey } from './id-keys.js';
import { typeOfId } from './infer-type.js';
import type { Statements } from './join-statements.js';
import { type EndList, endList } from './link-ends.js';
import { linksByNumber } from './links-by-number.js';
import type { Notes } from './notes.js';
import type { From, ReferenceIndex, Target } from './references.js';
import { COVERS, readSpecificationId } from './specification-id.js';
import { coveringLink, type StatedLink, statedLink } from './stated-links.js';
import type { ExtractedLink, Quote, Reference, SettledStatement } from './statement.js';
import { startStatement } from './statement-reading.js';
import type { AssumedBecause } from './trace-link.js';

/** Links with their ends as artifacts. */
export interface FoundLinks {
  readonly links: ExtractedLink[];
  /** By link: `SettledStatement.position` of its ends; -1 where no artifact has the id. */
  readonly ends: EndList;
  /** Elements that are known only as those to which something is allocated. */
  readonly elements: readonly SettledStatement[];
  /** Whether any of it was found by what artifacts say. */
  readonly byTexts: boolean;
}

/** An artifact, or an id that none has: then its position is -1. */
type LinkEnd = Pick<SettledStatement, 'id' | 'type' | 'position'>;

/** Where a link is stated, and as what: by the words around it, or as the link that it is. */
interface StatedAt {
  readonly role?: LinkRole;
  readonly link?: StatedLink;
  readonly document: number;
  readonly quote: Quote;
  /** Why it is taken for one, where no words say it. */
  readonly assumed?: AssumedBecause;
}

/** Pass 2: the links that cells, keys, phrases, tables under a parent and sentences state. Linear. */
export function linkStatements(
  { documents, statements, sentences }: Statements,
  {
    index,
    notes,
    firstElement,
  }: { readonly index: ReferenceIndex; readonly notes: Notes; readonly firstElement: number },
): FoundLinks {
  const words = extractionWords();
  const found = {
    links: [] as ExtractedLink[],
    ends: endList(),
    elements: [] as SettledStatement[],
  };
  const namedElements = new Map<string, SettledStatement>();
  /** By document and title of a column: the elements that its cells name, and the cells that say "all". */
  const elementColumns = new Map<
    string,
    { elements: Set<SettledStatement>; all: [SettledStatement, Quote][] }
  >();
  const direct: SettledStatement[] = [];
  const stated = lastStatedLink();

  function endOf({ id, of }: Target): LinkEnd {
    return of ?? { id, type: typeOfId(id, words) ?? 'unknown', position: -1 };
  }

  function push(holder: LinkEnd, listed: LinkEnd, how: StatedAt): void {
    const { role, document, quote, assumed } = how;
    const link = role === undefined ? how.link : stated(role, holder.type, listed.type);
    if (!link) return;
    const { ownIsSource } = link;
    const source = ownIsSource ? holder : listed;
    const target = ownIsSource ? listed : holder;
    const own: { -readonly [Key in keyof ExtractedLink]: ExtractedLink[Key] } = {
      sourceId: source.id,
      targetId: target.id,
      type: link.type,
      statedAt: ownIsSource ? 'source' : 'target',
      documentId: documents[document]!.id,
      location: quote.location,
      start: quote.start,
      end: quote.end,
    };
    if (assumed !== undefined) own.assumed = assumed;
    found.links.push(own);
    found.ends.add(source.position, target.position);
  }

  function addReference(statement: SettledStatement, reference: Reference): void {
    const { role, written, quote, exact, source, quotes } = reference;
    if (source === COVERS) {
      const { document } = statement;
      const covered = endOf({ id: written, of: index.exactly(written) });
      push(statement, covered, { link: coveringLink(statement.type, covered.type), document, quote });
      return;
    }
    const count = role === 'weak' ? 0 : index.directly(written, direct);
    if (count > 0) {
      const how = { role, document: statement.document, quote };
      for (let one = 0; one < count; one++) {
        const target = direct[one]!;
        if (isMereMention(statement, reference, target.id)) continue;
        // An id in the text of its own artifact is no link; in a cell for links it is one to itself.
        if (source !== undefined || exact || target.id !== statement.id) push(statement, target, how);
      }
      return;
    }
    const titled = source !== undefined && !UNTITLED.has(source) && !NAMING.has(role);
    const from: From = { document: statement.document, statement, quote, titled };
    const place = { document: statement.document, location: quote.location };
    if (role === 'weak') {
      for (const target of index.targets(written, from)) {
        if (!target.of || target.id === statement.id) continue;
        notes.add(
          'weak_reference',
          say('trace.note.weak_reference', { id: target.id, at: statement.id }),
          place,
        );
      }
      return;
    }
    const how = { role, document: statement.document, quote };
    // A cross elsewhere than under an element that is known, or in a section about allocation, says something else.
    const targets = source === 'mark' ? [] : index.targets(written, from, exact);
    if (role === 'allocation' && statement.type !== 'design') {
      const elements = elementsOf(reference, from).filter(
        (element) => !targets.some(({ of }) => of === element),
      );
      for (const element of elements) push(statement, element, how);
      noteColumn(statement, reference, elements);
      if (targets.length === 0 && (elements.length > 0 || source === 'mark')) return;
    }
    if (targets.length === 0) {
      const named = source === 'bracket' ? undefined : index.byText(written, quotes);
      const quoted =
        named ?? (source === 'bracket' || !quotes ? undefined : index.byNearText(written, quotes));
      if (quoted && quoted.id !== statement.id)
        push(statement, quoted, named ? how : { ...how, assumed: 'text' });
      else if (source !== 'bracket' && source !== 'text' && !NOTHING.test(written)) {
        notes.add('no_id_in_link', say('trace.note.no_id_in_link', { id: statement.id }), place);
      }
      return;
    }
    for (const target of targets) {
      if (source === 'bracket' && !target.of) continue;
      if (target.id === statement.id && source === undefined && !exact) continue;
      if (isMereMention(statement, reference, target.id)) continue;
      if (!target.of && statement.type === 'hazardous_event' && namesHazard(written, target.id)) continue;
      push(statement, endOf(target), how);
    }
  }

  /** "All" under the title of a column stands for what the other cells of the column name; they may come later. */
  function noteColumn(
    statement: SettledStatement,
    { written, source, quote }: Reference,
    elements: readonly SettledStatement[],
  ): void {
    if (source === undefined || source === 'mark' || UNTITLED.has(source)) return;
    const key = `${statement.document} ${compactTitle(source)}`;
    const column = elementColumns.get(key) ?? { elements: new Set(), all: [] };
    elementColumns.set(key, column);
    for (const element of elements) column.elements.add(element);
    if (elements.length === 0 && words.everything.has(compactTitle(written)))
      column.all.push([statement, quote]);
  }

  /** The elements that a cell names beside ids; those that nothing describes come into being here. */
  function elementsOf({ written, quote, source }: Reference, from: From): readonly SettledStatement[] {
    const whole = index.elementNamed(written);
    if (whole) return [whole];
    if (source === undefined || source === 'mark' || UNTITLED.has(source)) return [];
    const elements = namesIn(written).flatMap((name): SettledStatement[] => {
      const described = index.elementNamed(name);
      if (described) return [described];
      if (index.targets(name, from).length > 0) return [];
      const key = separatorKey(name);
      const known = namedElements.get(key);
      if (known) return [known];
      const element: SettledStatement = {
        ...nameElement(startStatement(quote, name)),
        context: undefined,
        document: from.document,
        scoped: false,
        position: firstElement + found.elements.length,
      };
      namedElements.set(key, element);
      found.elements.push(element);
      return [element];
    });
    return [...new Set(elements)];
  }

  for (const statement of statements) {
    for (const reference of statement.references) addReference(statement, reference);
    const { context } = statement;
    if (!context) continue;
    const isHeaded = context.headed === true && [...statement.references].every(({ role }) => role !== 'up');
    if (!context.stated && !statement.scoped && !isHeaded) continue;
    const from: From = { document: statement.document, statement, quote: context.quote };
    const [parent] = context.of ? [{ id: context.of.id, of: context.of }] : index.targets(context.id, from);
    if (context.onlyGoal && parent?.of?.type !== 'safety_goal') continue;
    if (parent && parent.id !== statement.id)
      push(statement, endOf(parent), {
        role: 'up',
        ...from,
        ...(context.stated ? {} : { assumed: 'place' }),
      });
  }
  for (const { elements, all } of elementColumns.values()) {
    for (const [statement, quote] of all) {
      for (const element of elements)
        push(statement, element, { role: 'allocation', document: statement.document, quote });
    }
  }
  for (const { document, sources, role, targets, quote } of sentences) {
    const from: From = { document, quote };
    const listed = index.targets(targets, from);
    for (const source of index.targets(sources, from)) {
      for (const target of listed) push(endOf(source), endOf(target), { role, document, quote });
    }
  }
  linkResults(statements, index, { documents, push });
  let byTexts = index.hasReadTexts();
  const onTexts = (): void => {
    byTexts = true;
  };
  for (const { requirement, goal, because } of linksByNumber(statements, found.links, onTexts)) {
    const { document, location } = requirement;
    push(requirement, goal, { role: 'up', document, quote: requirement, assumed: because });
    notes.add('link_by_number', say(`trace.note.link_by_${because}`, { id: requirement.id, goal: goal.id }), {
      document,
      location,
    });
  }
  return { ...found, byTexts };
}

/** `statedLink` that remembers the last answer: links of one kind come in runs. */
function lastStatedLink(): typeof statedLink {
  let last: { role: LinkRole; holder: ArtifactType; listed: ArtifactType } | undefined;
  let link: ReturnType<typeof statedLink>;
  return (role, holder, listed) => {
    if (!last || last.role !== role || last.holder !== holder || last.listed !== listed) {
      last = { role, holder, listed };
      link = statedLink(role, holder, listed);
    }
    return link;
  };
}

/** Sources of references that have no title. */
const UNTITLED = new Set(['bracket', 'text']);
/** Roles under whose titles names stand as often as ids. */
const NAMING: ReadonlySet<LinkRole> = new Set<LinkRole>(['allocation', 'implementation', 'evidence', 'weak']);
const NOTHING = /^[\s\p{P}\p{S}]*(?:n\/?a|tbd|tbc|none|no|yes|keine?|entfällt|all|alle)?[\s\p{P}\p{S}]*$/iu;

/** What a specification item covers stands in its list; the ids of others in its text are links for the reader. */
function isMereMention({ needs }: SettledStatement, { source }: Reference, id: string): boolean {
  if (needs === undefined || (source !== undefined && !UNTITLED.has(source))) return false;
  return readSpecificationId(id) !== undefined;
}

/** Results of test tools name their test in the name of the case: `suite.TEST_SYS_001`, `test_TC_12_overheat`. */
function linkResults(
  statements: readonly SettledStatement[],
  index: ReferenceIndex,
  {
    documents,
    push,
  }: {
    readonly documents: Statements['documents'];
    readonly push: (holder: LinkEnd, listed: LinkEnd, how: StatedAt) => void;
  },
): void {
  for (const statement of statements) {
    if (documents[statement.document]!.format !== 'junit') continue;
    const quote: Quote = statement;
    const from: From = { document: statement.document, statement, quote };
    const name = statement.name ?? statement.id;
    const named = new Set<string>();
    for (const part of [
      name,
      ...name.split(/[.:/\s[\]()]+/),
      ...idsInText(name.replace(/^test_|_/gi, '-')).map((one) => one.id),
    ]) {
      if (!/\d|_|-/.test(part)) continue;
      const [target, more] = index.targets(part, from, true);
      if (!target?.of || more || target.id === statement.id || named.has(target.id)) continue;
      named.add(target.id);
      push(statement, target.of, { role: 'evidence_for', ...from });
    }
  }
}

/** "H-02 Vehicle rolls away" in the row of an event: the hazard has its words here and need stand nowhere else. */
function namesHazard(written: string, id: string): boolean {
  const { typeOfPrefix, typeOfWeakPrefix } = extractionWords();
  const prefix = letterGroups(id)[0] ?? '';
  const isHazard = (typeOfPrefix.get(prefix) ?? typeOfWeakPrefix.get(prefix)) === 'hazardous_event';
  const [named] = written.trim().split(id).slice(1);
  return isHazard && named !== undefined && /\p{L}{2,}\s+\p{L}{2,}/u.test(named);
}
