import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Conflict, isConflict } from './conflict.tsx';

/** As often is asked anew where only something else about the thing changes meanwhile. */
const TRIES = 3;

/** What is told of a thing when two people changed it at once. */
export interface Told {
  readonly label: string;
  readonly value: string;
}

/**
 * Changes something as a person sees it. Where somebody else changed the same to something else since it was read, nothing is
 * written: both are shown, and the person says which is to be.
 */
export function useGuarded<Thing, Change>({
  seen,
  read,
  write,
  changed,
  told,
  onSaved,
  onTheirs,
  onError,
}: {
  /** As the person sees it. */
  readonly seen: Thing;
  /** As it is now, with the tag of this state where the service gives one. */
  readonly read: () => Promise<{ readonly data: Thing; readonly tag?: string }>;
  readonly write: (change: Change, tag: string | undefined) => Promise<unknown>;
  /** What it would be. */
  readonly changed: (change: Change) => Thing;
  /** The fields that a change writes, always the same ones. */
  readonly told: (of: Thing) => readonly Told[];
  readonly onSaved: () => void;
  /** What is there now is to be shown. */
  readonly onTheirs: () => void;
  readonly onError?: (error: Error) => void;
}) {
  const [clash, setClash] = useState<{
    readonly change: Change;
    readonly now: Thing;
    readonly tag?: string;
  }>();
  /** What this person wrote last, while what it was before is still shown: it is nobody else's. */
  const written = useRef<{ readonly over: Thing; readonly now: Thing }>(undefined);
  const isOver = (change: Change, now: Thing): boolean => {
    const own = written.current?.over === seen ? written.current.now : seen;
    const known = [seen, own, changed(change)].map(told);
    return told(now).some(({ value }, at) => known.every((one) => one[at]!.value !== value));
  };
  const save = useMutation({
    /** `over`: the state that the person saw and writes over. */
    mutationFn: async ({
      change,
      over,
    }: {
      readonly change: Change;
      readonly over?: { readonly tag?: string };
    }) => {
      let known = over;
      for (let left = TRIES; ; left--) {
        if (!known) {
          const now = await read();
          if (isOver(change, now.data)) {
            setClash({ change, now: now.data, ...(now.tag !== undefined && { tag: now.tag }) });
            return false;
          }
          known = now;
        }
        try {
          await write(change, known.tag);
          written.current = { over: seen, now: changed(change) };
          return true;
        } catch (error) {
          if (!isConflict(error) || left === 0) throw error;
          known = undefined;
        }
      }
    },
    onSuccess: (isSaved) => {
      if (!isSaved) return;
      setClash(undefined);
      onSaved();
    },
    ...(onError && { onError }),
  });
  const mine = clash && told(changed(clash.change));
  return {
    send: (change: Change): void => save.mutate({ change }),
    isPending: save.isPending,
    /** Nobody said yet which of two changes is to be. */
    isOpen: clash !== undefined,
    error: save.error,
    conflict: clash && mine && (
      <Conflict
        fields={told(clash.now).map(({ label, value }, at) => ({
          label,
          mine: mine[at]!.value,
          theirs: value,
        }))}
        onMine={() => save.mutate({ change: clash.change, over: clash })}
        onTheirs={() => {
          setClash(undefined);
          onTheirs();
        }}
      />
    ),
  };
}
