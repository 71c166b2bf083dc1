/** The files of an archive that hold requirements, not what some systems put beside them. */
export function isReqifPart(name: string): boolean {
  return /\.reqif$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name);
}
