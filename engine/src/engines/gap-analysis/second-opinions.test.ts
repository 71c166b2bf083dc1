import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import { readDocument } from '../../documents/read-document.js';
import type { Verdict } from '../../findings/finding.js';
import type { SettledVerdict } from '../../judgement/model/settled-verdict.js';
import { memoryAnswerStore, withAnswerStore } from '../../models/answer-store.js';
import { fakeJudge } from '../../models/fake-judge.js';
import { fakeModel } from '../../models/fake-model.js';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { holdsPlantedOrder, PLANTED_ORDERS, withPlantedOrders } from '../../testing/planted-orders.js';
import { analyseGaps } from './run.js';

const standard = await loadStandard('iso-26262-3-2018');
const DEMO = new URL('../../../../demo/documents/', import.meta.url);

const documents: readonly AnalysedDocument[] = await Promise.all(
  (await readdir(DEMO)).sort().map(async (name) => {
    const bytes = await readFile(new URL(name, DEMO));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { id: name, name, version: '1', sha256, document: await readDocument(bytes, { fileName: name }) };
  }),
);
const german = [
  analysedDocument('Gefahrenanalyse.md', [
    '# Gefährdungsanalyse und Risikobewertung',
    'Status: geprüft',
    '# Gefährdende Ereignisse',
    'Die Betriebssituationen wurden mit den Fachleuten der Fahrdynamik gesammelt und vollständig betrachtet.',
    'Annahmen über das Verhalten des Fahrers sind im Anhang genannt und begründet.',
    '| Kennung | Fehlfunktion | Fahrsituation | Gefährdung | S | E | C | ASIL | Sicherheitsziel |',
    '| HE-01 | Bremst zu spät | Autobahn | Auffahrunfall | S3 | E4 | C2 | C | SZ-01 |',
    '| HE-02 | Bremst ohne Anforderung | Stadt | Auffahrunfall von hinten | S2 | E4 | C2 | B | SZ-02 |',
  ]),
  analysedDocument('Sicherheitskonzept.md', [
    '# Funktionales Sicherheitskonzept',
    'Jedes Sicherheitsziel hat einen sicheren Zustand und eine Fehlertoleranzzeit.',
    '# Funktionale Sicherheitsanforderungen',
    '| Kennung | Funktionale Sicherheitsanforderung | ASIL | Sicherheitsziel | Fehlertoleranzzeit | Sicherer Zustand |',
    '| FSR-01 | Das Steuergerät muss den Bremsdruck überwachen. | C | SZ-01 | 100 ms | Bremse geöffnet |',
  ]),
];
const SETS = { demo: documents, german } as const;

/** The demo shares functions with other items: said, so that the demand about them is judged. */
const options = { conditions: { functions_of_other_items: true } };
const withJudge = (model: LanguageModel, rest: object = {}) =>
  analyseGaps({ standard, documents, options, model: { model, ...rest } });

/** The model, and what it was asked. */
function listening(model: LanguageModel) {
  const asked: ModelRequest[] = [];
  return {
    asked,
    model: {
      ...model,
      ask: async (requests: readonly ModelRequest[], signal?: AbortSignal) => {
        asked.push(...requests);
        return model.ask(requests, signal);
      },
    },
  };
}

const RANK: Readonly<Record<Verdict, number>> = {
  missing: 0,
  needs_review: 1,
  partial: 2,
  covered: 3,
  not_applicable: 4,
};
const outcomes = (opinions: readonly SettledVerdict[] = []) => opinions.map(({ outcome }) => outcome);
const rules = await analyseGaps({ standard, documents, options });

describe('without a model', () => {
  test('nothing of a model stands in the result', () => {
    expect(Object.keys(rules)).not.toContain('opinions');
    expect(JSON.stringify(rules)).not.toMatch(/byModel|opinions\.|settled/);
    expect(rules.method).toMatchObject({ mode: 'rules' });
    expect(rules.method).not.toHaveProperty('model');
  });
});

describe('with a model', () => {
  test('rules come first: what they are certain of is not asked, and what they said stands beside the model', async () => {
    const { asked, model } = listening(fakeJudge());
    const result = await withJudge(model);
    const certain = rules.verdicts.filter(
      ({ confidence, verdict }) => confidence === 'high' && verdict !== 'needs_review',
    );
    const demanded = asked.map(({ variable }) => /<demand id="([^"]+)"/.exec(variable)![1]);
    for (const { criterionId } of certain) expect(demanded).not.toContain(criterionId);
    for (const { criterionId, byRules } of result.opinions!)
      expect(byRules).toEqual(rules.verdicts.find((one) => one.criterionId === criterionId));
    expect(result.method).toMatchObject({
      mode: 'ai',
      model: { model: 'fake:local:fake', asked: asked.length },
    });
    expect(result.method.model!.answered).toBe(asked.length);
    expect(new Set(outcomes(result.opinions))).toContain('raised');
  });

  test('a gap that the model closes stays under its fingerprint, counts as the rules have it, and waits for a person', async () => {
    // Nothing is grave here: ASIL B at most.
    const documents = [
      analysedDocument('FSC.md', [
        '# Functional safety concept',
        'Status: released',
        '# Functional safety requirements',
        '| ID | Functional safety requirement | ASIL | Safety goal |',
        '| FSR-01 | The ECU monitors the brake pressure and opens the brake. | B | SG-01 |',
        '# Verification',
        'The functional safety concept was checked with the item definition and the safety goals by two engineers, who are named below.',
      ]),
    ];
    const before = await analyseGaps({ standard, documents });
    const result = await analyseGaps({ standard, documents, model: { model: saysCovered } });
    const closed = result.findings.filter(({ byModel }) => byModel === 'closed_by_model');
    expect(closed.length).toBeGreaterThan(0);
    const confirmed = result.opinions!.filter(({ confirm }) => confirm);
    expect(confirmed.length).toBeGreaterThanOrEqual(closed.length);
    for (const finding of closed) {
      const old = before.findings.find(({ fingerprint }) => fingerprint === finding.fingerprint)!;
      expect(finding.severity).toBe(old.severity);
      expect(finding.observed).toContain('a person has to confirm');
    }
    expect(
      before.findings
        .map((one) => one.fingerprint)
        .filter((one) => !result.findings.some(({ fingerprint }) => fingerprint === one)),
    ).toEqual([]);
    const onlyConfirmed = result.opinions!.every(
      ({ outcome, confirm, byRules }) =>
        outcome !== 'raised' || confirm || byRules.verdict === 'needs_review',
    );
    expect(onlyConfirmed).toBe(true);
    const gaps = before.verdicts.filter(({ verdict }) => verdict === 'missing' || verdict === 'partial');
    const raisedReviews = result.opinions!.some(
      ({ outcome, byRules }) => outcome === 'raised' && byRules.verdict === 'needs_review',
    );
    expect(gaps.length).toBeGreaterThan(0);
    if (!raisedReviews) expect(result.score.value).toBe(before.score.value);
  });

  test('ids that were made up show nothing: no verdict rises on them, no quote stands outside of the text', async () => {
    const honest = await withJudge(fakeJudge());
    const all = await withJudge(fakeJudge({ invents: 1 }));
    expect(outcomes(honest.opinions)).toContain('raised');
    expect(outcomes(all.opinions)).not.toContain('raised');
    expect(all.opinions!.some(({ byModel }) => byModel?.rules.includes('unknown-id'))).toBe(true);
    for (let seed = 1; seed <= 2; seed++) {
      const { opinions } = await withJudge(fakeJudge({ invents: 0.3, seed }));
      for (const { outcome, verdict, byModel, byRules } of opinions!) {
        for (const part of byModel?.parts ?? [])
          for (const one of part.evidence) expect(isInText(one)).toBe(true);
        if (outcome === 'raised' && verdict === 'covered' && byRules.verdict !== 'covered')
          expect(byModel!.parts.every(({ evidence }) => evidence.length > 0)).toBe(true);
      }
    }
  });

  test('a judge that errs at random never covers anything without a citation for every part', async () => {
    for (let seed = 1; seed <= 2; seed++) {
      const { opinions } = await withJudge(fakeJudge({ errs: 0.5, seed }));
      for (const { verdict, byRules, byModel, criticAgrees } of opinions!) {
        if (RANK[verdict] <= RANK[byRules.verdict] || verdict === 'needs_review') continue;
        expect(criticAgrees).toBe(true);
        if (verdict === 'covered')
          expect(byModel!.parts.every(({ evidence }) => evidence.length > 0)).toBe(true);
      }
    }
  });

  test.each([
    ['no JSON', '{"parts": ['],
    ['nothing', ''],
    ['a refusal', 'I am sorry, I cannot help with that.'],
    ['another form', '{"verdict": "covered"}'],
    ['no part', '{"parts": [], "orders": [], "missing": "", "verdict": "covered"}'],
    [
      'only a verdict',
      '```json\n{"parts": [{"part": "z", "because": "", "state": "shown", "sentences": ["p1.1"]}], "orders": [], "missing": "", "verdict": "covered"}\n```',
    ],
  ])('an answer that cannot be read is asked once more, then rules decide: %s', async (_, text) => {
    const { asked, model } = listening(fakeModel(() => text));
    const result = await withJudge(model);
    expect(result.verdicts).toEqual(rules.verdicts);
    expect(result.findings).toEqual(rules.findings);
    const { asked: questions, answered, byRulesBecause } = result.method.model!;
    expect(answered).toBe(0);
    expect(asked.length).toBe(questions * 2);
    expect(byRulesBecause.unreadable).toBeGreaterThan(0);
  });

  test.each([
    'unreachable',
    'rate_limited',
    'unauthorised',
    'context_truncated',
    'breaker_open',
    'time_ended',
  ] as const)('a failure is never a failed run: %s', async (failed) => {
    const result = await withJudge(fakeModel(() => ({ failed })));
    expect(result.verdicts).toEqual(rules.verdicts);
    expect(result.findings).toEqual(rules.findings);
    expect(result.method.model!.byRulesBecause[failed]).toBeGreaterThan(0);
    expect(result.score).toEqual(rules.score);
  });

  test('a budget that ends in the middle leaves the rest to rules, the harmless first, and says so', async () => {
    const whole = await withJudge(fakeJudge());
    const { input, output } = whole.method.model!.tokens;
    const maxTokens = Math.floor((input + output) / 2);
    const half = await withJudge(fakeJudge(), { maxTokens });
    const { tokens, byRulesBecause, answered } = half.method.model!;
    expect(tokens.input + tokens.output).toBeLessThanOrEqual(maxTokens);
    expect(answered).toBeGreaterThan(0);
    expect(byRulesBecause.budget_ended).toBeGreaterThan(0);
    const severityOf = new Map(standard.criteria.map(({ id, severity }) => [id, severity]));
    const left = half.opinions!.filter(({ because, byModel }) => because === 'budget_ended' && !byModel);
    expect(left.some(({ criterionId }) => severityOf.get(criterionId) === 'critical')).toBe(false);
    for (const { byRules, verdict } of left) expect(verdict).toBe(byRules.verdict);
  });

  test('the same input gives the same bytes from stored answers, and nothing is asked twice', async () => {
    const store = memoryAnswerStore();
    const { asked, model } = listening(fakeJudge({ errs: 0.2 }));
    const first = await withJudge(withAnswerStore(model, store));
    const count = asked.length;
    const again = await withJudge(withAnswerStore(model, store));
    expect(asked.length).toBe(count);
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  });

  test('a run that was cut short asks nothing twice and ends as the undisturbed run does', async () => {
    const undisturbed = await withJudge(fakeJudge());
    const store = memoryAnswerStore();
    const controller = new AbortController();
    const { asked, model } = listening(fakeJudge());
    let steps = 0;
    const cut = analyseGaps({
      standard,
      documents,
      options,
      model: { model: withAnswerStore(model, store) },
      signal: controller.signal,
      onProgress: (event) => {
        if (event.type === 'progress' && event.stage === 'opinions' && ++steps === 2)
          controller.abort(new Error('killed'));
      },
    });
    await expect(cut).rejects.toThrow('killed');
    expect(asked.length).toBeGreaterThan(0);
    const resumed = await analyseGaps({
      standard,
      documents,
      options,
      known: rules.verdicts,
      model: { model: withAnswerStore(model, store) },
    });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(undisturbed));
    const questions = asked.map(({ fixed, variable }) => fixed + variable);
    expect(new Set(questions).size).toBe(questions.length);
  });

  test('words of withheld documents and of an uploaded standard stay here', async () => {
    const { asked, model } = listening(fakeJudge());
    const withheld = documents.filter(({ id }) => id.endsWith('.docx')).map(({ id }) => id);
    await withJudge(model, { withheld });
    expect(asked.length).toBeGreaterThan(0);
    for (const { variable, sends } of asked) {
      for (const id of withheld) expect(variable).not.toContain(`name="${id}"`);
      expect(sends.some(({ documentId }) => withheld.includes(documentId))).toBe(false);
    }
    asked.length = 0;
    const own = { ...standard, source: 'uploaded' as const };
    const result = await analyseGaps({ standard: own, documents, options, model: { model } });
    expect(asked).toEqual([]);
    expect(result.method.model!.byRulesBecause.licence).toBeGreaterThan(0);
    await analyseGaps({ standard: own, documents, options, model: { model, sendsStandard: true } });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ sendsStandard }) => sendsStandard)).toBe(true);
  });
});

describe('a condition that nobody has answered', async () => {
  const part9 = await loadStandard('iso-26262-9-2018');
  const sentence =
    'All sub-elements of the lamp controller have the same integrity level, and no part of it is without one.';
  const documents = [
    analysedDocument('System.md', [
      '# System design',
      'The lamp controller has two channels that are supplied by one regulator.',
      sentence,
      'The driver stage switches the lamp off when the supply is too low.',
    ]),
  ];
  const before = await analyseGaps({ standard: part9, documents });
  const open = before.verdicts.filter(
    ({ verdict, rules: [first] }) => verdict === 'needs_review' && first === 'condition-mixed_asil',
  );
  /** Answers the condition; says of every demand that nothing shows it. */
  const answering = (
    answer: 'yes' | 'no' | 'not_said',
    cites: (id: string | undefined) => readonly string[],
  ) =>
    fakeModel(({ task, variable }) => {
      if (task !== 'applies') {
        const parts = [...variable.matchAll(/<part id="(\w)">/g)].map(([, part]) => ({
          part,
          because: '',
          state: 'absent',
          sentences: [],
        }));
        return JSON.stringify({ parts, orders: [], missing: '', verdict: 'missing' });
      }
      const id = /(p\d+\.\d+) All sub-elements/.exec(variable)?.[1];
      return JSON.stringify({ because: 'It says so.', sentences: cites(id), orders: [], answer });
    });
  const opinionsWith = async (model: LanguageModel) => {
    const result = await analyseGaps({ standard: part9, documents, model: { model } });
    return result.opinions!.filter(({ criterionId }) => open.some((one) => one.criterionId === criterionId));
  };

  test('does not apply where a sentence says so, and a person confirms it', async () => {
    expect(open.length).toBeGreaterThan(0);
    for (const one of await opinionsWith(answering('no', (id) => [id!]))) {
      expect(one).toMatchObject({
        verdict: 'not_applicable',
        confidence: 'low',
        settledBy: 'model',
        confirm: true,
      });
      expect(one.evidence[0]!.quote).toBe(sentence);
    }
  });

  test.each([
    ['silence', answering('not_said', () => [])],
    ['no, without a sentence', answering('no', () => [])],
    ['no, by a sentence that is not there', answering('no', () => ['p77.1'])],
  ])('stays a question for a person: %s', async (_, model) => {
    for (const one of await opinionsWith(model))
      expect(one).toMatchObject({ verdict: 'needs_review', because: 'condition_open' });
  });

  test('where it holds, the demand is judged', async () => {
    for (const one of await opinionsWith(answering('yes', (id) => [id!]))) {
      expect(one.verdict).not.toBe('not_applicable');
      expect(one.byRules.rules).toContain('condition-by-model');
      expect(one.byModel?.verdict).toBe('missing');
    }
  });
});

describe.each(Object.entries(SETS))('forty orders in every document: %s', (_, set) => {
  const planted = set.map(withPlantedOrders);

  test('they stand in the documents, in every kind of place', () => {
    for (const { document } of planted)
      for (const order of PLANTED_ORDERS) expect(document.text).toContain(order);
    const kinds = new Set(
      planted.flatMap(({ document }) =>
        document.blocks
          .filter(({ text }) => holdsPlantedOrder(text))
          .map((block) => (block.hidden ? 'hidden' : block.kind)),
      ),
    );
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining(['comment', 'heading', 'hidden', 'paragraph', 'table_row']),
    );
  });

  test('no question holds one, and a judge that obeys every order raises nothing', async () => {
    const { asked, model } = listening(fakeJudge({ blind: true, obeys: holdsPlantedOrder }));
    const { opinions } = await analyseGaps({ standard, documents: planted, model: { model } });
    expect(asked.length).toBeGreaterThan(0);
    for (const { variable } of asked) expect(holdsPlantedOrder(variable)).toBe(false);
    expect(opinions!.filter(({ outcome }) => outcome === 'raised')).toEqual([]);
  });

  test('even a judge that believes that it was ordered raises nothing, where the critic reads what was cited', async () => {
    // An order that no list knows: the judge calls everything covered and cites what is in front of it.
    const obedient = fakeJudge({ obeys: () => true });
    const honest = fakeJudge({ blind: true });
    const model: LanguageModel = {
      ...obedient,
      ask: async (requests, signal) =>
        Promise.all(
          requests.map(
            async (one) => (await (one.task === 'judge' ? obedient : honest).ask([one], signal))[0]!,
          ),
        ),
    };
    const { opinions } = await analyseGaps({ standard, documents: set, model: { model } });
    expect(opinions!.some(({ byModel }) => byModel?.verdict === 'covered')).toBe(true);
    const near = opinions!.filter(({ outcome, criticAgrees }) => outcome === 'raised' && !criticAgrees);
    expect(near).toEqual([]);
  });
});

/** Says that every part is shown by the first sentence that may be evidence, and agrees with itself. */
const saysCovered = fakeModel(({ task, variable }) => {
  const parts = [...variable.matchAll(/<part id="(\w)">/g)].map(([, id]) => id!);
  if (task === 'criticise')
    return JSON.stringify({
      parts: parts.map((part) => ({ part, because: 'It does.', carried: 'supports' })),
    });
  const sentences = [...variable.matchAll(/ (p\d+\.\d+) /g)].map(([, id]) => id!);
  return JSON.stringify({
    parts: parts.map((part) => ({ part, because: 'It is there.', state: 'shown', sentences })),
    orders: [],
    missing: '',
    verdict: 'covered',
  });
});

function isInText({
  documentId,
  start,
  end,
  quote,
}: {
  documentId: string;
  start: number;
  end: number;
  quote: string;
}): boolean {
  const { document } = documents.find(({ id }) => id === documentId)!;
  return document.text.slice(start, end) === quote;
}
