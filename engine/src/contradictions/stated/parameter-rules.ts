import { quote } from '../../corpus/evidence.js';
import { identifierKey } from '../../facts/artifacts/identifiers.js';
import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedFacts } from '../../facts/stated/stated-facts.js';
import { idsIn, isIdsOnly, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import type { Evidence } from '../../findings/finding.js';
import { patternOf } from '../../words/read-words.js';
import {
  firstOfEach,
  higherLevel,
  isGoal,
  levelOf,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
  valuesOf,
} from './stated-rule.js';
import { type Limit, limitsIn, sideBehind, sideOf } from './text-limits.js';

export interface Parameter {
  readonly name: string;
  readonly quantity: Quantity;
  readonly item: StatedItem;
}

const names = () => new RegExp(stateWords().parameterName, 'gu');

const known = new WeakMap<StatedFacts, ReadonlyMap<string, readonly Parameter[]>>();

/** Parameters with a number, by name, wherever a table defines them; read once. */
export function parametersOf({ facts }: StatedContext): ReadonlyMap<string, readonly Parameter[]> {
  const parameters = known.get(facts) ?? readParameters(facts);
  known.set(facts, parameters);
  return parameters;
}

function readParameters(facts: StatedFacts): ReadonlyMap<string, readonly Parameter[]> {
  const parameters = new Map<string, Parameter[]>();
  for (const item of facts.items) {
    const name =
      textOf(item, 'parameter') || (item.values.has('value') && item.values.has('unit') ? item.id : '');
    const value = item.values.get('value');
    if (name === '' || !value) continue;
    const [quantity] = quantitiesIn(`${value.text} ${textOf(item, 'unit')}`.trim());
    if (quantity) parameters.set(name, [...(parameters.get(name) ?? []), { name, quantity, item }]);
  }
  return parameters;
}

/** One parameter has two values: in two tables, or in a table and where a linked requirement writes the value instead of the name. */
export function parameterTwoValues(context: StatedContext): readonly StatedContradiction[] {
  const parameters = parametersOf(context);
  const tables = [...parameters.values()].flatMap((same): StatedContradiction[] => {
    const other = same.find(({ quantity }) => !isEqual(quantity, same[0]!.quantity));
    return other ? [twoValues(same[0]!, { ...other, text: other.item.values.get('value')! })] : [];
  });
  const written = context.facts.items.flatMap((item) =>
    parentItems(context, item).flatMap((parent) => [
      ...valuesAgainst(parameters, item, parent, true),
      ...valuesAgainst(parameters, parent, item, false),
    ]),
  );
  return firstOfEach([...tables, ...written, ...[...parameters.values()].flat().flatMap(unitOfSource)]);

  /** The row of a parameter names the requirement that it comes from, which gives the same number with another unit. */
  function unitOfSource(parameter: Parameter): readonly StatedContradiction[] {
    return parentItems(context, parameter.item).flatMap((parent) => {
      const text = parent.values.get('text');
      const given = text ? quantitiesIn(text.text) : [];
      if (!text || given.some((quantity) => isEqual(quantity, parameter.quantity))) return [];
      const { kind } = parameter.quantity;
      const quantity = given.find(
        (one) => one.kind === kind && numberOf(one) === numberOf(parameter.quantity),
      );
      if (!quantity) return [];
      const at = { start: text.start + quantity.start, end: text.start + quantity.end };
      return [twoValues(parameter, { quantity, item: parent, text, at })];
    });
  }
}

interface Written {
  readonly quantity: Quantity;
  readonly item: StatedItem;
  readonly text: StatedValue;
  /** Half-open range of the number in the document. */
  readonly at?: { readonly start: number; readonly end: number };
}

/**
 * A requirement names a parameter where the one that it is linked with gives a limit of the same kind with another number.
 * @param isBelow Whether the requirement that names it refines the other one.
 */
function valuesAgainst(
  parameters: ReadonlyMap<string, readonly Parameter[]>,
  naming: StatedItem,
  writing: StatedItem,
  isBelow: boolean,
): readonly StatedContradiction[] {
  const text = writing.values.get('text');
  const named = [...new Set(textOf(naming, 'text').match(names()) ?? [])].flatMap(
    (name) => parameters.get(name) ?? [],
  );
  if (!text || named.length === 0) return [];
  const limits = limitsIn(text.text);
  return named.flatMap((parameter): StatedContradiction[] => {
    const { kind } = parameter.quantity;
    const same = limits.filter((limit) => limit.quantity.kind === kind);
    const rivals = named.filter((one) => one.quantity.kind === kind);
    const fits = same.some(({ quantity }) => rivals.some((one) => isEqual(one.quantity, quantity)));
    const side = sideOfName(textOf(naming, 'text'), parameter.name);
    const wrong = same.find((limit) => side !== undefined && upper(limit.side) === upper(side));
    if (fits || !wrong || (kind === 'time' && same.length > 1)) return [];
    const { quantity } = wrong;
    // "Expires after T_BEAT" is a part of the time that the requirement above allows.
    const isDelay = isBelow && kind === 'time' && isAfter(textOf(naming, 'text'), parameter.name);
    if (isDelay && parameter.quantity.value <= quantity.value) return [];
    return [
      twoValues(parameter, {
        quantity,
        item: writing,
        text,
        at: { start: text.start + quantity.start, end: text.start + quantity.end },
      }),
    ];
  });
}

const EQUALS = /^\s{0,3}(?::=|=|\()\s{0,3}(?=\d)/u;
const IN_BRACKETS = /(?<![\p{L}\p{N}.,])(?<value>\d[\d.,]*\s?[^\s()\d.,;]{1,8})\s?\(\s?$/u;

/** The value that stands beside a name: "T_OFF = 0.3 s", "T_OFF (0.3 s)", "within 0.3 s (T_OFF)"; `at`: where it begins. */
function valueBeside(
  text: string,
  start: number,
  end: number,
): { readonly quantity: Quantity; readonly at: number } | undefined {
  const sign = EQUALS.exec(text.slice(end, end + 10))?.[0];
  if (sign !== undefined) {
    const [quantity] = quantitiesIn(text.slice(end + sign.length, end + sign.length + 30));
    return quantity?.start === 0 ? { quantity, at: end + sign.length } : undefined;
  }
  if (!/^\s?\)/u.test(text.slice(end, end + 2))) return undefined;
  const from = Math.max(0, start - 30);
  const before = IN_BRACKETS.exec(text.slice(from, start));
  const [quantity] = before ? quantitiesIn(before.groups!.value!) : [];
  return quantity?.start === 0 ? { quantity, at: from + before!.index } : undefined;
}

/** "T_OFF = 0.3 s" or "0.3 s (T_OFF)" in a test or a requirement, where the table of parameters has another value; units are converted. */
export function parameterWrittenOtherwise(context: StatedContext): readonly StatedContradiction[] {
  const parameters = parametersOf(context);
  if (parameters.size === 0) return [];
  const found = context.facts.items.flatMap((item) => {
    return valuesOf(item).flatMap((value) =>
      [...value.text.matchAll(names())].flatMap((match): StatedContradiction[] => {
        const [parameter] = parameters.get(match[0]) ?? [];
        const from = match.index + match[0].length;
        if (!parameter || parameter.item === item) return [];
        const found = valueBeside(value.text, match.index, from);
        if (!found || isEqual(found.quantity, parameter.quantity)) return [];
        const { quantity } = found;
        const start = value.start + found.at;
        const at = { start, end: start + quantity.end - quantity.start };
        const told = twoValues(parameter, { quantity, item, text: value, at });
        return [
          told.rule === 'parameter-two-values' ? { ...told, rule: 'parameter-written-otherwise' } : told,
        ];
      }),
    );
  });
  return firstOfEach(found);
}

function twoValues(parameter: Parameter, other: Written): StatedContradiction {
  const sameNumber = numberOf(parameter.quantity) === numberOf(other.quantity);
  return {
    rule: sameNumber ? 'parameter-two-units' : 'parameter-two-values',
    item: parameter.name,
    asil: levelOf(other.item),
    confidence: other.at ? 'medium' : 'high',
    words: {
      parameter: parameter.name,
      one: parameter.quantity.written,
      other: other.quantity.written,
      where: other.item.id,
    },
    affected: [parameter.name, other.item.id],
    evidence: [
      ...shown(parameter.item, parameter.item.values.get('value'), parameter.name),
      ...(sameNumber ? shown(parameter.item, parameter.item.values.get('unit'), 'unit') : []),
      ...written(other),
    ],
  };
}

function written({ item, text, at }: Written): readonly Evidence[] {
  if (!at) return shown(item, text, item.id);
  return [
    quote(item.document.read.document, text.passage, text, { role: 'counter', note: item.id, focus: at }),
  ];
}

/** A requirement and what refines it limit the same thing with different numbers. */
export function limitDiffers(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((child) =>
      parentItems(context, child).flatMap((parent): StatedContradiction[] => {
        const [own, allowed] = [child, parent].map((item) => limitsIn(textOf(item, 'text')));
        for (const limit of own!) {
          if (limit.quantity.kind === 'time' || limit.side === 'within') continue;
          const same = allowed!.filter(
            (one) => one.quantity.kind === limit.quantity.kind && one.side === limit.side,
          );
          const all = own!.filter((one) => one.quantity.kind === limit.quantity.kind);
          const fits = same.some((one) => all.some((mine) => isEqual(one.quantity, mine.quantity)));
          if (same.length !== 1 || fits || limit.what === '' || limit.what !== same[0]!.what) continue;
          // Below a goal one acts before its limit is reached.
          const isBefore = limit.side !== 'below' && limit.quantity.value < same[0]!.quantity.value;
          if (isBefore && isGoal(parent)) continue;
          const place = (item: StatedItem, { quantity }: Limit) => {
            const text = item.values.get('text')!;
            return written({
              quantity,
              item,
              text,
              at: { start: text.start + quantity.start, end: text.start + quantity.end },
            });
          };
          return [
            {
              rule: stateWords().prepositions.includes(limit.what) ? 'limit-differs-bare' : 'limit-differs',
              item: `${child.key} ${parent.key} ${limit.quantity.kind}`,
              asil: higherLevel(levelOf(child), levelOf(parent)),
              confidence: 'medium',
              words: {
                child: child.id,
                parent: parent.id,
                own: limit.quantity.written,
                other: same[0]!.quantity.written,
                what: limit.what,
              },
              affected: [child.id, parent.id],
              evidence: [...place(child, limit), ...place(parent, same[0]!)],
            },
          ];
        }
        return [];
      }),
    ),
  );
}

/** A delay stands before the name: "after T_BEAT". */
function isAfter(text: string, name: string): boolean {
  const delay = patternOf(`(?<!\\p{L})(?:${stateWords().delays.join('|')})\\s+$`);
  return delay.test(text.slice(0, Math.max(0, text.indexOf(name))));
}

function sideOfName(text: string, name: string): string | undefined {
  const at = text.indexOf(name);
  if (at < 0) return undefined;
  return (sideOf(text.slice(0, at)) ?? sideBehind(text.slice(at + name.length)))?.side;
}

/** "By more than 2 Nm" and "above 2 Nm" are the same limit. */
const upper = (side: string) => (side === 'by' ? 'above' : side);

/** So many names with the same beginning are a convention. */
const SHARED_BY = 4;

/** A name of a parameter that no table defines, where the documents define their parameters in tables. */
export function parameterUndefined(context: StatedContext): readonly StatedContradiction[] {
  const parameters = parametersOf(context);
  const styled = [...parameters.keys()].filter((name) => name.match(names())?.[0] === name);
  if (styled.length < 2) return [];
  // Where all of them begin with "K_", "EN_CLOSE" is something else.
  const first = styled[0]!.split('_')[0];
  const isShared = styled.length >= SHARED_BY && styled.every((name) => name.split('_')[0] === first);
  // Signals of an interface, names of a list: what no requirement or test says defines a name.
  const defined = new Set([
    ...parameters.keys(),
    ...context.facts.items.flatMap((item) =>
      usesNames(item)
        ? []
        : item.cells.flatMap(({ text }) => [
            text,
            ...(BEGINS_WITH_NAMES.exec(text)?.[0].match(names()) ?? []),
          ]),
    ),
  ]);
  const home = new Set([...parameters.values()].flat().map(({ item }) => item.document.id));
  return firstOfEach(
    context.facts.items.flatMap((item) => {
      const text = item.values.get('text');
      if (!text || !home.has(item.document.id)) return [];
      // "K_IERK, K_TERKZ" in a column of their own.
      const listed = usesNames(item)
        ? item.cells.filter((cell) => cell !== text && NAMES_ONLY.test(cell.text) && !isIdsOnly(cell.text))
        : [];
      return [text, ...listed].flatMap((value) =>
        [...value.text.matchAll(names())].flatMap((match): StatedContradiction[] => {
          const [name] = match;
          if (
            defined.has(name) ||
            context.facts.byKey.has(identifierKey(name)) ||
            (isShared && name.split('_')[0] !== first)
          )
            return [];
          const near = styled.find(
            (one) =>
              one.split('_')[0] === name.split('_')[0] || one.split('_').at(-1) === name.split('_').at(-1),
          );
          const at = { start: value.start + match.index, end: value.start + match.index + name.length };
          const known = near && parameters.get(near)![0]!.item;
          return [
            {
              rule: near ? 'parameter-other-name' : 'parameter-undefined',
              item: name,
              asil: levelOf(item),
              confidence: 'medium',
              words: { parameter: name, item: item.id, near: near ?? '' },
              affected: [item.id, name],
              evidence: [
                quote(item.document.read.document, value.passage, value, {
                  role: 'counter',
                  note: item.id,
                  focus: at,
                }),
                ...(known ? shown(known, known.values.get('parameter') ?? known.cells[0], 'defined') : []),
              ],
            },
          ];
        }),
      );
    }),
  );
}

/** Requirements and tests use names; they define none. */
const usesNames = ({ hasId, values }: StatedItem): boolean =>
  hasId && (['asil', 'parent', 'verifies', 'expected', 'measured'] as const).some((kind) => values.has(kind));
/** "WCU_ALV, WCU_ST (CAN-2)". */
const BEGINS_WITH_NAMES = /^(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\s?[,;/]\s?)?){1,10}(?=\s?(?:\(|$))/u;
const NAMES_ONLY =
  /^(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?:\s?[,;/]\s?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+){0,9}$/u;

/** A test that works with other numbers than the criterion of the requirement, or accepts more time than it has. */
export function testOtherValue({ facts }: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    facts.items.flatMap((test) => {
      const verifies = test.values.get('verifies');
      if (!verifies) return [];
      const requirements = idsIn(verifies.text)
        .flatMap(({ key }) => facts.byKey.get(key) ?? [])
        .filter((item) => item !== test);
      const stated = (['stimulus', 'precondition', 'expected'] as const).flatMap(
        (kind) => test.values.get(kind) ?? [],
      );
      return requirements.flatMap((requirement): StatedContradiction[] => {
        const criterion = requirement.values.get('criterion');
        if (!criterion || stated.length === 0) return [];
        const own = stated.flatMap((value) =>
          quantitiesIn(value.text).map((quantity) => ({ value, quantity })),
        );
        const wanted = quantitiesIn(criterion.text);
        const wrong = own.find(({ quantity }) => {
          const same = wanted.filter(({ kind }) => kind === quantity.kind);
          const all = own.filter((one) => one.quantity.kind === quantity.kind);
          return same.length > 0 && !same.some((one) => all.some((mine) => isEqual(one, mine.quantity)));
        });
        if (!wrong) return [];
        return [
          {
            rule: 'test-other-value',
            item: `${test.key} ${requirement.key}`,
            asil: levelOf(requirement),
            confidence: 'medium',
            words: {
              test: test.id,
              requirement: requirement.id,
              own: wrong.quantity.written,
              wanted: wanted.find(({ kind }) => kind === wrong.quantity.kind)!.written,
            },
            affected: [test.id, requirement.id],
            evidence: [
              ...shown(test, wrong.value, test.id),
              ...shown(requirement, criterion, requirement.id),
            ],
          },
        ];
      });
    }),
  );
}

const numberOf = ({ written }: Quantity) => Number(/[\d.,]+/.exec(written)![0].replace(',', '.'));

function isEqual(a: Quantity, b: Quantity): boolean {
  return a.kind === b.kind && Math.abs(a.value - b.value) <= 1e-9 * Math.max(1, Math.abs(a.value));
}
