import type { Corpus } from '../../corpus/corpus.js';
import { isSamePerson, personNamesIn } from '../../facts/person-names.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { type StatedDocument, statedDocuments } from '../../facts/stated/stated-documents.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import { anyName } from './document-names.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown, textOf } from './stated-rule.js';

/** `I2` as 2. */
const degreeOf = (text: string) => {
  const match = /(?<![\p{L}\p{N}])I\s?([0-3])(?![\p{L}\p{N}])/u.exec(text);
  return match ? Number(match[1]) : undefined;
};

/** A measure is planned with less independence than the same row demands. */
export function independencePlannedTooLow({ facts }: StatedContext): readonly StatedContradiction[] {
  return facts.items.flatMap((row): StatedContradiction[] => {
    const [required, planned] = (['required_independence', 'planned_independence'] as const).map((kind) =>
      degreeOf(textOf(row, kind)),
    );
    if (required === undefined || planned === undefined || planned >= required) return [];
    const about = [...new Set([row.id, textOf(row, 'work_product')])].filter((one) => one !== '').join(', ');
    return [
      {
        rule: 'independence-planned-too-low',
        item: `${about} ${row.document.id}`,
        confidence: 'high',
        words: { about, required: `I${required}`, planned: `I${planned}` },
        affected: [about],
        evidence: [
          ...shown(row, row.values.get('planned_independence'), 'planned'),
          ...shown(row, row.values.get('required_independence'), 'required'),
          ...shown(row, row.values.get('work_product'), 'about'),
        ],
      },
    ];
  });
}

const typesOf = ({ document }: StatedDocument): readonly string[] =>
  document.parts.filter((part) => part.whole).map((part) => part.typeId);

/** The only document whose type a text names: "Confirmation review of the HARA". */
export function calledIn(
  text: string,
  { corpus, documents }: { readonly corpus: Corpus; readonly documents: readonly StatedDocument[] },
): readonly StatedDocument[] {
  // "NN_03_Safety_Concept, version 1.1": by its file.
  const files = documents.filter(({ document }) =>
    anyName([document.name.replaceAll(/^.*\/|\.[^.]+$/gu, '')], 'iu').test(text),
  );
  if (files.length === 1) return files;
  const named = documents.filter((one) =>
    typesOf(one).some((type) => {
      const known = corpus.documentTypes.get(type);
      return known && anyName([known.name.en, known.name.de, ...known.aliases], 'iu').test(text);
    }),
  );
  return named.length === 1 ? named : [];
}

/** Whoever confirms is the author of what is confirmed. */
export function confirmedByAuthor({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { assessments, authored } = recordWords();
  const documents = statedDocuments(corpus, facts).filter(
    ({ author }) => author && personNamesIn(author.value ?? '').length > 0,
  );
  const isAssessment = anyOf(assessments);
  const isReviewer = anyOf(recordWords().reviewers);
  return firstOfEach(
    facts.items.flatMap((row): StatedContradiction[] => {
      const person = row.values.get('person');
      const isMeasure =
        row.values.has('required_independence') ||
        row.values.has('planned_independence') ||
        row.values.has('measure') ||
        // A record of what was reviewed, and by whom.
        (row.values.has('work_product') && isReviewer.test(person?.title ?? '')) ||
        (row.values.has('version') && row.values.has('result') && isReviewer.test(person?.title ?? ''));
      if (!person || !isMeasure) return [];
      const [name] = personNamesIn(person.text);
      const numbered = documents.filter(
        ({ number }) => number?.value && row.cells.some(({ text }) => text.includes(number.value!)),
      );
      const isAboutItem = isAssessment.test(`${row.id} ${textOf(row, 'measure')}`);
      const about = isAboutItem
        ? documents.filter(
            (one) => numbered.includes(one) || typesOf(one).some((type) => authored.includes(type)),
          )
        : numbered.length > 0
          ? numbered
          : calledIn(textOf(row, 'work_product'), { corpus, documents });
      const wrote =
        name === undefined
          ? []
          : about.filter(({ author }) =>
              personNamesIn(author!.value!).some((one) => isSamePerson(one, name)),
            );
      if (wrote.length === 0 || name === undefined) return [];
      return [
        {
          rule: 'confirmed-by-author',
          item: `${name} ${row.id} ${textOf(row, 'work_product')}`,
          confidence: 'high',
          words: {
            person: name,
            what: textOf(row, 'measure') || row.id,
            documents: wrote.map(({ document }) => `"${document.name}"`).join(', '),
          },
          affected: wrote.map(({ number, document }) => number?.value ?? document.name),
          evidence: [
            ...shown(row, person, row.id),
            ...wrote.flatMap(({ author }) =>
              author!.evidence.map((one) => ({ ...one, role: 'counter' as const })),
            ),
          ],
        },
      ];
    }),
  );
}

/** The first cell behind the role that names a person: a column of organisations may stand before it. */
function personOf({ cells }: StatedItem): { readonly named?: StatedValue; readonly name?: string } {
  for (const named of cells.slice(1)) {
    const [name] = personNamesIn(named.text);
    if (name !== undefined) return { named, name };
  }
  return {};
}

/** One role, of which a project has one holder, has two in two documents. */
export function roleOfTwoPersons({ facts }: StatedContext): readonly StatedContradiction[] {
  const isOne = patternOf(recordWords().oneHolder);
  const holders = facts.items.flatMap((row) => {
    const [role] = row.cells;
    const { named, name } = personOf(row);
    return row.table !== undefined && role && named && name !== undefined && isOne.test(role.text.trim())
      ? [{ row, role, named, name }]
      : [];
  });
  return firstOfEach(
    holders.flatMap((one): StatedContradiction[] => {
      const same = holders.filter(({ role }) => compactTitle(role.text) === compactTitle(one.role.text));
      const other = same.find(
        ({ row, name }) => row.document !== one.row.document && !isSamePerson(name, one.name),
      );
      if (!other || same.some((two) => two !== one && two.row.document === one.row.document)) return [];
      return [
        {
          rule: 'role-of-two-persons',
          item: compactTitle(one.role.text),
          confidence: 'medium',
          words: { role: one.role.text, one: one.name, other: other.name },
          affected: [one.role.text],
          evidence: [
            ...shown(other.row, other.named, other.role.text),
            ...shown(one.row, one.named, one.role.text),
          ],
        },
      ];
    }),
  );
}

/** Whoever assesses has another role in the same list: manages, develops or tests what is assessed. */
export function assessorHasOtherRole({ facts }: StatedContext): readonly StatedContradiction[] {
  const isAssessor = anyOf(recordWords().assessors);
  const people = facts.items.flatMap((row) => {
    const [role] = row.cells;
    const { named, name } = personOf(row);
    return row.table !== undefined && role && role.text.length <= 60 && named && name !== undefined
      ? [{ row, role, named, name }]
      : [];
  });
  return firstOfEach(
    people
      .filter(({ role }) => isAssessor.test(role.text))
      .flatMap((assessor): StatedContradiction[] => {
        const { row, role, named, name } = assessor;
        const other = people.find(
          (one) =>
            one.row.document === row.document &&
            one.row.table === row.table &&
            !isAssessor.test(one.role.text) &&
            isSamePerson(one.name, name),
        );
        if (!other) return [];
        return [
          {
            rule: 'assessor-has-other-role',
            item: `${name} ${row.document.id}`,
            confidence: 'high',
            words: { person: name, role: role.text, other: other.role.text },
            affected: [],
            evidence: [...shown(row, named, role.text), ...shown(other.row, other.named, other.role.text)],
          },
        ];
      }),
  );
}

/** The assessor of the plan's list of roles is the author of what is assessed. */
export function assessorIsAuthor({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { assessors, authored } = recordWords();
  const isAssessor = anyOf(assessors);
  const documents = statedDocuments(corpus, facts).filter(({ author, document }) => {
    const wholes = document.parts.filter((part) => part.whole).map((part) => part.typeId);
    return author && wholes.length > 0 && wholes.every((type) => authored.includes(type));
  });
  return firstOfEach(
    facts.items.flatMap((row): StatedContradiction[] => {
      const [role] = row.cells;
      const { named, name } = personOf(row);
      if (row.table === undefined || !role || !named || !isAssessor.test(role.text)) return [];
      if (name === undefined || role.text.length > 60) return [];
      const wrote = documents.filter(({ author }) =>
        personNamesIn(author!.value ?? '').some((one) => isSamePerson(one, name)),
      );
      if (wrote.length === 0) return [];
      return [
        {
          rule: 'assessor-is-author',
          item: `${name} ${row.document.id}`,
          confidence: 'high',
          words: {
            person: name,
            role: role.text,
            documents: wrote.map(({ document }) => `"${document.name}"`).join(', '),
          },
          affected: wrote.map(({ number, document }) => number?.value ?? document.name),
          evidence: [
            ...shown(row, named, role.text),
            ...wrote.flatMap(({ author }) =>
              author!.evidence.map((one) => ({ ...one, role: 'counter' as const })),
            ),
          ],
        },
      ];
    }),
  );
}
