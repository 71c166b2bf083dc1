import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import type { Severity } from '../../findings/finding.js';

/** A text in the languages that it is kept in. */
export interface LocalText {
  readonly en: string;
  readonly de?: string;
}

/** How far the engine can answer an item (domain F.1). */
export const AUTOMATION = [
  /** The documents decide it. */
  'full',
  /** Rules about meaning: where the evidence is not decisive, a person confirms. */
  'assisted',
  /** Only a person can; the engine collects the evidence. */
  'manual',
] as const;
export type Automation = (typeof AUTOMATION)[number];

export const CHECKLIST_DOMAINS = ['process', 'functional_safety', 'cybersecurity', 'own'] as const;
export type ChecklistDomain = (typeof CHECKLIST_DOMAINS)[number];

/** When an item does not apply: told by the documents or by a person, never by silence. */
export interface NotApplicable {
  /** The rule, for a person. */
  readonly text?: LocalText;
  /** Conditions of `conditions.yaml`: it does not apply when one of them is known to hold. */
  readonly when: readonly string[];
  /** Conditions: it does not apply when one of them is known not to hold. */
  readonly unless: readonly string[];
  /** A document of the item's types that says that it is a draft. */
  readonly draft: boolean;
  /** Phrases: it does not apply when a document states one of them. */
  readonly stated: readonly string[];
  /** It is about artifacts of these types only: where the documents demand something, but nothing of them, it does not apply. */
  readonly concerns?: readonly ArtifactType[];
}

/** One question of a checklist, as its checks see it. */
export interface ChecklistQuestion {
  /** `FS-HARA-05`; never renumbered, so that answers of people stay with their question. */
  readonly id: string;
  readonly text: LocalText;
  /** Standard and clause, no text of the standard. */
  readonly refs: readonly string[];
  /** Conditions of `conditions.yaml` that must hold; one that is known not to hold makes the item not applicable. */
  readonly appliesWhen: readonly string[];
  readonly notApplicable: NotApplicable;
  /** What passes and what fails, for a person. */
  readonly pass?: LocalText;
  readonly fail?: LocalText;
  /** Of a `fail`. */
  readonly severity: Severity;
  /** Of a `missing`: the same, or one step higher (domain F.1). */
  readonly missingSeverity: Severity;
  /** Document types in which the answer is looked for; empty: everywhere. */
  readonly documentTypes: readonly string[];
  readonly automation: Automation;
  /** What a person has to answer where the engine cannot. */
  readonly question?: LocalText;
  /** A withdrawn item keeps its id and is not asked any more. */
  readonly status: 'active' | 'withdrawn';
  /** Counts changes of the text. */
  readonly revision: number;
  /** Words from which a person or an earlier run has answered it: a claim, not evidence. */
  readonly claimed?: { readonly result: string; readonly remark?: string; readonly evidence?: string };
}

/** What a checklist says of itself: built in (`data/checklists/`) or one's own. */
export interface ChecklistHead {
  /** `FS-HARA`; own ones begin with `USR-`. */
  readonly id: string;
  readonly title: LocalText;
  readonly domain: ChecklistDomain;
  /** What it is about. Where no document of these types is there, a statement that it was not made is a `fail`. */
  readonly about: {
    readonly documentTypes: readonly string[];
    /** Names of it, as phrases. */
    readonly names: readonly string[];
  };
  readonly source: 'built_in' | 'own';
}
