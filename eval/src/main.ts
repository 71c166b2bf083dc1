import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fileEmbeddingCache, openBuiltInModel, withEmbeddingCache } from '@normtrace/engine';
import { checklistDetails, judgeChecklists } from './checklists.js';
import { checklistAnswers, confidenceClasses, misleadingClasses, verdictAnswers } from './confidence.js';
import { evaluateCoverage, fitShippedModel } from './coverage.js';
import { coverageModelYaml } from './coverage-model-yaml.js';
import { checkFacts } from './facts/main.js';
import { judgeFindings, sectionIn, withSection } from './findings/main.js';
import { GoldDataError, loadCoverageCorpora, loadLinkSets } from './gold.js';
import { loadChecklistCases } from './gold-checklists.js';
import { judgeLinksAgain } from './judge/main.js';
import { RECORDED_HEADING } from './judge/recorded-links.js';
import { judgeWithModel } from './judge/second-opinions.js';
import { evaluateLinks } from './links.js';
import { methodsToCompare } from './methods.js';
import { judgeProposals } from './proposals.js';
import {
  checklistTable,
  conclusions,
  confidenceTable,
  coverageTable,
  type EvaluationReport,
  linkTable,
  type MethodFigures,
  markdownReport,
  misleadingSentence,
  proposalTable,
  transferTable,
  verdictTable,
} from './report.js';
import { hangsOnWords, reworded, rewordedFigures, rewordedSentence } from './reworded.js';
import { transferEvidenceSettings, transferLinkSettings } from './settings-transfer.js';
import { judgeVerdicts } from './verdicts.js';

const USAGE = `npm run eval -- facts --data <folder with documents/ and gold/>: known facts of real documents, expected and found
npm run eval -- findings --data <gold> [--mixes <folder>] [--only plants,N05,clean] [--verbose]: findings beside those of a person
npm run eval -- recorded-links --data <folder with links/ and link-judgements/> [--embeddings off]: links with recorded answers of language models
npm run eval -- judge --data <gold> --base-url <address> --model <name> [--key-file <file>] [--record] [--max-tokens <n>]: rules, and rules
  with a language model; prints first what it would ask. --record keeps the answers in eval/answers/<model> (--answers <folder>), from
  which "judge --data <gold> --answers <folder>" takes them without a network
npm run eval -- --data <folder> [--embeddings off] [--cache <folder>] [--report <file>] [--write-model] [--verbose]
  --data         folder with links/, coverage/ and checklists/, as described in docs/evaluation.md
  --embeddings   "on" (default) or "off"
  --cache        folder that keeps embeddings between runs (default: in the system's temporary folder)
  --report       where to write the report (default: docs/evaluation.md)
  --write-model  fit the shipped coverage model on all corpora and write it to the engine's data
  --mixes        folder with mixes of plants (M05, M10, …), made by plants/make.py
  --only         run these alone, by commas; nothing is written then: sets (or the name of one), plants (P07, P01-P09),
                 harmless (N05, V01), mixes (M05), de, banana, clean (nothing but the clean project, which always runs)
  --processes    engine processes of findings at once (default: one a core); each takes some 600 MB
  --verbose      print every checklist item that fails with the places that it cites`;

const repository = fileURLToPath(new URL('../../', import.meta.url));

async function main(): Promise<number> {
  if (process.argv[2] === 'judge') return judgeWithModel(process.argv.slice(3));
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      embeddings: { type: 'string', default: 'on' },
      cache: { type: 'string', default: join(tmpdir(), 'normtrace-embeddings') },
      report: { type: 'string', default: join(repository, 'docs', 'evaluation.md') },
      'write-model': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      mixes: { type: 'string' },
      only: { type: 'string' },
      processes: { type: 'string' },
    },
  });
  if (positionals[0] === 'facts') return checkFacts(values.data);
  if (positionals[0] === 'findings')
    return judgeFindings({
      ...values,
      mixes: values.mixes,
      only: values.only,
      processes: values.processes,
      data: values.data,
    });
  if (!values.data || !['on', 'off'].includes(values.embeddings)) {
    console.error(USAGE);
    return 2;
  }
  if (!existsSync(values.data)) {
    console.error(`The data folder ${values.data} does not exist; nothing was evaluated.`);
    return 2;
  }
  if (positionals[0] === 'recorded-links') return recordedLinks(values.data, values);
  const linkSets = loadLinkSets(values.data);
  const corpora = loadCoverageCorpora(values.data);
  const cases = loadChecklistCases(values.data);
  if (linkSets.length + corpora.length + cases.length === 0) {
    console.error(`${values.data} holds no sets in links/, coverage/ or checklists/; nothing was evaluated.`);
    return 2;
  }
  const builtIn = values.embeddings === 'on' ? openBuiltInModel() : undefined;
  const model = builtIn && withEmbeddingCache(builtIn, fileEmbeddingCache(values.cache));
  try {
    const compared = methodsToCompare(model);
    if (values['write-model']) {
      if (!model) throw new GoldDataError('--write-model needs embeddings.');
      const [, lexical] = compared;
      const fitted = await fitShippedModel(corpora, { embedded: compared.at(-1)!, lexical: lexical! });
      writeFileSync(join(repository, 'engine/data/retrieval/coverage-model.yaml'), coverageModelYaml(fitted));
    }
    const checklists = await judgeChecklists(cases);
    if (values.verbose) console.log(checklistDetails(checklists));
    const methods: MethodFigures[] = [];
    for (const method of compared) {
      const started = performance.now();
      const links = await evaluateLinks(linkSets, method);
      const coverage = await evaluateCoverage(corpora, method);
      methods.push({ method: method.name, links, coverage });
      console.log(`${method.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
    if (linkSets.length > 0) console.log(`\n${linkTable(methods)}`);
    if (corpora.length > 0) console.log(`\n${coverageTable(methods)}`);
    const otherWords = rewordedFigures(checklists, await judgeChecklists(reworded(cases)));
    if (checklists.length > 0) {
      console.log(`\n${checklistTable(checklists)}\n\n${rewordedSentence(otherWords)}`);
    }
    const transfer: EvaluationReport['transfer'] = model
      ? [
          ...(linkSets.length > 1
            ? [{ title: 'links, MAP', figures: await transferLinkSettings(linkSets, model) }]
            : []),
          ...(corpora.length > 1
            ? [{ title: 'coverage, hit@3', figures: await transferEvidenceSettings(corpora, model) }]
            : []),
        ]
      : [];
    for (const { title, figures } of transfer) console.log(`\n${transferTable(title, figures)}`);
    console.log(`\n${conclusions(methods).join('\n')}`);
    const verdicts = await judgeVerdicts(corpora, compared.at(-1)!, model);
    if (verdicts.length > 0) console.log(`\n${verdictTable(verdicts)}`);
    const proposals = await judgeProposals(linkSets, model);
    if (proposals.length > 0) console.log(`\n${proposalTable(proposals)}`);
    const confidence = [
      ...confidenceClasses('verdicts on uploaded standards', verdictAnswers(verdicts)),
      ...confidenceClasses('answers to checklists', checklistAnswers(checklists)),
    ];
    if (confidence.length > 0) console.log(`\n${confidenceTable(confidence)}`);
    const date = new Date().toISOString().slice(0, 10);
    const data = basename(resolve(values.data));
    const made = markdownReport({
      date,
      data,
      model: model?.id,
      methods,
      transfer,
      checklists,
      reworded: otherWords,
      verdicts,
      proposals,
      confidence,
    });
    const before = existsSync(values.report) ? readFileSync(values.report, 'utf8') : '';
    const kept = [undefined, RECORDED_HEADING].flatMap((heading) => {
      const section = sectionIn(before, heading);
      return section === undefined ? [] : [{ section, heading }];
    });
    writeFileSync(
      values.report,
      kept.reduce((report, { section, heading }) => withSection(report, section, heading), made),
    );
    const misleading = misleadingClasses(confidence);
    for (const pair of misleading) console.error(misleadingSentence(pair));
    return misleading.length > 0 || hangsOnWords(otherWords) ? 1 : 0;
  } finally {
    await builtIn?.close();
  }
}

/** With the built-in model unless it is switched off. */
async function recordedLinks(
  data: string,
  {
    embeddings,
    cache,
    report,
  }: { readonly embeddings: string; readonly cache: string; readonly report: string },
): Promise<number> {
  const builtIn = embeddings === 'on' ? openBuiltInModel() : undefined;
  const model = builtIn && withEmbeddingCache(builtIn, fileEmbeddingCache(cache));
  try {
    return await judgeLinksAgain(data, { model, report });
  } finally {
    await builtIn?.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof GoldDataError) && !(error instanceof TypeError && 'code' in error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
