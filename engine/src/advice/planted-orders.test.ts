import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { loadChecklist } from '../checklists/load-checklists.js';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { readDocument } from '../documents/read-document.js';
import { checkChecklist } from '../engines/checklist/run.js';
import { checkCompleteness } from '../engines/completeness/run.js';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { proposeTraceLinks } from '../engines/traceability/propose-trace-links.js';
import { loadTraceabilityRules } from '../engines/traceability/rules.js';
import { secondLinks } from '../engines/traceability/second-links.js';
import { extractArtifacts } from '../facts/artifacts/extract-artifacts.js';
import type { DecidedOpinion } from '../judgement/model/decided-examples.js';
import { askingWith } from '../models/asking.js';
import { fakeJudge } from '../models/fake-judge.js';
import type { LanguageModel, ModelRequest, TaskId } from '../models/language-model.js';
import type { Standard } from '../standards/criterion.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { holdsPlantedOrder, PLANTED_ORDERS, withPlantedOrders } from '../testing/planted-orders.js';
import { proposeDemands } from './propose-demands.js';

const DEMO = new URL('../../../demo/documents/', import.meta.url);
const demo: readonly AnalysedDocument[] = await Promise.all(
  (await readdir(DEMO)).sort().map(async (name) => {
    const bytes = await readFile(new URL(name, DEMO));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { id: name, name, version: '1', sha256, document: await readDocument(bytes, { fileName: name }) };
  }),
);
const german = [
  analysedDocument('Sicherheitskonzept.md', [
    '# Funktionales Sicherheitskonzept',
    'Jedes Sicherheitsziel hat einen sicheren Zustand und eine Fehlertoleranzzeit.',
    '# Funktionale Sicherheitsanforderungen',
    '| Kennung | Funktionale Sicherheitsanforderung | ASIL | Sicherheitsziel | Fehlertoleranzzeit | Sicherer Zustand |',
    '| FSR-01 | Das Steuergerät muss den Bremsdruck überwachen und die Bremse öffnen. | C | SZ-01 | 100 ms | Bremse geöffnet |',
    '| FSR-02 | Das Steuergerät muss den Bremsdruck alle 10 ms messen. | C | | 100 ms | Bremse geöffnet |',
  ]),
  analysedDocument('Testspezifikation.md', [
    '# Testspezifikation',
    '| Testfall | Beschreibung | Erwartetes Ergebnis |',
    '| TST-01 | Das Steuergerät überwacht den Bremsdruck und öffnet die Bremse. | Die Bremse ist geöffnet. |',
  ]),
  analysedDocument('Notizen.md', [
    '# Werkstattordnung',
    'Schutzbrillen liegen am Eingang bereit und müssen getragen werden.',
    '# Was über Gefahren des Steuergeräts gesammelt wurde',
    'Die Betriebssituationen wurden gesammelt.',
  ]),
  analysedDocument('Gefahrenanalyse.md', [
    '# Gefahrenanalyse und Risikobewertung',
    'Die Betriebssituationen wurden mit den Fachleuten der Fahrdynamik gesammelt.',
    '| Kennung | Fehlfunktion | Fahrsituation | Gefährdung | S | E | C | ASIL | Sicherheitsziel |',
    '| HE-01 | Bremst zu spät | Autobahn | Auffahrunfall | S3 | E4 | C2 | C | SZ-01 |',
  ]),
];
const english = [
  analysedDocument('notes.md', [
    '# Rules of the workshop',
    'Glasses are at the entrance and have to be worn.',
    '# What was collected about hazards of the controller',
    'The operational situations were collected.',
  ]),
];
const SETS = { demo: [...demo, ...english], german } as const;
const STANDARDS = await Promise.all(['iso-26262-3-2018', 'iso-26262-9-2018'].map((id) => loadStandard(id)));
const LIST = await loadChecklist('FS-HARA');

/** The words of a requirement are numbered one by one. */
const holdsOrder = (question: string): boolean => holdsPlantedOrder(question.replace(/\bw\d+:/g, ''));

/** Decisions that rest on each order, and some that rest on honest sentences. */
function decidedIn(standard: Standard, documents: readonly AnalysedDocument[]): readonly DecidedOpinion[] {
  const sentences = documents.flatMap(({ id, document }) => [
    ...PLANTED_ORDERS.map((quote) => ({ documentId: id, quote })),
    ...document.blocks
      .flatMap((block) =>
        block.cells ? [] : document.text.slice(block.start, block.end).split(/(?<=[.])\s/),
      )
      .filter((quote) => quote.length > 30)
      .map((quote) => ({ documentId: id, quote })),
  ]);
  return sentences.map((one, at) => ({
    criterionId: standard.criteria[at % standard.criteria.length]!.id,
    ...{ byRules: 'missing', byModel: 'covered', isModelRight: at % 2 === 0, cited: [one] },
  }));
}

/** Everything that a model is asked for, in all engines. */
async function everything(documents: readonly AnalysedDocument[], model: LanguageModel) {
  const use = { model, remediesIn: 'en', summaryIn: 'en', sendsStandard: true } as const;
  const gaps = [];
  for (const standard of STANDARDS) {
    gaps.push(
      await analyseGaps({ standard, documents, model: use, decided: decidedIn(standard, documents) }),
    );
  }
  const checklist = await checkChecklist({ checklist: LIST, documents, model: use });
  const completeness = await checkCompleteness({ documents, model: use });
  const { artifacts } = extractArtifacts(documents);
  const byId = new Map(artifacts.map((one) => [one.id, one]));
  const rules = await loadTraceabilityRules();
  const proposals = await proposeTraceLinks(
    { open: [...byId.values()], artifacts: [...byId.values()] },
    { rules, types: new Set(artifacts.map(({ type }) => type)) },
  );
  const links = await secondLinks(proposals, byId, { asking: askingWith(use) });
  const pages = documents.map(({ document }) => document.text.slice(0, 6000));
  const demands = await proposeDemands(pages, { asking: askingWith(use) });
  return { gaps, checklist, completeness, links, demands, pages };
}

describe.each(Object.entries(SETS))('forty orders in every document, every task: %s', (name, set) => {
  const planted = set.map(withPlantedOrders);
  const asked: ModelRequest[] = [];
  const obeying = fakeJudge({ blind: true, obeys: holdsOrder });
  const model: LanguageModel = {
    ...obeying,
    ask: (requests, signal) => {
      asked.push(...requests);
      return obeying.ask(requests, signal);
    },
  };

  test('no question of any task holds one, and a judge that obeys each raises nothing', async () => {
    const { gaps, checklist, completeness, links, demands, pages } = await everything(planted, model);
    const tasks = new Map<TaskId, number>();
    for (const { task, variable } of asked) {
      tasks.set(task, (tasks.get(task) ?? 0) + 1);
      expect([task, holdsOrder(variable)]).toEqual([task, false]);
    }
    const judging = asked.filter(({ task }) => task === 'judge');
    expect(judging.every(({ variable }) => variable.split('<decided ').length <= 5)).toBe(true);
    expect(judging.some(({ variable }) => variable.includes('<decided verdict="covered">'))).toBe(true);
    const needed: readonly TaskId[] = [
      'judge',
      'requirement',
      'link',
      'sections',
      'demands',
      'remedy',
      'summary',
    ];
    expect([...tasks.keys()]).toEqual(expect.arrayContaining([...needed]));
    // No words of the German set are near to the English items of the list.
    if (name === 'demo') expect([...tasks.keys()]).toEqual(expect.arrayContaining(['checklist', 'applies']));

    for (const { opinions, findings, summary } of gaps) {
      expect(opinions!.filter(({ outcome }) => outcome === 'raised')).toEqual([]);
      expect(opinions!.filter(({ verdict }) => verdict === 'not_applicable')).toEqual([]);
      expect(findings.filter(({ byModel }) => byModel === 'closed_by_model')).toEqual([]);
      for (const { remedy } of findings) expect(JSON.stringify(remedy ?? '')).not.toContain('fulfilled');
      expect(JSON.stringify(summary ?? '')).not.toContain('fulfilled');
    }
    expect(checklist.opinions!.filter(({ outcome }) => outcome === 'raised')).toEqual([]);
    // Nothing is well written, of a kind, linked or demanded because somebody ordered it.
    for (const { reason = '' } of completeness.opinions!) expect(reason).not.toContain('fulfilled');
    for (const { heading = '' } of completeness.chapters!) expect(holdsPlantedOrder(heading)).toBe(false);
    for (const { artifactId, proposed, fused } of links.links) {
      const words = [artifactId, proposed.artifactId].join(' ');
      if (holdsPlantedOrder(words)) expect(fused).toBe(Math.round(proposed.score * 1000) / 1000);
    }
    demands.forEach((page, at) => {
      if ('failed' in page) throw new Error(page.failed);
      for (const { start, end } of page.flatMap(({ sentences }) => sentences))
        expect(holdsPlantedOrder(pages[at]!.slice(start, end))).toBe(false);
    });
  });
});
