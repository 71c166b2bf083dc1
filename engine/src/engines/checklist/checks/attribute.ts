import { z } from 'zod';
import { readAsilAttribute } from '../../../asil/asil-attribute.js';
import { isFilled } from '../../../corpus/placeholders/emptiness.js';
import { columnNames } from '../../../document-types/template-words.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { type LocalWords, say } from '../../../sentences/sentence.js';
import { compactTitle } from '../../../words/column-titles.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { attributesOf } from '../inspected.js';
import { noArtifact, shareOutcome } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes, plain, share } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/** An attribute of every artifact has a value: a field of its record (template column) or of the artifact. */
const parameters = {
  of: artifactTypes,
  field: plain(z.string().min(2)),
  filled: share.default(100),
  value: z.enum(['anything', 'asil', 'number']).default('anything'),
};
type Check = CheckParameters<typeof parameters>;

export const attribute = defineCheck('attribute', parameters, checkAttribute);

function checkAttribute(check: Check, context: ItemContext): Outcome {
  const artifacts = context.trace.ofTypes(check.of);
  if (artifacts.length === 0) return noArtifact(check.of, context);
  const rated = artifacts.map((artifact) => ({ artifact, met: hasAttribute(check, artifact, context) }));
  if (check.value !== 'asil' && rated.every((one) => !one.met)) {
    return outcome('missing', 'medium', {
      rules: ['attribute'],
      reason: say('checks.none-of-the-has', {
        artifacts: artifacts.length,
        field: nameOf(check.field, context),
      }),
      evidence: artifacts
        .slice(0, 2)
        .flatMap((one) =>
          quoteArtifact(context.corpus, one, { role: 'context', note: say('checks.document-without-it') }),
        ),
      terms: [check.field.replaceAll('_', ' ')],
    });
  }
  return shareOutcome(rated, {
    context,
    filled: check.filled,
    rule: 'attribute',
    what: say('general.quoted', { text: nameOf(check.field, context) }),
    place: (artifact) => (check.field === 'asil' ? artifact.asilPlace : undefined),
  });
}

/** As a template calls the column of that key; else the key in words. */
function nameOf(field: string, { corpus }: ItemContext): LocalWords | string {
  const columns = [...corpus.documentTypes.values()].flatMap(({ tables }) =>
    tables.flatMap((one) => one.columns),
  );
  const title = columns.find(({ key }) => key === field)?.names[0];
  return title === undefined ? field.replaceAll('_', ' ') : columnNames(title);
}

function hasAttribute({ field, value }: Check, artifact: ExtractedArtifact, context: ItemContext): boolean {
  const own = Object.entries(artifact).find(([key]) => key === field)?.[1];
  const text =
    own !== undefined && typeof own !== 'object'
      ? String(own)
      : (context.trace.recordOf(artifact)?.fields.get(field)?.value ?? writtenAs(field, artifact, context));
  if (text === undefined || !isFilled(text)) return false;
  if (value === 'asil') return readAsilAttribute(text).kind === 'stated';
  return value === 'number' ? /\d/.test(text) : true;
}

/** The value of a directive or record under a title that a template has for the field. */
function writtenAs(field: string, artifact: ExtractedArtifact, context: ItemContext): string | undefined {
  const attributes = attributesOf(artifact, context);
  const titles = [...context.corpus.documentTypes.values()].flatMap(({ tables }) =>
    tables.flatMap(({ columns }) => columns.filter(({ key }) => key === field).flatMap(({ names }) => names)),
  );
  const keys = new Set([field, ...titles].map(compactTitle));
  return [...attributes].find(([title, cell]) => keys.has(title) && isFilled(cell.text))?.[1].text;
}
