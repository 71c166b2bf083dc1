import type { Evidence } from '../findings/finding.js';
import { EvidenceError, verifyEvidence } from '../findings/verify-evidence.js';

type Documents = Parameters<typeof verifyEvidence>[1];

/** Rule of an answer whose quote could not be verified: nothing is said by it. */
export const NOT_VERIFIED = 'quote-not-verified';

/** Whether every quote stands in its document, as `verifyEvidence` demands it. */
export function isVerified(evidence: Iterable<Evidence>, documents: Documents): boolean {
  try {
    verifyEvidence(evidence, documents);
    return true;
  } catch (error) {
    if (error instanceof EvidenceError) return false;
    throw error;
  }
}

/** What was found, without what rests on a quote that could not be verified, and how much that was. */
export function withhold<Found extends { readonly evidence: readonly Evidence[] }>(
  found: readonly Found[],
  documents: Documents,
): { readonly kept: readonly Found[]; readonly withheld: number } {
  const kept = found.filter(({ evidence }) => isVerified(evidence, documents));
  return { kept, withheld: found.length - kept.length };
}

/** What is said of one quote. */
const isOf = (value: unknown): value is { readonly evidence: Evidence } =>
  typeof value === 'object' &&
  value !== null &&
  'evidence' in value &&
  typeof value.evidence === 'object' &&
  value.evidence !== null &&
  !Array.isArray(value.evidence);

/** The same value, in which no list of evidence at any depth holds a quote that could not be verified. */
export function withoutUnverified<Value>(value: Value, documents: Documents): Value {
  if (Array.isArray(value)) {
    const shown = value.filter((one) => !isOf(one) || isVerified([one.evidence], documents));
    return shown.map((one) => withoutUnverified(one, documents)) as Value;
  }
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'evidence' && Array.isArray(one)
        ? (one as readonly Evidence[]).filter((quote) => isVerified([quote], documents))
        : withoutUnverified(one, documents),
    ]),
  ) as Value;
}
