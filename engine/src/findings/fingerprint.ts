import { createHash } from 'node:crypto';

/**
 * Identity of a finding from run to run: kind, criterion and affected item, never the text or its place, so that
 * an edited document keeps the status that people gave the finding. 32 hexadecimal digits.
 */
export function fingerprint(kind: string, criterionId: string, affectedItem: string): string {
  const item = affectedItem.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
  return createHash('sha256')
    .update(JSON.stringify([kind, criterionId, item]))
    .digest('hex')
    .slice(0, 32);
}
