import { judgeLinks, type LinkExample, type ProposedLink } from '../../advice/judge-links.js';
import type { Artifact } from '../../facts/artifacts/artifact.js';
import { type Asking, type ModelStatement, modelStatement, type NoAnswer } from '../../models/asking.js';
import type { ProposedTraceLink } from './propose-trace-links.js';

/** A proposed link with what a language model said of it; whether it is made stays with a person. */
export interface LinkOpinion {
  /** The artifact without a link upwards. */
  readonly artifactId: string;
  readonly proposed: ProposedTraceLink;
  readonly answer?: 'yes' | 'no' | 'cannot_tell';
  /** The model's own words: the concept that both share. */
  readonly shared?: string;
  readonly because?: NoAnswer | 'cannot_tell';
  /** The score of the proposal, more where the model says yes; for their order only. */
  readonly fused: number;
}

export interface LinkOpinions {
  /** By artifact in the order given, likeliest first. */
  readonly links: readonly LinkOpinion[];
  /** Of how many artifacts with proposals the links were asked about. */
  readonly looked: { readonly artifacts: number; readonly of: number };
  readonly statement: ModelStatement;
}

/** So many artifacts are asked about in a run: five questions each. */
const MOST_ARTIFACTS = 40;

/**
 * Asks a language model about proposed links. A "yes" lifts a proposal by one standard deviation of all scores, nothing is taken
 * away. What people added without a document is asked about under no document: it is the workspace's own text.
 */
export async function secondLinks(
  proposals: ReadonlyMap<string, readonly ProposedTraceLink[]>,
  artifacts: ReadonlyMap<string, Artifact>,
  { asking, examples = [] }: { readonly asking: Asking; readonly examples?: readonly LinkExample[] },
): Promise<LinkOpinions> {
  const all = [...proposals].filter(([, near]) => near.length > 0);
  const looked = all.slice(0, MOST_ARTIFACTS);
  const pairs = looked.flatMap(([artifactId, near]) =>
    near.map((proposed) => ({ artifactId, proposed, link: linkOf(artifacts, artifactId, proposed) })),
  );
  const judged = await judgeLinks(
    pairs.map(({ link }) => link),
    { asking, weight: deviationOf(pairs.map(({ proposed }) => proposed.score)), examples },
  );
  const links = pairs.map(({ artifactId, proposed }, at): LinkOpinion => {
    const { answer, shared, because, fused } = judged[at]!;
    const none = because ?? (answer === 'cannot_tell' ? answer : undefined);
    return {
      artifactId,
      proposed,
      ...(answer === undefined ? {} : { answer }),
      ...(shared === undefined ? {} : { shared }),
      ...(none === undefined ? {} : { because: none }),
      fused: Math.round(fused * 1000) / 1000,
    };
  });
  const place = new Map(looked.map(([id], at) => [id, at]));
  return {
    links: links.sort((a, b) => place.get(a.artifactId)! - place.get(b.artifactId)! || b.fused - a.fused),
    looked: { artifacts: looked.length, of: all.length },
    statement: modelStatement(
      asking,
      links.flatMap(({ because }) => because ?? []),
    ),
  };
}

function linkOf(
  artifacts: ReadonlyMap<string, Artifact>,
  artifactId: string,
  { artifactId: otherId, score, link }: ProposedTraceLink,
): ProposedLink {
  const [from, to] = link.sourceId === artifactId ? [artifactId, otherId] : [otherId, artifactId];
  return { from: endOf(artifacts.get(from)!), to: endOf(artifacts.get(to)!), relation: link.type, score };
}

const endOf = ({ id, type, name, text, documentId = '' }: Artifact): ProposedLink['from'] => ({
  id,
  type: type.replaceAll('_', ' '),
  text: [name, text].filter(Boolean).join(': '),
  documentId,
});

function deviationOf(numbers: readonly number[]): number {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
  const squares = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, numbers.length));
}
