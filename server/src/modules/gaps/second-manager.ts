import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseYaml } from '../../platform/data/parse-yaml.js';
import { Severity } from './gaps.schemas.js';

const RuleSchema = z.strictObject({
  severities: z.array(Severity),
  asil: z.array(z.enum(['QM', 'A', 'B', 'C', 'D'])),
  risk_values: z.array(z.int().min(1).max(5)),
});
type Rule = z.output<typeof RuleSchema>;

let rule: Rule | undefined;
/** `data/acceptance.yaml`, read once. Throws on an unknown key. */
function theRule(): Rule {
  const file = new URL('../../../data/acceptance.yaml', import.meta.url);
  rule ??= RuleSchema.parse(parseYaml(readFileSync(file, 'utf8')));
  return rule;
}

/**
 * Whether accepting a finding takes two managers (domain I.2).
 * @param severities The original and the overridden one: lowering a severity does not get around the second person.
 * @param integrity As findings state it: `D`, `ASIL B(D)`, `risk 5`; undefined where nothing tells it.
 */
export function needsSecondManager(
  severities: readonly z.output<typeof Severity>[],
  integrity: string | undefined,
): boolean {
  const { severities: grave, asil, risk_values } = theRule();
  if (integrity === undefined || !severities.some((severity) => grave.includes(severity))) return false;
  const risk = /^risk (\d)$/.exec(integrity)?.[1];
  if (risk !== undefined) return risk_values.includes(Number(risk));
  const level = /^(?:ASIL )?(QM|[A-D])(?:\((QM|[A-D])\))?$/.exec(integrity);
  return [level?.[1], level?.[2]].some((one) => asil.some((demanded) => demanded === one));
}
