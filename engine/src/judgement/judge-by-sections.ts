import { headingScore, headingTokens } from '../corpus/passages/headings.js';
import { say } from '../sentences/sentence.js';
import {
  groupEvidence,
  judgement,
  namedAsFound,
  nearMisses,
  notStated,
  openGroups,
  type Probes,
  partsNotShown,
  shownGroups,
} from './expectation-probes.js';
import type { Judgement } from './judgement.js';
import type { FoundSection } from './probe-sections.js';
import type { WeighedHit } from './probe-terms.js';

/** From this score on two titles mean the same (0.9 is one contained in the other, below it the overlap). */
const OWN_TITLE_SCORE = 0.6;

/** The section is declared not applicable. */
export function tailoredJudgement({ sections }: Probes): Judgement | undefined {
  const best = sections[0];
  if (!best || best.state === 'complete' || best.state === 'thin') return undefined;
  if (best.state === 'tailored_out') {
    return judgement('not_applicable', 'medium', {
      rules: ['section-tailored-out'],
      reason: say('verdicts.declared-not-applicable-with-reason', { title: best.title }),
      evidence: best.evidence,
    });
  }
  if (best.state === 'declared_not_applicable') {
    return judgement('missing', 'medium', {
      rules: ['section-not-applicable-without-reason'],
      reason: say('verdicts.declared-not-applicable-without-reason', { title: best.title }),
      evidence: best.evidence,
    });
  }
  return undefined;
}

/** A section that treats it, judged by what stands in it. */
export function sectionJudgement(probes: Probes): Judgement | undefined {
  const best = probes.sections[0];
  if (!best) return undefined;
  const { groups } = probes;
  const shown = shownGroups(probes);
  const open = openGroups(probes);
  const title = say('verdicts.section-called', { title: best.title });
  if (best.state === 'complete') {
    if (open.length === 0) {
      const isInside =
        groups.length > 0 && groups.every((group) => group.stated.some((hit) => standsIn(hit, best)));
      return judgement('covered', isInside ? 'high' : 'medium', {
        rules: ['section-complete', ...shown.map((group) => group.stated[0]!.rule)],
        reason: say('verdicts.treats-it', { title: title }),
        evidence: [...groupEvidence(shown), ...best.evidence],
      });
    }
    if (shown.length > 0) {
      return judgement('partial', 'medium', {
        rules: ['section-complete', 'parts-not-shown'],
        reason: say('verdicts.treats-it-in-part-nothing-states', { title, ...notStated(open) }),
        evidence: [...groupEvidence(shown), ...best.evidence.slice(0, 1), ...nearMisses(open)],
        defects: partsNotShown(probes, open),
      });
    }
    if (isItsOwnSection(best, probes)) {
      return judgement('covered', 'low', {
        rules: ['section-complete', 'own-section'],
        reason: say('verdicts.is-made-for-it-and-has', { title: title }),
        evidence: best.evidence,
      });
    }
    return judgement('needs_review', best.score >= 1 ? 'medium' : 'low', {
      rules: ['section-complete', 'words-not-found'],
      reason: say('verdicts.has-content-under-a-fitting-heading', { title: title }),
      evidence: best.evidence,
    });
  }
  if (best.state === 'figure_only') {
    return judgement('needs_review', 'low', {
      rules: ['T14-figure-only'],
      reason: say('verdicts.holds-only-a-figure-whose-content', { title: title }),
      evidence: best.evidence,
    });
  }
  if (best.state === 'by_reference') {
    return judgement('needs_review', 'medium', {
      rules: ['section-by-reference'],
      reason: say('verdicts.points-to-another-document-it-has', { title: title }),
      evidence: best.evidence,
    });
  }
  if (best.state === 'thin') {
    return judgement(
      shown.length > 0 && open.length === 0 && groups.length > 0 ? 'partial' : 'needs_review',
      'medium',
      {
        rules: ['section-thin'],
        reason: say('verdicts.says-very-little-or-its-table', { title: title }),
        evidence: [...best.evidence, ...groupEvidence(shown)],
      },
    );
  }
  // Empty or placeholder: what stands elsewhere in the document can only be a part.
  const rule = best.state === 'placeholder' ? 'EM-02-section-placeholder' : 'EM-01-section-empty';
  if (shown.length > 0) {
    return judgement('partial', 'medium', {
      rules: [rule, ...shown.map((group) => group.stated[0]!.rule)],
      reason: say('verdicts.is-stands-elsewhere-in-the-document', {
        title: title,
        state: say(best.state === 'placeholder' ? 'verdicts.state-placeholder' : 'verdicts.state-empty'),
        shown: namedAsFound(shown),
      }),
      evidence: [...best.evidence, ...groupEvidence(shown)],
    });
  }
  return judgement('missing', 'high', {
    rules: [rule],
    reason: say('verdicts.section-there-but-open', { title: title, state: best.state === 'placeholder' }),
    evidence: best.evidence,
  });
}

/**
 * A section under the demand's own title, or under a heading of the template that says nearly the same. A section
 * that only also treats the demand is none: requirements need not name their operating modes.
 */
function isItsOwnSection(section: FoundSection, { criterion, groups }: Probes): boolean {
  if (section.score < 1 || groups.length > 1) return false;
  const title = headingTokens(criterion.title);
  const [heading] = section.names;
  return [section.title, heading ?? ''].some(
    (name) => headingScore(headingTokens(name), title) >= OWN_TITLE_SCORE,
  );
}

function standsIn({ hit }: WeighedHit, section: FoundSection): boolean {
  const { blockIndex } = hit.passage;
  return hit.document.id === section.documentId && blockIndex >= section.start && blockIndex < section.end;
}
