import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Api, ApiFailure, api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { useMay } from '../../app/workspace.ts';
import { Asking } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ANSWERS, type ItemAnswer, ItemVerdict } from './item-verdict.tsx';
import { useWords } from './use-words.ts';

type Item = Api['ReviewedItem'];

/** A checklist as a table: rows are walked and answered by keys, alone or many at once. */
export function ItemTable({ state }: { readonly state: Api['ChecklistState'] }) {
  const say = useWords();
  const may = useMay(state.workspace_id);
  const [onlyOpen, setOnlyOpen] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [here, setHere] = useState<string>();
  const [asked, ask] = useState<ItemAnswer>();
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = useMemo(
    () => state.items.filter((one) => !onlyOpen || one.review_status === 'to_be_reviewed'),
    [state.items, onlyOpen],
  );
  const mayAnswer = may('checklists.answer');
  const chosen = shown.filter(({ item_id }) => ticked.has(item_id));
  const about = (chosen.length > 0 ? chosen : shown.filter(({ item_id }) => item_id === here)).filter(
    ({ machine }) => machine !== null,
  );
  const toggle = (id: string): void => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    setTicked(next);
  };
  const walk = (by: number): void => {
    const at = shown.findIndex(({ item_id }) => item_id === here);
    const next = shown[at === -1 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (!next) return;
    setHere(next.item_id);
    body.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(next.item_id)}"]`)?.focus();
  };
  const keys = {
    j: () => walk(1),
    ArrowDown: () => walk(1),
    k: () => walk(-1),
    ArrowUp: () => walk(-1),
    x: () => here && mayAnswer && toggle(here),
    ...Object.fromEntries(
      ANSWERS.map((answer, at) => [String(at + 1), () => mayAnswer && about.length > 0 && ask(answer)]),
    ),
  };
  const latest = useRef(keys);
  latest.current = keys;
  useKeys(
    useMemo(
      () =>
        Object.fromEntries(
          Object.keys(latest.current).map((key) => [
            key,
            () => void latest.current[key as keyof typeof keys]?.(),
          ]),
        ),
      [],
    ),
  );
  useTellKeys(
    say('checklists'),
    useMemo(
      () => [
        ['j k', say('key_walk')],
        ['x', say('key_select')],
        ['⏎', say('key_open')],
        ['1 2 3 4', ANSWERS.map((one) => say(`verdict_${one}`)).join(', ')],
      ],
      [say],
    ),
  );
  const textOf = (text: Api['ChecklistText']): string => (say.language === 'de' && text.de) || text.en;
  const isAllTicked = shown.length > 0 && shown.every(({ item_id }) => ticked.has(item_id));
  return (
    <div className="stack">
      <div className="row">
        <label className="check">
          <input type="checkbox" checked={onlyOpen} onChange={(event) => setOnlyOpen(event.target.checked)} />
          {say('only_open')}
        </label>
        {mayAnswer && (
          <>
            <span role="status">{say.count('selected', chosen.length)}</span>
            {ANSWERS.map((answer, at) => (
              <Button key={answer} disabled={about.length === 0} onClick={() => ask(answer)}>
                <ItemVerdict of={answer} /> <kbd>{at + 1}</kbd>
              </Button>
            ))}
          </>
        )}
      </div>
      <div className="list-scroll">
        <table className="list item-table">
          <thead>
            <tr>
              {mayAnswer && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={say('select_all')}
                    checked={isAllTicked}
                    onChange={() =>
                      setTicked(isAllTicked ? new Set() : new Set(shown.map(({ item_id }) => item_id)))
                    }
                  />
                </td>
              )}
              <th scope="col">{say('item')}</th>
              <th scope="col">{say('machine')}</th>
              <th scope="col">{say('counts')}</th>
              <th scope="col">{say('reason')}</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {shown.map((one) => (
              <tr key={one.item_id} aria-selected={one.item_id === here || undefined}>
                {mayAnswer && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={say('select_item', { item: one.item_id })}
                      checked={ticked.has(one.item_id)}
                      onChange={() => toggle(one.item_id)}
                    />
                  </td>
                )}
                <td>
                  <Link
                    href={`?mode=one&item=${encodeURIComponent(one.item_id)}`}
                    data-item={one.item_id}
                    onFocus={() => setHere(one.item_id)}
                  >
                    <span className="mono">{one.item_id}</span>
                  </Link>{' '}
                  <bdi>{textOf(one.item.text)}</bdi>
                </td>
                <td>{one.machine && <ItemVerdict of={one.machine.verdict} />}</td>
                <td>
                  <ItemVerdict of={one.effective_verdict} />
                </td>
                <td>
                  <bdi>{one.answer?.reason ?? one.review_reason ?? one.machine?.reason}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked && (
        <AnswerMany
          state={state}
          items={about}
          verdict={asked}
          onClose={() => ask(undefined)}
          onDone={() => setTicked(new Set())}
        />
      )}
    </div>
  );
}

/** Asks for the reason, and answers all of them alike. */
function AnswerMany({
  state,
  items,
  verdict,
  onClose,
  onDone,
}: {
  readonly state: Api['ChecklistState'];
  readonly items: readonly Item[];
  readonly verdict: ItemAnswer;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const overridden = items.filter(({ machine }) => machine?.verdict !== verdict).length;
  const save = useMutation({
    mutationFn: () =>
      take(
        api.PATCH('/compliance/checklists/{id}/answers', {
          params: { path: { id: state.checklist_id } },
          body: {
            workspace_id: state.workspace_id,
            answers: items.map(({ item_id, machine }) => ({
              item_id,
              verdict,
              reason,
              evidence: [],
              ...(machine && { basis: machine.basis }),
            })),
          },
        }),
      ),
    onSuccess: (answered) => {
      client.setQueryData(['checklists', state.workspace_id, state.checklist_id, 'state'], answered);
      for (const what of ['checklists', 'gaps', 'overview']) {
        void client.invalidateQueries({ queryKey: [what, state.workspace_id] });
      }
      toast(say.count('answered', items.length));
      onDone();
      onClose();
    },
  });
  const failedItem = save.error instanceof ApiFailure ? save.error.details.item_id : undefined;
  return (
    <Dialog title={say.count('answer_title', items.length)} onClose={onClose}>
      <Asking verb={common('save')} doing={save} onSubmit={() => save.mutate()} onClose={onClose}>
        <p>
          <ItemVerdict of={verdict} />:{' '}
          <span className="mono">{items.map(({ item_id }) => item_id).join(', ')}</span>
        </p>
        {overridden > 0 && <p className="quiet">{say.count('differs_from_run', overridden)}</p>}
        <Field label={say('reason')} hint={say('reason_hint')}>
          <textarea
            className="input"
            required
            maxLength={4000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {typeof failedItem === 'string' && <p className="mono">{failedItem}</p>}
      </Asking>
    </Dialog>
  );
}
