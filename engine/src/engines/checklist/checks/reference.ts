import { z } from 'zod';
import { partsOfTypes } from '../../../corpus/corpus.js';
import { noted, quote } from '../../../corpus/evidence.js';
import { fieldOf } from '../../../corpus/metadata-fields.js';
import type { ReadDocument } from '../../../corpus/passages/passages-of.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import type { Cell } from '../../../documents/document.js';
import { checkWords } from '../../../facts/check-words.js';
import type { Evidence } from '../../../findings/finding.js';
import { say } from '../../../sentences/sentence.js';
import { phraseFinder } from '../../../text/phrases.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { bareVersionIn, finderOf, isSameVersion, versionIn, versionOf } from '../document-names.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes, phrases } from '../parameters.js';

/** The documents refer to a document of the types `to`, with its version where asked; what is provided must agree. */
const parameters = {
  in: documentTypes,
  to: documentTypes,
  version: z.literal(true).optional(),
  names: phrases.optional(),
};
type Check = CheckParameters<typeof parameters>;

export const reference = defineCheck('reference', parameters, checkReference);

interface Mention {
  readonly evidence: Evidence;
  readonly version: string | undefined;
  /** From references and inputs, which name documents, rather than from a sentence that names the topic. */
  readonly listed: boolean;
}

export function checkReference(check: Check, context: ItemContext): Outcome {
  const { corpus } = context;
  const parts = partsFor(context, check.in);
  if (parts.length === 0) {
    return outcome('missing', 'high', {
      rules: ['no-document-of-the-type'],
      reason: say('checks.no-document-of-place', { in: namesOfTypes(context, check.in) }),
    });
  }
  const found = mentionsIn(check, context);
  const name = namesOfTypes(context, check.to);
  if (found.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['no-reference'],
      reason: say('checks.nothing-in-the-refers-to-the', { in: namesOfTypes(context, check.in), name }),
      terms: check.to.flatMap((id) => corpus.documentTypes.get(id)?.aliases.slice(0, 3) ?? []),
    });
  }
  const targets = documentsOf(
    context,
    partsOfTypes(corpus, check.to).filter((part) => part.whole),
  );
  const versioned = found.filter((one) => one.version !== undefined);
  const provided = targets.map((document) => versionOf(context, document)).filter((one) => one.stated);
  const stale = versioned.find(
    (one) => provided.length > 0 && !provided.some((own) => isSameVersion(own.value, one.version!)),
  );
  if (stale) {
    return outcome('fail', 'high', {
      rules: ['reference-other-version'],
      reason: say('checks.it-refers-to-version-of-the', {
        version: stale.version,
        name,
        provided: provided.map((one) => one.value),
      }),
      evidence: [noted(stale.evidence, 'counter', say('checks.another-version-than-the-one-provided'))],
    });
  }
  if (check.version && versioned.length === 0) {
    return outcome('fail', 'medium', {
      rules: ['reference-without-version'],
      reason: say('checks.it-refers-to-the-but-not', { name }),
      evidence: found.slice(0, 3).map((one) => noted(one.evidence, 'counter', say('checks.no-version'))),
    });
  }
  const shown = versioned.length > 0 ? versioned : found;
  const isSure = versioned.length > 0 || found.some((one) => one.listed);
  return outcome('pass', isSure ? (provided.length > 0 ? 'high' : 'medium') : 'low', {
    rules: ['reference'],
    reason: say('checks.it-refers-to-the', {
      name,
      version: versioned[0]?.version,
      absent: targets.length === 0,
    }),
    evidence: shown.slice(0, 3).map((one) => one.evidence),
  });
}

const OWN_TITLE_BLOCKS = 12;

function mentionsIn(check: Check, context: ItemContext): readonly Mention[] {
  const { corpus } = context;
  const targets = documentsOf(
    context,
    partsOfTypes(corpus, check.to).filter((part) => part.whole),
  );
  const byId = targets.flatMap(({ id }) => {
    const { state, value } = fieldOf(corpus, 'document_id', id);
    return state === 'present' && value ? [idFinder(value.trim())] : [];
  });
  const finders = [
    ...byId,
    ...check.to.map((id) => finderOf(id, corpus)),
    ...(check.names ? [phraseFinder(everyPhrase(check.names))] : []),
  ];
  return documentsOf(context, partsFor(context, check.in)).flatMap(({ read, parts }) => {
    // A document that is both refers to itself by its own title.
    const isBoth = parts.some((part) => part.whole && check.to.includes(part.typeId));
    return read.passages.flatMap((passage): Mention[] => {
      const isListed = passage.role === 'references';
      const counts = isListed || passage.role === 'body' || passage.role === 'scope';
      if (!counts || passage.header || (isBoth && passage.blockIndex < OWN_TITLE_BLOCKS)) return [];
      return (read.document.blocks[passage.blockIndex]!.cells ?? [passage]).flatMap((segment) => {
        const text = read.document.text.slice(segment.start, segment.end);
        const match = finders.flatMap((find) => find(text))[0];
        if (!match) return [];
        const focus = { start: segment.start + match.start, end: segment.start + match.end };
        const worded =
          versionBehind(text.slice(match.end)) ?? versionIn(text.slice(match.end)) ?? versionIn(text);
        const own = worded ?? (isListed ? bareVersionIn(text) : undefined);
        // In a row the version has a cell of its own, or stands behind the identifier in the next one.
        const beside = own === undefined ? versionInRow(read, passage.blockIndex) : undefined;
        const place = beside?.cell ?? segment;
        const evidence = quote(read.document, passage, place, {
          role: 'support',
          note: say('checks.refers-to-it'),
          ...(beside ? {} : { focus }),
        });
        const version = own ?? beside?.version;
        return [{ evidence, version, listed: isListed }];
      });
    });
  });
}

/** Where the identifier of a document stands in a text. */
const idFinder =
  (id: string) =>
  (text: string): readonly { readonly start: number; readonly end: number }[] => {
    const start = text.indexOf(id);
    const beside = `${text[start - 1] ?? ''}${text[start + id.length] ?? ''}`;
    if (start < 0 || /[\p{L}\p{N}-]/u.test(beside)) return [];
    return [{ start, end: start + id.length }];
  };

/** " issue B", " Ausgabe 1.1" right behind an identifier. */
const versionBehind = (text: string): string | undefined =>
  new RegExp(checkWords().versionBehind, 'iu').exec(text)?.groups?.version;

/** The only version that the other cells of a row state. */
function versionInRow(
  read: ReadDocument,
  block: number,
): { readonly version: string; readonly cell: Cell } | undefined {
  const table = read.tables[read.tableOf[block]!];
  const row = table?.rows.find((one) => one.block === block);
  const column = table?.columns.findIndex((title) =>
    /^(?:version|rev|revision|stand|issue)/iu.test(title?.trim() ?? ''),
  );
  const titled = column === undefined ? undefined : row?.cells.get(column);
  if (titled && /\d/.test(titled.text)) return { version: titled.text.trim(), cell: titled };
  const stated = (read.document.blocks[block]!.cells ?? []).flatMap((cell) => {
    const version = versionIn(cell.text);
    return version === undefined ? [] : [{ version, cell }];
  });
  return stated.length === 1 ? stated[0] : undefined;
}
