import type { CorpusDocument } from '../../corpus/corpus.js';
import { unreadTables } from '../../judgement/unread-tables.js';
import { say } from '../../sentences/sentence.js';
import type { StructureDefect } from './structure-defect.js';

/** EM-10. Tables that nobody could read, each with its section. */
export const tablesNotRead = (document: CorpusDocument): readonly StructureDefect[] =>
  unreadTables(document).map(({ title, rows, evidence }) => ({
    rule: 'EM-10',
    severity: 'low',
    item: `table ${title}`,
    title: say('completeness.table-not-read-title', { title }),
    observed: say('completeness.table-not-read', { title, rows }),
    evidence,
  }));
