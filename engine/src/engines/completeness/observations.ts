import type { CorpusDocument } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { QualityHit, StatedRequirement } from '../../facts/requirement.js';
import { assessRequirements } from '../../requirement-quality/requirement-quality.js';
import { say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { QualitySeverity } from '../../words/quality-words.js';
import { qualityWords } from '../../words/quality-words.js';
import type { CompletenessOptions, Observation, RequirementQualityResult } from './completeness.js';

const ORDER: readonly QualitySeverity[] = ['low', 'medium', 'high'];
/** Of a rule that fires on most requirements these many are shown. */
const EXAMPLES = 3;

/** Observations on the wording of a document's requirements (domain G.5): most severe first within a requirement. */
export function requirementQuality(
  document: CorpusDocument,
  requirements: readonly StatedRequirement[],
  options: CompletenessOptions,
): RequirementQualityResult {
  const { least = 'medium', ...quality } = options.requirementQuality ?? {};
  const glossary = [...glossaryOf(document), ...(quality.glossary ?? [])];
  const assessed = assessRequirements(requirements, { ...quality, glossary });
  const systematic = new Set(assessed.rules.filter((rule) => rule.systematic).map((rule) => rule.rule));
  const shown = new Map<string, number>();
  const observations = requirements.flatMap((requirement, at) =>
    assessed.requirements[at]!.hits.flatMap((hit) => {
      if (ORDER.indexOf(hit.severity) < ORDER.indexOf(least)) return [];
      const count = (shown.get(hit.rule) ?? 0) + 1;
      shown.set(hit.rule, count);
      return systematic.has(hit.rule) && count > EXAMPLES ? [] : [observationOf(requirement, hit)];
    }),
  );
  return {
    requirements: requirements.length,
    clean: assessed.clean,
    rules: assessed.rules.map((one) => ({
      ...one,
      ...worded({ finding: written(qualityWords().rules.get(one.rule)!.finding) }),
    })),
    ears: assessed.ears,
    scores: assessed.requirements.map(({ id, score }) => ({ requirement: id, score })),
    observations,
  };
}

function observationOf(requirement: StatedRequirement, hit: QualityHit): Observation {
  const { document, passage, start } = requirement;
  const rule = qualityWords().rules.get(hit.rule)!;
  const focus = { start: start + hit.start, end: start + hit.end };
  const place = { start, end: requirement.end };
  return {
    requirement: requirement.id,
    rule: hit.rule,
    severity: hit.severity,
    ...worded({
      finding: say('general.written', { text: rule.finding }),
      why: say('general.written', { text: rule.why }),
    }),
    ...(hit.note === undefined ? {} : { note: hit.note }),
    rewrite: hit.rewrite,
    others: hit.others ?? [],
    evidence: quote(document.read.document, passage, place, {
      role: 'context',
      note: say('general.written', { text: rule.finding }),
      focus,
    }),
  };
}

/** Terms of the document's glossary: the first cell of its rows, or what stands before a dash. */
function glossaryOf({ read }: CorpusDocument): readonly string[] {
  return read.passages.flatMap((passage) => {
    if (passage.role !== 'glossary' || passage.header) return [];
    const cells = read.document.blocks[passage.blockIndex]!.cells;
    const term = (cells?.[0]?.text ?? passage.text.split(/\s+[–—-]\s+|:\s/)[0]!).trim();
    return term !== '' && term.length <= 60 ? [term] : [];
  });
}
