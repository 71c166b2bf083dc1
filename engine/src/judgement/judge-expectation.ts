import { type Corpus, documentOf, isWithin } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { probeMetadata } from '../corpus/metadata-fields.js';
import { headingTokens } from '../corpus/passages/headings.js';
import type { Evidence } from '../findings/finding.js';
import { type Sentence, say } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';
import { titleWords } from '../standards/criterion-words.js';
import {
  asContext,
  evidenceOf,
  filledColumns,
  groupEvidence,
  judgement,
  named,
  namedAsFound,
  nearMisses,
  notStated,
  openGroups,
  type Probes,
  partsNotShown,
  shownGroups,
  unique,
} from './expectation-probes.js';
import { columnsJudgement } from './judge-by-columns.js';
import { sectionJudgement, tailoredJudgement } from './judge-by-sections.js';
import type { Judgement, JudgementContext } from './judgement.js';
import { nearPassages } from './near-passages.js';
import { probeColumns } from './probe-columns.js';
import { probeSections } from './probe-sections.js';
import { probeTerms, type TermGroup } from './probe-terms.js';
import { unreadTables } from './unread-tables.js';

/**
 * Judges one demand on content. Table fields are surer than sections, sections surer than sentences. The groups
 * of phrases are the parts of the demand: it is covered when every part is shown, partial when some are.
 * Words that are near are never enough: a place must state the thing, and be where it is expected.
 */
export function judgeExpectation(
  criterion: Criterion,
  home: readonly DocumentPart[],
  context: Pick<JudgementContext, 'corpus' | 'index' | 'coverageOf' | 'nearest'>,
): Judgement {
  const { corpus, index, coverageOf } = context;
  const lookFor = criterion.lookFor ?? {};
  const probes: Probes = {
    criterion,
    home,
    columns: probeColumns(corpus, lookFor.columns ?? [], home),
    sections: probeSections(corpus, lookFor.sections ?? [], home),
    groups: probeTerms(corpus, index, {
      groups: lookFor.terms ?? [],
      home,
      plan: criterion.plan ?? false,
      german: lookFor.german,
    }),
    fields: probeMetadata(corpus, lookFor.metadata ?? [], home),
    seemsTreated: coverageOf(criterion)?.probablyMissing === false,
  };
  return (
    deniedJudgement(probes) ??
    tailoredJudgement(probes) ??
    columnsJudgement(probes) ??
    sectionJudgement(probes) ??
    termsJudgement(probes) ??
    fieldsJudgement(probes) ??
    absentJudgement(probes, { near: nearPassages(criterion, context, home), corpus })
  );
}

/** Two words or more, or an abbreviation. */
const IS_TELLING = /\S\s+\S|\p{Lu}{2}/u;

/** Somebody wrote that it was not done (T2), and nobody wrote that it was. */
function deniedJudgement(probes: Probes): Judgement | undefined {
  // Where the document is there that should hold it, a sentence of another one is about something of its own; without it, one with
  // a common word of the demand ("blocked", "passes") is about anything.
  const denied = probes.groups
    .flatMap((group) => group.denied)
    .filter(({ hit, words }) =>
      probes.home.length === 0 ? IS_TELLING.test(words) : isWithin(probes.home, hit.passage),
    );
  if (denied.length === 0) return undefined;
  const supporting = [
    ...groupEvidence(shownGroups(probes)),
    ...filledColumns(probes).flatMap((column) => column.evidence),
  ];
  const rules = denied.map((hit) => hit.rule);
  if (supporting.length === 0 && !probes.sections.some((section) => section.state === 'complete')) {
    const reason = say('verdicts.a-statement-says-that-it-was');
    return judgement('missing', 'high', { rules, reason, evidence: evidenceOf(denied) });
  }
  const isClear = filledColumns(probes).length > 0 && filledColumns(probes).length === probes.columns.length;
  if (isClear || openGroups(probes).length === 0) return undefined;
  return judgement('needs_review', 'medium', {
    rules: [...rules, 'support-and-denial'],
    reason: say('verdicts.one-place-speaks-for-it-another'),
    evidence: [...evidenceOf(denied).slice(0, 3), ...supporting],
  });
}

/** Sentences and table rows in the documents where it is expected. */
function termsJudgement(probes: Probes): Judgement | undefined {
  const { groups } = probes;
  const shown = shownGroups(probes);
  const open = openGroups(probes);
  if (shown.length === 0) return undefined;
  const rules = shown.map((group) => group.stated[0]!.rule);
  const evidence = groupEvidence(shown);
  if (open.length > 0) {
    return judgement('partial', 'medium', {
      rules: [...rules, 'parts-not-shown'],
      reason: say('verdicts.is-stated-nothing-states', { shown: namedAsFound(shown), ...notStated(open) }),
      evidence: [...evidence, ...nearMisses(open)],
      defects: partsNotShown(probes, open),
    });
  }
  if (groups.length === 1 && isSingleMention(shown[0]!)) {
    return judgement('needs_review', 'low', {
      rules: [...rules, 'single-mention'],
      reason: say('verdicts.one-sentence-has-the-word-a', { shown: namedAsFound(shown) }),
      evidence,
    });
  }
  const isField = shown.every((group) => group.stated[0]!.source === 'field');
  const near = areNear(shown);
  if (groups.length > 1 && !near && !isField) {
    return judgement('needs_review', 'low', {
      rules: [...rules, 'parts-far-apart'],
      reason: say('verdicts.all-parts-are-named-but-far'),
      evidence,
    });
  }
  return judgement('covered', isField ? 'high' : 'medium', {
    rules,
    reason: isField
      ? say('verdicts.table-fields-state-it')
      : say('verdicts.a-statement-in-the-document-where'),
    evidence: [...evidence, ...groups.flatMap((group) => evidenceOf(group.stated.slice(1, 2)))],
  });
}

/** One word in one sentence: too little to tell that the demand is met. */
function isSingleMention({ stated }: TermGroup): boolean {
  if (stated.length > 1) return false;
  const { hit, source } = stated[0]!;
  const words = hit.document.read.document.text.slice(hit.start, hit.end);
  return source === 'sentence' && headingTokens(words).length <= 1;
}

/** Within this many blocks statements belong together. */
const NEAR_BLOCKS = 25;

/** Whether some statement of each group stands near one of the first. */
function areNear(groups: readonly TermGroup[]): boolean {
  const [first, ...others] = groups;
  return first!.stated.some((anchor) =>
    others.every((group) =>
      group.stated.some(
        ({ hit }) =>
          hit.document === anchor.hit.document &&
          Math.abs(hit.passage.blockIndex - anchor.hit.passage.blockIndex) <= NEAR_BLOCKS,
      ),
    ),
  );
}

/** Metadata of each document where it is expected. */
function fieldsJudgement(probes: Probes): Judgement | undefined {
  const { fields } = probes;
  if (fields.length === 0) return undefined;
  const present = fields.filter((field) => field.state === 'present');
  const lacking = fields.filter((field) => field.state !== 'present');
  const evidence = fields.flatMap((field) => field.evidence);
  if (lacking.length === 0) {
    return judgement('covered', 'high', {
      rules: ['metadata-field'],
      reason: say('verdicts.the-metadata-are-filled-in'),
      evidence,
    });
  }
  if (present.length === 0 && evidence.length === 0) return undefined;
  const labels = [...new Set(lacking.map((field) => field.label))].map((text) =>
    say('general.quoted', { text }),
  );
  return judgement(present.length > 0 ? 'partial' : 'missing', 'high', {
    rules: ['metadata-field', ...(lacking.some((field) => field.state === 'open') ? ['PH-metadata'] : [])],
    reason: say('verdicts.not-filled-in', { labels, lacking: lacking.length }),
    evidence,
    defects: lacking.map(({ label, state }) => `${label.en}: ${state}`),
  });
}

/**
 * Nothing where it is expected. Nothing was found under the words that were looked for: that is missing where the document was read to its
 * end and no passage of it names the demand, and for a person where one does.
 */
function absentJudgement(
  probes: Probes,
  { near, corpus }: { readonly near: readonly Evidence[]; readonly corpus: Corpus },
): Judgement {
  const { groups, home, seemsTreated } = probes;
  const announced = groups.flatMap((group) => group.announced);
  // Where the document that should hold it is not among those given, an announcement elsewhere is about other work.
  if (announced.length > 0 && home.length > 0) {
    return judgement('missing', 'high', {
      rules: announced.map((hit) => hit.rule),
      reason: say('verdicts.only-announced'),
      evidence: evidenceOf(announced),
    });
  }
  const unclear = groups.flatMap((group) => group.unclear);
  if (unclear.length > 0) {
    return judgement('needs_review', 'low', {
      rules: unclear.map((hit) => hit.rule),
      reason: say('verdicts.what-there-is-cannot-be-decided'),
      evidence: evidenceOf(unclear),
    });
  }
  const elsewhere = groups.filter((group) => group.elsewhere.length > 0);
  if (elsewhere.length > 0 && elsewhere.length === groups.length) {
    return judgement('needs_review', 'low', {
      rules: ['stated-elsewhere'],
      reason:
        home.length > 0
          ? say('verdicts.nothing-in-the-document-where-it')
          : say('verdicts.work-product-not-found-others-state-it'),
      evidence: elsewhere.flatMap((group) => evidenceOf(group.elsewhere.slice(0, 1))).map(asContext),
    });
  }
  const ignored = [
    ...groups.flatMap((group) => group.ignored),
    ...groups.flatMap((group) => group.elsewhere),
    ...announced,
  ];
  const words =
    groups.length > 0 ? named(groups) : [say('general.quoted', { text: titleWords(probes.criterion) })];
  if (ignored.length === 0 && near.length > 0) {
    return judgement('needs_review', 'low', {
      rules: ['nothing-found', 'passage-near'],
      reason: say('verdicts.not-found-but-near', { words }),
      evidence: near,
    });
  }
  const unread = lookedForInColumns(probes)
    ? home.flatMap((part) => unreadTables(documentOf(corpus, part.documentId)))
    : [];
  if (unread.length > 0) {
    return judgement('needs_review', 'low', {
      rules: ['nothing-found', 'T14-table-not-read'],
      reason: say('verdicts.not-found-but-table-not-read', {
        words,
        tables: unique(unread.map(({ title }) => title)).map((text) => say('general.quoted', { text })),
      }),
      evidence: unread.flatMap(({ evidence }) => evidence),
    });
  }
  return judgement('missing', home.length > 0 && !seemsTreated ? 'medium' : 'low', {
    rules: ['nothing-found', ...ignored.map((hit) => hit.rule).slice(0, 3)],
    reason:
      ignored.length > 0
        ? say('verdicts.only-named-nowhere-treated')
        : home.length > 0
          ? say('verdicts.read-to-the-end', { words, names: documentNames(home, corpus) })
          : say('verdicts.not-found-under', { words }),
    evidence: evidenceOf(ignored).map(asContext).slice(0, 4),
  });
}

/** Tables answer such a demand. */
const lookedForInColumns = ({ criterion }: Probes): boolean => (criterion.lookFor?.columns ?? []).length > 0;

const documentNames = (home: readonly DocumentPart[], corpus: Corpus): readonly Sentence[] =>
  unique(home.map(({ documentId }) => documentOf(corpus, documentId).name)).map((text) =>
    say('general.quoted', { text }),
  );
