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

/** An integrity level of an artifact as rows show it: a letter alone says whose letter it is. */
export const levelInWords = (written: string): string =>
  /^[A-D](\(|$)/.test(written) ? `ASIL ${written}` : written;

export const DUTIES = ['upstream', 'downstream', 'verification', 'evidence'] as const;
export type Duty = (typeof DUTIES)[number];

/** Artifacts of one type: all, or those that lack something, as the columns list them. */
export const columnsAddress = (workspace: string, type: ArtifactType, missing?: Duty): string =>
  `/w/${workspace}/trace/columns?type=${type}${missing ? `&missing=${missing}` : ''}`;

/** What usually stands directly above an artifact of each type. */
export const USUALLY_ABOVE: Readonly<Partial<Record<ArtifactType, ArtifactType>>> = {
  safety_goal: 'hazardous_event',
  functional_safety_requirement: 'safety_goal',
  technical_safety_requirement: 'functional_safety_requirement',
  hardware_requirement: 'technical_safety_requirement',
  software_requirement: 'technical_safety_requirement',
  cybersecurity_requirement: 'cybersecurity_goal',
  design: 'software_requirement',
  test: 'software_requirement',
  evidence: 'test',
};

/** And directly below. */
export const USUALLY_BELOW: Readonly<Partial<Record<ArtifactType, ArtifactType>>> = {
  hazardous_event: 'safety_goal',
  safety_goal: 'functional_safety_requirement',
  functional_safety_requirement: 'technical_safety_requirement',
  technical_safety_requirement: 'software_requirement',
  hardware_requirement: 'design',
  software_requirement: 'design',
  cybersecurity_goal: 'cybersecurity_requirement',
  cybersecurity_requirement: 'software_requirement',
};
