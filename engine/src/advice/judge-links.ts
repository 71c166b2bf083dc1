import type { Asking, NoAnswer } from '../models/asking.js';
import { modelWords } from '../models/read-answer.js';
import { mayOrderModel } from '../text/embedded-instruction.js';

/** A proposed link between two artifacts. */
export interface ProposedLink {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  /** What the link would mean, for a person: "verifies". */
  readonly relation: string;
  /** How near rules found them. */
  readonly score: number;
}

export interface LinkEnd {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** Where its words stand; empty for what somebody wrote into the workspace. */
  readonly documentId: string;
}

/** A link that people of the project have decided. */
export interface LinkExample {
  readonly from: string;
  readonly to: string;
  readonly isRight: boolean;
  /** Whose words it holds. */
  readonly documentIds?: readonly string[];
}

/** A proposal with what a model said of it. */
export interface JudgedLink extends ProposedLink {
  readonly answer?: 'yes' | 'no' | 'cannot_tell';
  /** The model's own words: the concept that both share. */
  readonly shared?: string;
  readonly because?: NoAnswer;
  /** The score, more where the model says yes: a model refuses what is wrong and finds nothing new. */
  readonly fused: number;
}

const MOST_EXAMPLES = 6;

/**
 * Asks about proposed links, one question each. A "yes" adds its weight to the score, nothing is taken away; whether a link is made
 * stays with a person. Pairs whose words give orders or may not be sent keep their score.
 * @param weight In units of the score; from the evaluation of the ranking that made the scores.
 */
export async function judgeLinks(
  links: readonly ProposedLink[],
  {
    asking,
    weight,
    examples = [],
  }: { readonly asking: Asking; readonly weight: number; readonly examples?: readonly LinkExample[] },
): Promise<readonly JudgedLink[]> {
  const isSendable = ({ from, to }: ProposedLink) =>
    [from, to].every(
      ({ documentId, id, text }) =>
        !asking.use.withheld?.includes(documentId) && !mayOrderModel(text) && !mayOrderModel(id),
    );
  const sent = links.filter(isSendable);
  const isWithheld = ({ documentIds = [] }: LinkExample) =>
    documentIds.some((id) => asking.use.withheld?.includes(id));
  const chosen = balanced(examples.filter((one) => !isWithheld(one)));
  const ofExamples = chosen.flatMap(({ documentIds = [] }) =>
    documentIds.map((documentId) => ({ documentId, passageId: 'example' })),
  );
  const shown = chosen.map(({ from, to, isRight }) => ({
    first: from,
    second: to,
    answer: isRight ? 'yes' : 'no',
  }));
  const answers = await asking.ask(
    sent.map(({ from, to, relation }) => ({
      task: 'link' as const,
      values: {
        examples: shown,
        relation,
        fromType: from.type,
        fromId: from.id,
        first: from.text,
        toType: to.type,
        toId: to.id,
        second: to.text,
      },
      sends: [from, to]
        .filter(({ documentId }) => documentId !== '')
        .map(({ documentId, id }) => ({ documentId, passageId: id }))
        .concat(ofExamples),
    })),
  );
  const given = new Map(sent.map((link, at) => [link, answers[at]!]));
  return links.map((link): JudgedLink => {
    const one = given.get(link);
    if (!one) return { ...link, fused: link.score, because: 'policy' };
    if ('failed' in one) return { ...link, fused: link.score, because: one.failed };
    const { answer, shared } = one.answer;
    return {
      ...link,
      answer,
      shared: modelWords(shared),
      fused: answer === 'yes' ? link.score + weight : link.score,
    };
  });
}

/** As many right as wrong ones, in turns: examples of one kind teach to say that kind. */
function balanced(examples: readonly LinkExample[]): readonly LinkExample[] {
  const usable = examples.filter(({ from, to }) => !mayOrderModel(from) && !mayOrderModel(to));
  const right = usable.filter(({ isRight }) => isRight);
  const wrong = usable.filter(({ isRight }) => !isRight);
  const each = Math.min(right.length, wrong.length, MOST_EXAMPLES / 2);
  return Array.from({ length: each }, (_, at) => [right[at]!, wrong[at]!]).flat();
}
