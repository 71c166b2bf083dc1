import { type EmbeddingModel, proposeLinks } from '@normtrace/engine';
import type { LinkSet } from './gold.js';
import { mean } from './metrics.js';

export interface ProposalFigures {
  readonly set: string;
  /** Artifacts without a link upwards, and what they could belong to. */
  readonly open: number;
  readonly parents: number;
  /** Share of the linked ones whose first proposal, or one of the first five, is right. */
  readonly hitAt1: number;
  readonly hitAt5: number;
}

/** The proposals of the product: all open artifacts of a set at once. Those of the longer list are open: parents have many children. */
export async function judgeProposals(
  sets: readonly LinkSet[],
  model: EmbeddingModel | undefined,
): Promise<readonly ProposalFigures[]> {
  const figures: ProposalFigures[] = [];
  for (const { name, sources, targets, truth } of sets) {
    const turned = targets.length > sources.length;
    const [open, parents] = turned ? [targets, sources] : [sources, targets];
    const parentsOf = turned
      ? targets.map(
          (_, target) => new Set(truth.flatMap((linked, source) => (linked.has(target) ? [source] : []))),
        )
      : truth;
    const proposed = await proposeLinks(open, parents, { ...(model ? { model } : {}), limit: 5 });
    const linked = [...open.keys()].filter((at) => parentsOf[at]!.size > 0);
    const hitAt = (most: number) =>
      mean(
        linked.map((at) =>
          proposed[at]!.slice(0, most).some(({ text }) => parentsOf[at]!.has(text)) ? 1 : 0,
        ),
      );
    figures.push({
      set: name,
      open: open.length,
      parents: parents.length,
      hitAt1: hitAt(1),
      hitAt5: hitAt(5),
    });
  }
  return figures;
}
