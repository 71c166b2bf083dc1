import type { Api } from '../../api/client.ts';

export type ArtifactType = Api['Artifact']['type'];

/** From the top of the left leg to results. */
export const TYPES: readonly ArtifactType[] = [
  'hazardous_event',
  'safety_goal',
  'cybersecurity_goal',
  'functional_safety_requirement',
  'cybersecurity_requirement',
  'technical_safety_requirement',
  'hardware_requirement',
  'software_requirement',
  'design',
  'test',
  'evidence',
  'unknown',
];
export const isType = (word: string | null): word is ArtifactType =>
  (TYPES as readonly (string | null)[]).includes(word);

export const DUTIES = ['upstream', 'downstream', 'verification', 'evidence'] as const;
export type Duty = (typeof DUTIES)[number];

/** Artifacts of one type: all, or those that lack something, as the columns list them. */
export const columnsAddress = (workspace: string, type: ArtifactType, missing?: Duty): string =>
  `/w/${workspace}/trace/columns?type=${type}${missing ? `&missing=${missing}` : ''}`;
