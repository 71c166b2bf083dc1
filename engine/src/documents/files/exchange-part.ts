/** Whether a file of an archive holds what is exchanged, by its ending, and is not what some systems put beside it. */
export function isExchangePart(name: string, ending: string): boolean {
  return name.toLowerCase().endsWith(`.${ending}`) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name);
}
