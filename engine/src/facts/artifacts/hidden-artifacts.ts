import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { ExtractedArtifact, ExtractedLink, Extraction, ExtractionNote } from './statement.js';

/** Notes of one kind that are listed; all are counted. */
const MOST_LISTED = 100;

/**
 * What can be seen, and what only the whole text says besides: artifacts are added behind the others, links are told.
 * A visible link may lead to a hidden artifact. Linear.
 */
export function withHidden(seen: Extraction, whole: Extraction): Extraction {
  const known = new Set(seen.artifacts.map((artifact) => artifact.id));
  const added = new Map<string, number>();
  const artifacts: ExtractedArtifact[] = [...seen.artifacts];
  for (const artifact of whole.artifacts) {
    // A result that only hidden text states is no result.
    if (known.has(artifact.id) || added.has(artifact.id) || artifact.type === 'evidence') continue;
    added.set(artifact.id, artifacts.length);
    artifacts.push(artifact);
  }
  const hiddenArtifacts = artifacts.slice(seen.artifacts.length);
  const linked = new Set(seen.links.map(keyOf));
  const hiddenLinks = whole.links.filter((link) => !linked.has(keyOf(link)));
  const notes = (
    code: 'hidden_artifact' | 'hidden_link',
    places: readonly (ExtractedArtifact | ExtractedLink)[],
  ) =>
    places.slice(0, MOST_LISTED).map(
      ({ documentId, location }): ExtractionNote => ({
        code,
        ...worded({ message: say(`trace.note.${code}`) }),
        documentId,
        location,
      }),
    );
  const ends = (positions: Int32Array, id: (link: ExtractedLink) => string) =>
    positions.map((position, at) => (position >= 0 ? position : (added.get(id(seen.links[at]!)) ?? -1)));
  return {
    artifacts,
    links: seen.links,
    ends: {
      sources: ends(seen.ends.sources, (link) => link.sourceId),
      targets: ends(seen.ends.targets, (link) => link.targetId),
    },
    notes: [
      ...seen.notes,
      ...notes('hidden_artifact', hiddenArtifacts),
      ...notes('hidden_link', hiddenLinks),
    ],
    noteCounts: {
      ...seen.noteCounts,
      ...(hiddenArtifacts.length > 0 ? { hidden_artifact: hiddenArtifacts.length } : {}),
      ...(hiddenLinks.length > 0 ? { hidden_link: hiddenLinks.length } : {}),
    },
    weighed: undefined,
  };
}

function keyOf({ sourceId, type, targetId, documentId }: ExtractedLink): string {
  return `${documentId}\n${sourceId}\n${type}\n${targetId}`;
}
