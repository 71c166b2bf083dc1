import type { Asking, NoAnswer } from '../models/asking.js';
import { mayOrderModel } from '../text/embedded-instruction.js';

export interface Outline {
  readonly documentId: string;
  readonly name: string;
  /** In reading order; 120 are shown. `block` is that of the heading. */
  readonly headings: readonly { readonly block: number; readonly level: number; readonly title: string }[];
}

/** A chapter that a model takes for a document of a type; a person confirms it. */
export interface ProposedPart {
  readonly block: number;
  readonly typeId: string;
}

const MOST_HEADINGS = 120;

/** Asks which chapters of documents whose type rules could not tell are documents of our types. Only headings and types that were shown count. */
export async function proposeSections(
  outlines: readonly Outline[],
  types: readonly { readonly id: string; readonly name: string }[],
  { asking }: { readonly asking: Asking },
): Promise<readonly (readonly ProposedPart[] | { readonly failed: NoAnswer })[]> {
  const shown = outlines.map(({ headings, ...rest }) => ({
    ...rest,
    headings: new Map(
      headings
        .filter(({ title }) => !mayOrderModel(title))
        .slice(0, MOST_HEADINGS)
        .map((one, at) => [`h${at + 1}`, one]),
    ),
  }));
  const sendable = shown.filter(
    ({ documentId, headings }) => headings.size > 0 && !asking.use.withheld?.includes(documentId),
  );
  // Own templates have names that somebody gave.
  const named = types.filter(({ name }) => !mayOrderModel(name));
  const kinds = new Map(named.map((type, at) => [`t${at + 1}`, type]));
  const answers = await asking.ask(
    sendable.map(({ documentId, name, headings }) => ({
      task: 'sections' as const,
      values: {
        name: mayOrderModel(name) ? '' : name,
        headings: [...headings].map(([id, { level, title }]) => ({
          id,
          heading: `${'#'.repeat(Math.max(1, Math.min(6, level)))} ${title}`,
        })),
        types: [...kinds].map(([id, type]) => ({ id, type: type.name })),
      },
      sends: [...headings.values()].map(({ block }) => ({ documentId, passageId: `${documentId}#${block}` })),
    })),
  );
  const given = new Map(sendable.map((outline, at) => [outline, answers[at]!]));
  return shown.map((outline) => {
    const answer = given.get(outline);
    if (!answer) return outline.headings.size === 0 ? [] : { failed: 'policy' };
    if ('failed' in answer) return answer;
    const parts = answer.answer.parts.flatMap(({ heading, type }): ProposedPart[] => {
      const found = outline.headings.get(heading);
      const kind = kinds.get(type);
      return found && kind ? [{ block: found.block, typeId: kind.id }] : [];
    });
    return [...new Map(parts.map((part) => [part.block, part])).values()].sort((a, b) => a.block - b.block);
  });
}
