import { isWithin } from '../../../corpus/corpus.js';
import { quote } from '../../../corpus/evidence.js';
import { isFilled } from '../../../corpus/placeholders/emptiness.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import { personNamesIn } from '../../../facts/person-names.js';
import type { Evidence } from '../../../findings/finding.js';
import { say } from '../../../sentences/sentence.js';
import { phraseFinder } from '../../../text/phrases.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns, documentTypes, phrases } from '../parameters.js';

/** A person is named for the role: in the row that names the role, or beside it in a sentence. */
const parameters = { roles: phrases, in: documentTypes.optional(), columns: columns.default([]) };
type Check = CheckParameters<typeof parameters>;

export const personNamed = defineCheck('person_named', parameters, checkPersonNamed);

/** How far behind the role a name still belongs to it. */
const NEAR = 60;

function checkPersonNamed(check: Check, context: ItemContext): Outcome {
  const parts = partsFor(context, check.in);
  const roles = everyPhrase(check.roles);
  const find = phraseFinder(roles);
  const named: Evidence[] = [];
  const unnamed: Evidence[] = [];
  for (const { read } of documentsOf(context, parts)) {
    for (const passage of read.passages) {
      if (passage.role !== 'body' || passage.header || !isWithin(parts, passage)) continue;
      const { cells } = read.document.blocks[passage.blockIndex]!;
      for (const segment of cells ?? [passage]) {
        const text = read.document.text.slice(segment.start, segment.end);
        const match = find(text)[0];
        if (!match) continue;
        const after = text.slice(match.end, match.end + NEAR);
        const before = text.slice(Math.max(0, match.start - NEAR), match.start);
        if (personNamesIn(after).length > 0 || personNamesIn(before).length > 0) {
          const focus = { start: segment.start + match.start, end: segment.start + match.end };
          named.push(
            quote(read.document, passage, segment, {
              role: 'support',
              note: say('checks.names-a-person-for-the-role'),
              focus,
            }),
          );
          continue;
        }
        const others = (cells ?? []).filter((cell) => cell !== segment && cell.text.trim() !== '');
        const person = others.find((cell) => personNamesIn(cell.text).length > 0);
        if (person) {
          named.push(
            quote(read.document, passage, person, {
              role: 'support',
              note: say('checks.named-in-the-row', { text: text.trim().slice(0, 60) }),
            }),
          );
          continue;
        }
        const table = read.tables[read.tableOf[passage.blockIndex]!];
        // The role stands in a list of roles or as the owner of a task, or only in prose about what it does.
        const isLabel =
          cells !== undefined || /[:–-]\s*$/u.test(text.slice(0, match.end + 2)) || text.length < NEAR;
        if (!isLabel) continue;
        const open = others.find((cell) => !isFilled(cell.text, table?.columns[cell.column]));
        unnamed.push(
          quote(read.document, passage, open ?? segment, {
            role: 'counter',
            note: open ? say('checks.left-open') : say('checks.the-role-only-no-person'),
          }),
        );
      }
    }
  }
  if (named.length > 0) {
    return outcome('pass', 'high', {
      rules: ['person-named'],
      reason: say('checks.a-person-is-named-for-the'),
      evidence: named.slice(0, 2),
    });
  }
  if (unnamed.length > 0) {
    return outcome('fail', 'medium', {
      rules: ['role-without-person'],
      reason: say('checks.the-role-is-there-but-nobody'),
      evidence: unnamed.slice(0, 3),
    });
  }
  return outcome('missing', parts.length > 0 ? 'medium' : 'high', {
    rules: ['role-not-named'],
    reason: say('checks.role-nowhere', { in: namesOfTypes(context, check.in), parts: parts.length }),
    terms: roles,
  });
}
