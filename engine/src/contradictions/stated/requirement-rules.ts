import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { idsInText } from '../../facts/artifacts/id-forms.js';
import { identifierKey } from '../../facts/artifacts/identifiers.js';
import { parseDate } from '../../facts/parse-date.js';
import { beginning, contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { statedDocuments } from '../../facts/stated/stated-documents.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { splitSentences } from '../../text/sentences.js';
import { patternOf } from '../../words/read-words.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  overlap,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Id of a row as a key, also where it is made of words ("Functional Safety Requirement 01-02"). */
export function nameOf(item: StatedItem): string | undefined {
  if (item.hasId) return item.key;
  const [only, other] = idsInText(item.id);
  return only && !other && only.start === 0 && only.end === item.id.length
    ? identifierKey(item.id)
    : undefined;
}

/** Requirements and goals by id, with every text that a document gives to it, in reading order. */
function textsById({ facts }: StatedContext): ReadonlyMap<string, readonly StatedItem[]> {
  const byName = new Map<string, StatedItem[]>();
  for (const item of facts.items) {
    const name = item.how === 'sentence' || textOf(item, 'text') === '' ? undefined : nameOf(item);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), item]);
  }
  return byName;
}

const focused = (item: StatedItem, value: StatedValue, found: RegExpExecArray, note: string) =>
  quote(item.document.read.document, value.passage, value, {
    role: 'counter',
    note,
    focus: { start: value.start + found.index, end: value.start + found.index + found[0].length },
  });

/** Share of words from which on a safe state only repeats its requirement. */
const SAME_WORDS = 0.6;

/** Safe states that are none: they repeat the limit that was violated, or leave a constant output behind. */
export function safeStateIsNone({ facts }: StatedContext): readonly StatedContradiction[] {
  const { acting, measureZero } = contentWords().requirements;
  const { below, within } = stateWords().limits;
  const limit = new RegExp(`(?<!\\p{L})(?:${[...below, ...within].join('|')})(?!\\p{L})`, 'iu');
  const stated = facts.items.flatMap((item) => {
    const value = item.values.get('safe_state');
    return value && item.values.has('text') ? [{ item, value }] : [];
  });
  const leaving = stated.filter(({ value }) => beginning(measureZero).test(value.text));
  const repeating = stated.filter(
    ({ item, value }) =>
      limit.test(value.text) &&
      !wholeWord(acting).test(value.text) &&
      overlap(stemsOf(value.text), stemsOf(textOf(item, 'text'))) >= SAME_WORDS,
  );
  const told = (rule: string, found: typeof stated): readonly StatedContradiction[] => {
    if (found.length === 0) return [];
    const ids = [...new Set(found.map(({ item }) => item.id))];
    return [
      {
        rule,
        item: 'safe states',
        asil: found.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
        confidence: 'medium',
        words: { items: ids, state: found[0]!.value.text.slice(0, 120) },
        affected: ids,
        evidence: found
          .slice(0, 4)
          .flatMap(({ item, value }) => [
            ...shown(item, value, `${item.id}: ${value.title}`),
            ...shown(item, item.values.get('text'), item.id),
          ]),
      },
    ];
  };
  return [...told('safe-state-leaves-output', leaving), ...told('safe-state-repeats-limit', repeating)];
}

/** A limit is commanded or sent like a signal: what is meant is the quantity that it limits. */
export function limitCommanded({ facts }: StatedContext): readonly StatedContradiction[] {
  const { limitName, limitCommanded: commanded } = contentWords().requirements;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${limitName})(?:${commanded})`, 'u');
  const found = facts.items.flatMap((item) => {
    const value = item.how === 'sentence' ? undefined : item.values.get('text');
    const match = value && pattern.exec(value.text);
    return value && match ? [{ item, value, match }] : [];
  });
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ item }) => item.id))];
  return [
    {
      rule: 'limit-commanded',
      item: 'limits',
      asil: found.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: { items: ids, names: [...new Set(found.map(({ match }) => match[1]!))].join(', ') },
      affected: ids,
      evidence: found.slice(0, 4).map(({ item, value, match }) => focused(item, value, match, item.id)),
    },
  ];
}

/** A cell of the fault tolerant time interval holds no time. */
export function intervalIsNoTime({ facts }: StatedContext): readonly StatedContradiction[] {
  const notStated = new RegExp(
    `^(?:${contentWords().requirements.notStated.join('|')})(?![\\p{L}\\p{N}])`,
    'iu',
  );
  const stated = facts.items.flatMap((item) => {
    const value = item.values.get('interval');
    return value ? [{ item, value }] : [];
  });
  const isTime = (text: string) => /\d/u.test(text);
  const without = stated.filter(({ value }) => !isTime(value.text) && !notStated.test(value.text.trim()));
  if (without.length === 0 || without.length * 2 > stated.length) return [];
  const said = [...new Set(without.map(({ value }) => value.text.replaceAll(/["“”]/gu, '').trim()))];
  return [
    {
      rule: 'interval-is-no-time',
      item: 'intervals',
      asil: without.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
      confidence: 'high',
      words: { items: [...new Set(without.map(({ item }) => item.id))], said: said.join(', ').slice(0, 120) },
      affected: [...new Set(without.map(({ item }) => item.id))],
      evidence: without
        .slice(0, 4)
        .flatMap(({ item, value }) => shown(item, value, `${item.id}: ${value.title}`)),
    },
  ];
}

/** Verification criteria that no result can fail. */
export function criterionUndecided({ facts }: StatedContext): readonly StatedContradiction[] {
  const pattern = beginning(contentWords().requirements.undecided);
  const found = facts.items.flatMap((item) =>
    (['criterion', 'expected'] as const).flatMap((kind) => {
      const value = item.values.get(kind);
      const match = value && pattern.exec(value.text);
      return value && match ? [{ item, value, match }] : [];
    }),
  );
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ item }) => item.id))];
  return [
    {
      rule: 'criterion-undecided',
      item: 'criteria',
      asil: found.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: { items: ids, said: found[0]!.match[0] },
      affected: ids,
      evidence: found
        .slice(0, 4)
        .map(({ item, value, match }) => focused(item, value, match, `${item.id}: ${value.title}`)),
    },
  ];
}

/** A verification criterion compares with another limit than the requirement of its row names. */
export function criterionOtherLimit(context: StatedContext): readonly StatedContradiction[] {
  const texts = textsById(context);
  const pattern = new RegExp(stateWords().parameterName, 'gu');
  const limits = (text: string) =>
    (text.match(pattern) ?? []).filter((name) =>
      patternOf(`^${contentWords().requirements.limitName}$`, 'u').test(name),
    );
  return firstOfEach(
    context.facts.items.flatMap((item): StatedContradiction[] => {
      const criterion = item.values.get('criterion');
      const name = nameOf(item);
      if (!criterion || name === undefined) return [];
      const own = item.values.has('text')
        ? [item]
        : (texts.get(name) ?? []).filter(({ document }) => document === item.document);
      const numbered = own.filter((one) => one.values.has('asil')).length;
      const demanded = own.flatMap((one) => limits(textOf(one, 'text')));
      const tested = limits(criterion.text);
      const other = tested.find((one) => !demanded.includes(one));
      if (demanded.length === 0 || numbered > 1 || !other || tested.some((one) => demanded.includes(one)))
        return [];
      return [
        {
          rule: 'criterion-other-limit',
          item: `${item.document.id} ${name}`,
          asil: levelOf(own[0]!),
          confidence: 'medium',
          words: { item: item.id, other, demanded: [...new Set(demanded)].join(', ') },
          affected: [item.id],
          evidence: [
            ...shown(item, criterion, `${item.id}: ${criterion.title}`),
            ...shown(own[0]!, own[0]!.values.get('text'), item.id),
          ],
        },
      ];
    }),
  );
}

/** A sentence in a manual is given as warning of the driver. */
export function warningByManual({ facts }: StatedContext): readonly StatedContradiction[] {
  const pattern = wholeWord(contentWords().requirements.manual);
  const found = facts.items.flatMap((item) => {
    const value = item.values.get('warning');
    const match = value && pattern.exec(value.text);
    return value && match ? [{ item, value, match }] : [];
  });
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ item }) => item.id))];
  return [
    {
      rule: 'warning-by-manual',
      item: 'warnings',
      asil: undefined,
      confidence: 'medium',
      words: { items: ids, said: found[0]!.match[0] },
      affected: ids,
      evidence: found
        .slice(0, 4)
        .map(({ item, value, match }) => focused(item, value, match, `${item.id}: ${value.title}`)),
    },
  ];
}

/** Independence of elements or functions is assumed, and nothing beside it says why it holds. */
export function independenceAssumed({ corpus }: StatedContext): readonly StatedContradiction[] {
  const { assumed, independence, shown: reasons } = contentWords().requirements;
  return firstOfEach(
    usableDocuments(corpus).flatMap(({ read, id }) =>
      read.passages.flatMap((passage) => {
        const { cells } = read.document.blocks[passage.blockIndex]!;
        if (cells || passage.role !== 'body' || corpus.otherItem.has(passage.id)) return [];
        return splitSentences(passage.text).flatMap(({ start, end }): StatedContradiction[] => {
          const sentence = passage.text.slice(start, end);
          const isAssumed = wholeWord(assumed).test(sentence) && wholeWord(independence).test(sentence);
          if (!isAssumed || wholeWord(reasons).test(sentence)) return [];
          return [
            {
              rule: 'independence-assumed',
              item: `${id} ${sentence.trim().slice(0, 60)}`,
              confidence: 'medium',
              words: { sentence: sentence.trim().slice(0, 200) },
              affected: [],
              evidence: [
                quote(
                  read.document,
                  passage,
                  { start: passage.start + start, end: passage.start + end },
                  { role: 'counter', note: 'assumed' },
                ),
              ],
            },
          ];
        });
      }),
    ),
  );
}

/** A task of one person is everybody's. */
export function taskOfEverybody({ facts }: StatedContext): readonly StatedContradiction[] {
  const { managing, nobody, responsibleTitle } = contentWords().requirements;
  const everybody = new RegExp(`^(?:${nobody.join('|')})\\.?$`, 'iu');
  const found = facts.items.flatMap((item) => {
    const [task] = item.cells;
    const person = item.cells.find(
      ({ title, text }) => beginning(responsibleTitle).test(title) && everybody.test(text.trim()),
    );
    return task && person && task !== person && wholeWord(managing).test(task.text)
      ? [{ item, task, person }]
      : [];
  });
  if (found.length === 0) return [];
  return [
    {
      rule: 'task-of-everybody',
      item: 'tasks',
      confidence: 'medium',
      words: { task: found[0]!.task.text.slice(0, 100), person: found[0]!.person.text, count: found.length },
      affected: found.map(({ task }) => task.text.slice(0, 60)),
      evidence: found
        .slice(0, 3)
        .flatMap(({ item, task, person }) => [
          ...shown(item, person, person.title),
          ...shown(item, task, task.title),
        ]),
    },
  ];
}

const NEAR = 0.75;
const FAR = 0.5;
const FEWEST_WORDS = 4;

/** One document gives an id to what another document gives another id: a row was renumbered, and links lead to something else. */
export function idMeansOther(context: StatedContext): readonly StatedContradiction[] {
  const texts = textsById(context);
  const all = [...texts].flatMap(([name, items]) =>
    items
      .filter((item) => item.values.has('asil'))
      .map((item) => ({ name, item, stems: stemsOf(textOf(item, 'text')) })),
  );
  const told = new Map<
    string,
    {
      readonly here: (typeof all)[number];
      readonly there: (typeof all)[number];
      readonly meant: (typeof all)[number];
    }[]
  >();
  for (const here of all) {
    if (here.stems.size < FEWEST_WORDS) continue;
    const own = all.filter(({ name, item }) => name === here.name && item.document !== here.item.document);
    const document = own[0]?.item.document;
    const same = own.filter(({ item }) => item.document === document);
    if (!document || same.some(({ stems }) => overlap(stems, here.stems) >= FAR)) continue;
    const meant = all.find(
      ({ name, item, stems }) =>
        item.document === document &&
        name !== here.name &&
        familyOf(name) === familyOf(here.name) &&
        stems.size >= FEWEST_WORDS &&
        common(stems, here.stems) >= NEAR,
    );
    if (!meant) continue;
    const pair = [here.item.document.id, document.id].sort().join('\n');
    const known = told.get(pair) ?? [];
    if (known.every((one) => one.here.name !== here.name))
      told.set(pair, [...known, { here, there: same[0]!, meant }]);
  }
  return [...told].map(([pair, found]): StatedContradiction => {
    const { here, there, meant } = found[0]!;
    const ids = found.map((one) => one.here.item.id);
    return {
      rule: 'id-means-other',
      item: pair.replace('\n', ' '),
      asil: found.map((one) => levelOf(one.here.item)).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: {
        items: ids,
        item: here.item.id,
        meant: meant.item.id,
        document: here.item.document.name,
        document2: there.item.document.name,
      },
      affected: ids,
      evidence: [
        ...shown(here.item, here.item.values.get('text'), `${here.item.id} in "${here.item.document.name}"`),
        ...shown(
          there.item,
          there.item.values.get('text'),
          `${there.item.id} in "${there.item.document.name}"`,
        ),
        ...shown(
          meant.item,
          meant.item.values.get('text'),
          `${meant.item.id} in "${meant.item.document.name}"`,
        ),
      ],
    };
  });
}

const familyOf = (name: string) => name.replace(/[-\d.]+$/u, '');
const common = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  [...a].filter((one) => b.has(one)).length / new Set([...a, ...b]).size;

/** Two tables or documents state one requirement with another measure or side ("amplitude", "frequency"), else word for word. */
export function measureSwapped(context: StatedContext): readonly StatedContradiction[] {
  const rivals = contentWords().requirements.rivals.map((list) => list.map((word) => word.toLowerCase()));
  return firstOfEach(
    [...textsById(context)].flatMap(([name, items]): StatedContradiction[] => {
      // Ids that a document numbers anew for each table are different things.
      const defining = items.filter((item) => item.values.has('asil')).map(({ document }) => document);
      if (new Set(defining).size < defining.length) return [];
      for (const [at, one] of items.entries()) {
        for (const other of items.slice(at + 1)) {
          const swapped = swappedWord(textOf(one, 'text'), textOf(other, 'text'), rivals);
          if (!swapped) continue;
          return [
            {
              rule: 'measure-swapped',
              item: name,
              asil: higherLevel(levelOf(one), levelOf(other)),
              confidence: 'medium',
              words: { item: one.id, one: swapped.one, other: swapped.other },
              affected: [one.id],
              evidence: [
                ...shown(one, one.values.get('text'), `${one.id} in "${one.document.name}"`),
                ...shown(other, other.values.get('text'), `${other.id} in "${other.document.name}"`),
              ],
            },
          ];
        }
      }
      return [];
    }),
  );
}

/** The words in which two texts differ besides their subject, when they exclude each other. */
function swappedWord(a: string, b: string, rivals: readonly (readonly string[])[]) {
  const [mine, theirs] = [a, b].map((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  if (common(new Set(mine!), new Set(theirs!)) < FAR) return undefined;
  const count = (list: readonly string[], word: string) => list.filter((one) => one === word).length;
  for (const list of rivals) {
    const more = list.filter((word) => count(mine!, word) > count(theirs!, word));
    const less = list.filter((word) => count(mine!, word) < count(theirs!, word));
    if (more.length === 1 && less.length === 1) return { one: more[0]!, other: less[0]! };
  }
  return undefined;
}

/** Two tables or documents demand the same of different subjects: one entry for each pair of documents. */
export function subjectDiffers(context: StatedContext): readonly StatedContradiction[] {
  const ends = new RegExp(contentWords().requirements.subjectEnds, 'iu');
  const split = (item: StatedItem) => {
    const text = textOf(item, 'text');
    const at = text.search(ends);
    return at < 0 ? undefined : { subject: text.slice(0, at).trim(), rest: wordsOf(text.slice(at)) };
  };
  const told = new Map<string, (readonly [StatedItem, StatedItem, string, string])[]>();
  for (const items of textsById(context).values()) {
    const [first, ...others] = items;
    const mine = first && split(first);
    if (!mine) continue;
    for (const other of others) {
      const theirs = split(other);
      if (!theirs || mine.rest.size < 3 || common(mine.rest, theirs.rest) < NEAR) continue;
      const [a, b] = [mine.subject, theirs.subject].map(wordsOf) as [Set<string>, Set<string>];
      if (a.size === 0 || b.size === 0 || overlap(a, b) >= FAR || isShortFor(mine.subject, theirs.subject))
        continue;
      const pair = [first.document.id, other.document.id].sort().join('\n');
      told.set(pair, [...(told.get(pair) ?? []), [first, other, mine.subject, theirs.subject]]);
      break;
    }
  }
  return [...told].map(([pair, found]): StatedContradiction => {
    const [one, other, subject, subject2] = found[0]!;
    const ids = found.map(([{ id }]) => id);
    return {
      rule: 'subject-differs',
      item: pair.replace('\n', ' '),
      confidence: 'medium',
      words: { items: ids, subject: subject.slice(0, 80), other: subject2.slice(0, 80) },
      affected: ids,
      evidence: [
        ...shown(one, one.values.get('text'), `${one.id} in "${one.document.name}"`),
        ...shown(other, other.values.get('text'), `${other.id} in "${other.document.name}"`),
      ],
    };
  });
}

const wordsOf = (text: string) =>
  new Set(
    (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !/^(?:the|der|die|das)$/u.test(word)),
  );

/** "EPS ECU" is the short form of "electronic power steering ECU". */
function isShortFor(a: string, b: string): boolean {
  const initials = (text: string) =>
    (text.match(/\p{L}+/gu) ?? []).map((word) => word[0]!.toLowerCase()).join('');
  const abbreviations = (text: string) =>
    (text.match(/\p{Lu}{2,6}/gu) ?? []).map((word) => word.toLowerCase());
  return (
    abbreviations(a).some((one) => initials(b).includes(one) && !abbreviations(b).includes(one)) ||
    abbreviations(b).some((one) => initials(a).includes(one) && !abbreviations(a).includes(one))
  );
}

/** What is worked out from what, in this order. */
const DERIVED: readonly (readonly string[])[] = [
  ['item_definition'],
  ['hara'],
  ['functional_safety_concept'],
  ['technical_safety_concept'],
  ['software_requirements_spec', 'system_requirements_spec'],
];

/** A document was changed after everything that is derived from it was last worked on. */
export function sourceChangedLater({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const dated = statedDocuments(corpus, facts).flatMap(({ document, dateOf }) => {
    const rank = DERIVED.findIndex((types) =>
      document.parts.some(({ typeId, whole }) => whole && types.includes(typeId)),
    );
    const days = [...dateOf.values()].sort();
    return rank < 0 || days.length === 0
      ? []
      : [{ document, rank, last: days.at(-1)!, versions: dateOf.size }];
  });
  const rowOf = ({ document, last }: (typeof dated)[number]) =>
    facts.items
      .filter(
        (item) =>
          item.document === document &&
          item.passage.role === 'history' &&
          parseDate(item.values.get('date')?.text ?? '') === last,
      )
      .at(-1);
  return dated.flatMap((source): StatedContradiction[] => {
    const next = dated
      .filter(({ rank, last }) => rank > source.rank && last < source.last)
      .sort((a, b) => a.rank - b.rank)[0];
    // The first version of a source may be written down late; only a later one changes what others used.
    if (!next || source.versions < 2 || next.rank !== source.rank + 1) return [];
    const [row, derived] = [rowOf(source), rowOf(next)];
    if (!row || !derived) return [];
    return [
      {
        rule: 'source-changed-later',
        item: `${source.document.id} ${next.document.id}`,
        confidence: 'medium',
        words: {
          source: source.document.name,
          changed: source.last,
          document: next.document.name,
          last: next.last,
        },
        affected: [],
        evidence: [
          ...shown(derived, derived.values.get('date'), `"${next.document.name}", last entry`),
          ...shown(row, row.values.get('date'), `"${source.document.name}", last entry`),
        ],
      },
    ];
  });
}
