import { type Sentence, say } from '../../sentences/sentence.js';
import type { ArtifactType } from './artifact.js';

/** What artifacts of a type are called. */
export const artifactWord = (type: ArtifactType): Sentence => say(`artifacts.${type}`);
