import { useState } from 'react';
import { type Api, api, take } from '../api/client.ts';
import { useMembers } from '../app/workspace.ts';
import { Conflict, isConflict } from '../parts/conflict.tsx';
import { useCommonWords } from '../parts/use-words.ts';
import { calendarDate } from '../words/moments.ts';
import { type GapChange, useChangeGaps } from './change-gaps.ts';
import { useGapWords } from './use-words.ts';

type Gap = Api['Gap'];

/** What of a gap two people may change at once, as a change names it and as the gap has it. */
const FIELDS = ['status', 'assignee', 'due_date'] as const;
type Field = (typeof FIELDS)[number];

/** What was changed meanwhile to something else than what is wanted, of what the change is about. */
const clashing = (wanted: GapChange, seen: Gap, now: Gap): readonly Field[] =>
  FIELDS.filter(
    (name) => wanted[name] !== undefined && now[name] !== seen[name] && now[name] !== wanted[name],
  );

interface Clash {
  readonly wanted: GapChange;
  readonly now: Gap;
  readonly onDone: () => void;
}

/** What was written here last of each gap: what is shown may be older for a moment, and one's own change is nobody else's. */
const written = new Map<string, GapChange>();

/** Changes one gap as somebody sees it; where another person changed the same meanwhile, both are shown instead. */
export function useChangeGap(gap: Gap) {
  const change = useChangeGaps(gap.workspace_id);
  const [clash, setClash] = useState<Clash>();
  const send = (wanted: GapChange, seen: Gap, onDone: () => void): void =>
    change.mutate(
      { target: { ids: [gap.id] }, change: wanted, seenAt: seen.updated_at },
      {
        onSuccess: () => {
          written.set(gap.id, { ...written.get(gap.id), ...wanted });
          onDone();
        },
        onError: async (error) => {
          if (!isConflict(error)) return;
          const params = { path: { gap_id: gap.id } };
          const now = await take(api.GET('/analysis/gaps/{gap_id}', { params }));
          // Something else about it: nobody's change is lost.
          const own = written.get(gap.id);
          const isClash = clashing(wanted, seen, now).some((name) => now[name] !== own?.[name]);
          if (!isClash) send(wanted, now, onDone);
          else setClash({ wanted, now, onDone });
        },
      },
    );
  return {
    change,
    send: (wanted: GapChange, onDone: () => void = () => undefined) => send(wanted, gap, onDone),
    conflict: clash && (
      <GapConflict
        clash={clash}
        onMine={() => {
          setClash(undefined);
          send(clash.wanted, clash.now, clash.onDone);
        }}
        onTheirs={() => {
          setClash(undefined);
          change.refresh();
          clash.onDone();
        }}
      />
    ),
  };
}

function GapConflict({
  clash: { wanted, now },
  onMine,
  onTheirs,
}: {
  readonly clash: Clash;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}) {
  const say = useGapWords();
  const common = useCommonWords();
  const members = useMembers(now.workspace_id).data?.items ?? [];
  const told = (name: Field, value: string | null | undefined): string => {
    if (name === 'assignee') {
      return value ? (members.find(({ user_id }) => user_id === value)?.name ?? value) : say('nobody');
    }
    if (name === 'due_date') return value ? calendarDate(value, say.language) : say('no_date');
    return value ? common(`status_${value as Gap['status']}`) : '';
  };
  const labels = { status: say('status'), assignee: say('owner'), due_date: say('due') };
  return (
    <Conflict
      fields={FIELDS.filter((name) => wanted[name] !== undefined).map((name) => ({
        label: labels[name],
        mine: told(name, wanted[name]),
        theirs: told(name, now[name]),
      }))}
      onMine={onMine}
      onTheirs={onTheirs}
    />
  );
}
