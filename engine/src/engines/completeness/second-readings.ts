import { type RatedText, rateRequirements } from '../../advice/rate-requirements.js';
import type { Corpus } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { StatedRequirement } from '../../facts/requirement.js';
import { type Asking, type ModelStatement, modelStatement } from '../../models/asking.js';
import type { ChapterOpinion, RequirementOpinion, RequirementsLooked } from './completeness.js';
import { secondChapters } from './second-chapters.js';

/** So many requirements are looked at in a run, spread evenly over all: each is asked about along every axis. */
const MOST_REQUIREMENTS = 60;

/** Asks a language model what documents without a type are, and how requirements are written, beside the rules about their words. */
export async function secondReadings(
  corpus: Corpus,
  requirements: readonly StatedRequirement[],
  asking: Asking,
): Promise<{
  readonly chapters: readonly ChapterOpinion[];
  readonly opinions: readonly RequirementOpinion[];
  readonly looked: RequirementsLooked;
  readonly statement: ModelStatement;
}> {
  const chapters = await secondChapters(corpus, asking);
  const every = Math.max(1, requirements.length / MOST_REQUIREMENTS);
  const looked = requirements.filter((_, at) => Math.floor(at / every) !== Math.floor((at - 1) / every));
  const ratings = await rateRequirements(
    looked.map((one): RatedText & { readonly stated: StatedRequirement } => ({
      id: one.id,
      // As the document has it: places of words are places in it.
      text: one.document.read.document.text.slice(one.start, one.end),
      documentId: one.document.id,
      passageId: one.passage.id,
      stated: one,
    })),
    { asking },
  );
  const opinions = ratings.map(
    ({ of: { id, documentId, stated }, axis, score, words, reason, because }): RequirementOpinion => ({
      documentId,
      requirementId: id,
      axis,
      ...(score === undefined ? {} : { score }),
      ...(reason === undefined ? {} : { reason }),
      evidence: words.map(({ start, end }) =>
        quote(
          stated.document.read.document,
          stated.passage,
          { start: stated.start + start, end: stated.start + end },
          { role: 'context' },
        ),
      ),
      ...(score === undefined ? { because: because ?? ('cannot_tell' as const) } : {}),
    }),
  );
  const because = [...chapters, ...opinions].flatMap((one) => one.because ?? []);
  return {
    chapters,
    opinions,
    looked: { requirements: looked.length, of: requirements.length },
    statement: modelStatement(asking, because),
  };
}
