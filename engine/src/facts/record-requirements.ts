import type { CorpusDocument } from '../corpus/corpus.js';
import type { TableRow } from '../corpus/passages/tables.js';
import { titlesOf } from '../corpus/passages/understood-columns.js';
import type { AttributeRole } from '../words/column-titles.js';
import { qualityWords, type RequirementLevel } from '../words/quality-words.js';
import type { ArtifactType } from './artifacts/artifact.js';
import { extractionWords } from './artifacts/extraction-words.js';
import type { Statement } from './artifacts/statement.js';
import { statementsOf } from './artifacts/statements-of.js';
import { roleOfTitle } from './artifacts/table-statements.js';
import type { StatedRequirement } from './requirement.js';

/** What tools call a demand, and at which level it stands; others are tests, elements and results. */
export const LEVEL_OF_TYPE: Readonly<Partial<Record<ArtifactType, RequirementLevel>>> = {
  safety_goal: 'goal',
  cybersecurity_goal: 'goal',
  functional_safety_requirement: 'functional',
  cybersecurity_requirement: 'functional',
  technical_safety_requirement: 'technical',
  hardware_requirement: 'hardware',
  software_requirement: 'software',
};
/** Attributes of records by the names of fields that the rules know. */
const FIELDS: Readonly<Partial<Record<AttributeRole, string>>> = {
  asil: 'asil',
  status: 'status',
  method: 'verification',
  rationale: 'rationale',
  ftti: 'timing',
  configuration: 'variant',
  safe_state: 'safe_state',
};

/**
 * Requirements that a tool keeps as records (ReqIF, needs, StrictDoc, TRLC, Doorstop), with their attributes. A record of no
 * known kind is one where its text is a demand.
 */
export function recordRequirements(document: CorpusDocument): readonly StatedRequirement[] {
  const { read } = document;
  const { blocks } = read.document;
  if (!blocks.some(({ record }) => record)) return [];
  const ofBlock = new Map(statementsOf(document).statements.map((statement) => [statement.start, statement]));
  return read.records.flatMap((table) => {
    const roles = titlesOf(table).map((title) =>
      title === undefined ? undefined : roleOfTitle(title, extractionWords())?.attribute,
    );
    return table.rows.flatMap((row): StatedRequirement[] => {
      const block = blocks[row.block]!;
      const statement = block.record && ofBlock.get(block.start);
      const passage = read.passages[row.block]!;
      if (!statement || !isDemand(statement) || passage.role !== 'body') return [];
      const cell = [...row.cells.values()].find(({ text }) => text.trim() === statement.text);
      if (!cell) return [];
      const level = LEVEL_OF_TYPE[statement.type];
      const fields = fieldsOf(row, roles);
      const asil = statement.asil ?? fields.get('asil');
      return [
        {
          id: statement.id,
          text: cell.text,
          ...(level ? { level } : {}),
          ...(asil ? { asil } : {}),
          fields,
          document,
          passage,
          start: cell.start,
          end: cell.end,
        },
      ];
    });
  });
}

function isDemand({ kind, type, text, informational }: Statement): boolean {
  if (kind !== 'definition' || text === '' || informational) return false;
  if (LEVEL_OF_TYPE[type]) return true;
  return type === 'unknown' && text.search(qualityWords().expressions.normative) >= 0;
}

function fieldsOf(row: TableRow, roles: readonly (AttributeRole | undefined)[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const { column, text } of row.cells.values()) {
    const role = roles[column];
    const field = role && FIELDS[role];
    const value = text.trim();
    if (field && value !== '' && !fields.has(field)) fields.set(field, value);
  }
  return fields;
}
