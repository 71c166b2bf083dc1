/** The list that somebody came from, so that next and previous work without going back to it. Held while the page is. */
interface Walked {
  readonly workspace: string;
  /** Some of the list that stand one behind the other. */
  readonly ids: readonly string[];
  /** Place of the first of them, counted from 0. */
  readonly from: number;
  readonly total: number;
  /** The address of the list, with its filters. */
  readonly address: string;
}

let walked: Walked | undefined;

export const rememberList = (list: Walked): void => {
  walked = list;
};

export function neighbours(workspace: string, gap: string) {
  if (walked?.workspace !== workspace) return undefined;
  const at = walked.ids.indexOf(gap);
  if (at === -1) return undefined;
  return {
    at: walked.from + at + 1,
    total: walked.total,
    address: walked.address,
    previous: walked.ids[at - 1],
    next: walked.ids[at + 1],
  };
}
