import type { Report, ReportPart } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block, Inline } from './block.js';

/** How the results came about, and what they could have overlooked. */
export function* writeMethod({ parts }: Report, words: ReportWords): Generator<Block> {
  yield { kind: 'heading', level: 1, id: 'method', text: words.text('method') };
  for (const [index, part] of parts.entries()) {
    if (parts.length > 1) {
      const subject = part.subject === '' ? '' : `: ${part.subject}`;
      yield {
        kind: 'heading',
        level: 2,
        id: `method-${index + 1}`,
        text: `${words.of('types', part.type)}${subject}`,
      };
    }
    for (const text of words.method(part.type)) yield { kind: 'paragraph', text };
    yield { kind: 'facts', rows: factsOf(part, words) };
  }
}

function factsOf(part: ReportPart, words: ReportWords): [string, Inline][] {
  const { engine, mode, method, finishedAt } = part;
  const name = (key: Parameters<typeof words.of<'method_facts'>>[1]) => words.of('method_facts', key);
  const facts: [string, Inline][] = [
    [name('engine'), `${engine.name} ${engine.version}`],
    [name('mode'), name(mode)],
  ];
  if (finishedAt !== undefined) facts.push([name('finished'), words.time(finishedAt)]);
  if (method.passages !== undefined) facts.push([name('passages'), words.number(method.passages)]);
  if (method.embedding !== undefined) {
    facts.push([
      name('embedding'),
      'model' in method.embedding
        ? method.embedding.model
        : name('lexical_only').replace('{reason}', method.embedding.lexicalOnly),
    ]);
  }
  if (method.model !== undefined) {
    const { id, asked, answered, inputTokens, outputTokens, byRulesBecause, answeredAs } = method.model;
    const counts = [asked, answered, inputTokens, outputTokens].map((count) => words.number(count));
    facts.push([name('model'), id]);
    if (answeredAs) facts.push([name('answered_as'), answeredAs.join(', ')]);
    facts.push([
      name('model_asked'),
      name('model_counts')
        .replace('{asked}', counts[0]!)
        .replace('{answered}', counts[1]!)
        .replace('{input}', counts[2]!)
        .replace('{output}', counts[3]!),
    ]);
    const alone = Object.entries(byRulesBecause);
    if (alone.length > 0)
      facts.push([
        name('rules_alone'),
        alone
          .map(([because, count]) => `${words.named('rules_alone', because)}: ${words.number(count)}`)
          .join('; '),
      ]);
  }
  const answers = Object.entries(method.conditions);
  if (answers.length > 0) {
    facts.push([
      name('conditions'),
      answers.map(([condition, holds]) => `${condition}: ${name(holds ? 'yes' : 'no')}`).join('; '),
    ]);
  }
  return facts;
}
