import type { DocumentType } from '../../document-types/document-type.js';
import type { Confidence, Evidence, Search, Severity } from '../../findings/finding.js';
import type { NotDue } from '../../findings/not-due.js';
import type { RulesAlone } from '../../judgement/model/settled-verdict.js';
import type { AnswerOf } from '../../models/answer-schemas.js';
import type { ModelStatement, ModelUse } from '../../models/asking.js';
import type { Sentence } from '../../sentences/sentence.js';
import type { RunEvent, RunInput } from '../engine-run.js';
import type { DocumentStatement, RunMethod } from '../run-method.js';
import type { TraceabilityInput } from '../traceability/traceability.js';
import type { Checklist } from './checklist.js';
import type { ChecklistOptions } from './checklist-options.js';
import type { LocalText } from './question.js';

export interface ChecklistInput extends RunInput<ItemResult> {
  readonly checklist: Checklist;
  /** Artifacts and links beside those that the documents state: of the workspace, or of other tools. */
  readonly trace?: Pick<TraceabilityInput, 'artifacts' | 'links'>;
  /** Own templates. A document that is of one of them is checked against it alone. */
  readonly templates?: readonly DocumentType[];
  readonly options?: ChecklistOptions;
  /** A language model beside the rules, for what they are not sure of. */
  readonly model?: ModelUse;
}

/** The answer to an item (domain F.1). */
export const ITEM_VERDICTS = [
  /** The documents show it, with a quote. */
  'pass',
  /** It is treated, but wrong, incomplete, contradictory, denied or open, with a quote. */
  'fail',
  /** No document treats it; it is said what was searched. */
  'missing',
  /** It does not apply, and a quote, an attribute or a person says so. */
  'NA',
] as const;
export type ItemVerdict = (typeof ITEM_VERDICTS)[number];

/** First rule of an answer that the rules could not give: it is what the quotes suggest, and a person has to say. */
export const UNDECIDED = 'undecided';

/** How an answer is shown to people: what rules cannot decide is no pass, however little speaks against it (decision 301). */
export const shownVerdict = ({
  verdict,
  rules,
}: Pick<ItemResult, 'verdict' | 'rules'>): ItemVerdict | typeof UNDECIDED =>
  verdict === 'pass' && rules[0] === UNDECIDED ? UNDECIDED : verdict;

/** The answer to one item of a checklist. */
export interface ItemResult {
  readonly itemId: string;
  readonly verdict: ItemVerdict;
  readonly confidence: Confidence;
  /** A person has to confirm it; always so where the confidence is low. */
  readonly needsConfirmation: boolean;
  /** What the person has to answer; there when a person has to confirm. */
  readonly question?: LocalText;
  /** What decided, most important first: names of checks and rules (`column`, `AI-02`, `T3-intent`). */
  readonly rules: readonly string[];
  /** One or two sentences for a person. */
  readonly reason: string;
  /** What its words say: key and values, for every language. */
  readonly said?: { readonly reason: Sentence; readonly affectedItems?: readonly Sentence[] };
  /** Of a `fail` or `missing`. */
  readonly severity?: Severity;
  /** Of items about "each" and "every": how many of how many meet it. */
  readonly instances?: { readonly met: number; readonly total: number };
  /** Ids or names of what does not meet it, at most fifty. */
  readonly affectedItems: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly search?: Search;
  /** What a `fail` or `missing` is about, where other analyses may tell it (`findings/subject.ts`). */
  readonly subject?: string;
  /** Ids of the documents that it comes from and of those where another version could change it. */
  readonly lookedAt: readonly string[];
  /** Identity of the answer from run to run: checklist and item. */
  readonly fingerprint: string;
  /**
   * Hash of what it rests on: verdict, quotes, versions of the documents that were looked at, revision of the item. An answer of
   * a person that was given on another basis is stale.
   */
  readonly basis: string;
}

/** What a model said of an item after the checks. */
export interface ItemOpinion {
  readonly state: AnswerOf<'checklist'>['instances'][number]['state'];
  /** Its own words, cut and without markup. */
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** Checks that changed what it said: `unknown-id`, `T3-intent`, `no-citation`, `orders`, … */
  readonly rules: readonly string[];
}

/** Rules and model on an item that rules are not sure of. */
export interface SettledItem {
  readonly itemId: string;
  readonly byRules: ItemResult;
  readonly byModel?: ItemOpinion;
  /** The critic, who saw the cited sentences only, came to the same; absent where it was not asked. */
  readonly criticAgrees?: boolean;
  /** What became of the answer of the rules; `raised` is proposed to the person who confirms. */
  readonly outcome: 'same' | 'raised' | 'lowered' | 'listed' | 'abstained';
  readonly because?: RulesAlone;
}

/** The result; plain JSON, the same byte for byte for the same input. */
export interface ChecklistAnalysis {
  readonly schema: 'normtrace.checklist/1';
  readonly method: RunMethod & {
    readonly checklist: { readonly id: string; readonly title: LocalText; readonly items: number };
    readonly documents: readonly DocumentStatement[];
    /** The language model that was asked, how much, and why rules decided alone where they did. */
    readonly model?: ModelStatement;
  };
  /** One per active item, in the order of the checklist. */
  readonly items: readonly ItemResult[];
  /** With a language model: rules and model, for each item that rules are not sure of. What counts is in `items`. */
  readonly opinions?: readonly SettledItem[];
  /** What is not due in the phase of the project, or not done in it: `NA` among the items, and in no count. */
  readonly notDue: readonly NotDue[];
  readonly counts: {
    /** Without what is not due. */
    readonly verdicts: Readonly<Record<ItemVerdict, number>>;
    readonly needsConfirmation: number;
    /** Of the items that fail or are missing. */
    readonly severities: Readonly<Record<Severity, number>>;
  };
  /** Conditions that nobody answered and that items depend on. */
  readonly questions: readonly {
    readonly condition: string;
    readonly question: string;
    readonly reason: string;
    readonly said?: { readonly question?: Sentence; readonly reason: Sentence };
    readonly items: readonly string[];
  }[];
}

/** `opinions`: a language model is asked; comes only where there is one. */
export type ChecklistStage = 'passages' | 'artifacts' | 'words' | 'items' | 'opinions';
/** A unit is the answer to an item, in the order of the checklist. */
export type ChecklistEvent = RunEvent<ChecklistStage, ItemResult, ChecklistAnalysis>;
