/**
 * Marks that publishers and standards bodies print on licensed copies. A hit means: take `single_user` as the
 * licence until a person chooses otherwise (domain 0.2, safeguard 3; own rule).
 */
const LICENCE_MARK =
  /Licensed to .{0,80}|Single[- ]user licen[cs]e|copying and networking prohibited|No reproduction or networking permitted|Nur zur internen Verwendung|Beuth|Uncontrolled when printed/iu;

/** Whether a text carries the mark of a personal licence. Looks at the first and last 20 000 characters only. */
export function hasLicenceMark(text: string): boolean {
  return LICENCE_MARK.test(text.slice(0, 20_000)) || LICENCE_MARK.test(text.slice(-20_000));
}
