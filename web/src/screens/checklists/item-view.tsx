import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take as takeAnswer } from '../../api/client.ts';
import { useDocumentNames } from '../../app/documents.ts';
import { useKeys } from '../../app/keys.ts';
import { useMay } from '../../app/workspace.ts';
import { Comments } from '../../comments/comments.tsx';
import { Button } from '../../parts/button.tsx';
import { DraftArea, forgetDraft } from '../../parts/draft.tsx';
import { Field, textsOf } from '../../parts/field.tsx';
import { Highlighted } from '../../parts/highlighted.tsx';
import { placeInWords } from '../../parts/place.ts';
import { placeAddress, Quote } from '../../parts/quote.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime } from '../../words/moments.ts';
import { ANSWERS, type ItemAnswer, ItemVerdict } from './item-verdict.tsx';
import { useWords } from './use-words.ts';

type Passage = Api['ItemPassages']['passages'][number];
const keyOf = ({ work_product_id, range }: Passage): string => `${work_product_id} ${range.start}`;

/** One item: what is asked, what the run says with its quotes, and what a person answers. */
export function ItemView({
  item: reviewed,
  state,
  onDone,
}: {
  readonly item: Api['ReviewedItem'];
  readonly state: Api['ChecklistState'];
  readonly onDone: () => void;
}) {
  const say = useWords();
  const may = useMay(state.workspace_id);
  const nameOf = useDocumentNames(state.workspace_id);
  const { item, machine, answer } = reviewed;
  // What a person takes as evidence of the answer, of this item.
  const [taken, take] = useState<{ readonly item: string; readonly passages: readonly Passage[] }>();
  const evidence = taken?.item === item.id ? taken.passages : [];
  const toggle = (one: Passage): void => {
    const others = evidence.filter((each) => keyOf(each) !== keyOf(one));
    take({ item: item.id, passages: others.length < evidence.length ? others : [...evidence, one] });
  };
  const textOf = (text: Api['ChecklistText'] | null): string =>
    text ? (say.language === 'de' && text.de) || text.en : '';
  const search = machine?.search as { readonly statement?: string } | null | undefined;
  return (
    <article className="stack">
      <h2>
        <bdi>{textOf(item.text)}</bdi>
      </h2>
      <p className="small">{item.refs.join(' · ')}</p>
      <dl className="guidance">
        {item.pass && (
          <>
            <dt>{say('when_pass')}</dt>
            <dd>{textOf(item.pass)}</dd>
          </>
        )}
        {item.fail && (
          <>
            <dt>{say('when_fail')}</dt>
            <dd>{textOf(item.fail)}</dd>
          </>
        )}
        {machine?.question && (
          <>
            <dt>{say('question')}</dt>
            <dd>{textOf(machine.question)}</dd>
          </>
        )}
        <dt>{say('machine')}</dt>
        <dd>
          {machine ? (
            <>
              <ItemVerdict of={machine.verdict} />
              <p>{machine.reason}</p>
            </>
          ) : (
            say('not_judged')
          )}
        </dd>
        {answer?.verdict && (
          <>
            <dt>{say('person')}</dt>
            <dd>
              <ItemVerdict of={answer.verdict} />
              <p>
                <bdi>{answer.reason}</bdi>
              </p>
              <p className="small">
                {say('by', {
                  name: answer.answered_by_name,
                  when: dateAndTime(answer.answered_at, say.language),
                })}
              </p>
              {answer.evidence.map((one) => (
                <Quote
                  key={`${one.work_product_id} ${one.range?.start} ${one.quote}`}
                  of={one}
                  workspace={state.workspace_id}
                  name={nameOf(one.work_product_id)}
                />
              ))}
            </dd>
          </>
        )}
        <dt>{say('counts')}</dt>
        <dd>
          <ItemVerdict of={reviewed.effective_verdict} />
          {reviewed.review_reason && <p className="small">{reviewed.review_reason}</p>}
        </dd>
      </dl>
      {machine && may('checklists.answer') && (
        <AnswerForm reviewed={reviewed} machine={machine} state={state} evidence={evidence} onDone={onDone} />
      )}
      {machine && (machine.evidence.length > 0 || search?.statement) && (
        <section className="stack">
          <h3>{say('quotes')}</h3>
          {machine.evidence.map((one) => (
            <Quote
              key={`${one.role} ${one.work_product_id} ${one.range?.start} ${one.range?.end}`}
              of={one}
              workspace={state.workspace_id}
              name={nameOf(one.work_product_id)}
            />
          ))}
          {search?.statement && <p className="small">{search.statement}</p>}
        </section>
      )}
      <Passages
        key={item.id}
        state={state}
        item={item.id}
        taken={machine && may('checklists.answer') ? evidence : undefined}
        onToggle={toggle}
      />
      <Comments
        workspace={state.workspace_id}
        subject={{ about: 'checklist_item', checklist_id: state.checklist_id, item_id: item.id }}
      />
    </article>
  );
}

/** What documents say with the words of the item, asked for when somebody looks for evidence. */
function Passages({
  state,
  item,
  taken,
  onToggle,
}: {
  readonly state: Api['ChecklistState'];
  readonly item: string;
  /** What is evidence of the answer; undefined for who answers nothing. */
  readonly taken: readonly Passage[] | undefined;
  readonly onToggle: (passage: Passage) => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const [isOpen, open] = useState(false);
  const found = useQuery({
    queryKey: ['checklists', state.workspace_id, state.checklist_id, 'passages', item],
    enabled: isOpen,
    queryFn: ({ signal }) =>
      takeAnswer(
        api.GET('/compliance/checklists/{id}/items/{item_id}/passages', {
          params: {
            path: { id: state.checklist_id, item_id: item },
            query: { workspace_id: state.workspace_id },
          },
          signal,
        }),
      ),
  });
  // Quotes of an answer are of the documents that the run read.
  const wasRead = ({ work_product_id, version }: Passage): boolean =>
    state.analysis?.documents.some(
      (one) => one.work_product_id === work_product_id && one.version === version,
    ) ?? false;
  return (
    <details className="passages" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{say('passages')}</summary>
      {isOpen && (
        <Loaded query={found} lines={3}>
          {({ passages }) => (
            <>
              <p className="small">{say(passages.length === 0 ? 'no_passages' : 'passages_text')}</p>
              <ul className="stack">
                {passages.map((one) => (
                  <li key={keyOf(one)} className="passage">
                    <Highlighted text={one.quote} at={one.highlights} />
                    <span className="row small">
                      <Link href={placeAddress(state.workspace_id, one)}>
                        <bdi>{one.name}</bdi> {placeInWords(one.location, common)}
                      </Link>
                      {taken && wasRead(one) && (
                        <label className="check">
                          <input
                            type="checkbox"
                            checked={taken.some((each) => keyOf(each) === keyOf(one))}
                            onChange={() => onToggle(one)}
                          />
                          {say('as_evidence')}
                        </label>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Loaded>
      )}
    </details>
  );
}

function AnswerForm({
  reviewed,
  machine,
  state,
  evidence,
  onDone,
}: {
  readonly reviewed: Api['ReviewedItem'];
  readonly machine: Api['ChecklistVerdict'];
  readonly state: Api['ChecklistState'];
  readonly evidence: readonly Passage[];
  readonly onDone: () => void;
}) {
  const say = useWords();
  const client = useQueryClient();
  const workspace = state.workspace_id;
  const [verdict, setVerdict] = useState<ItemAnswer>(reviewed.answer?.verdict ?? machine.verdict);
  const path = { id: state.checklist_id, item_id: reviewed.item_id };
  const draft = `checklist:${workspace}:${state.checklist_id}:${reviewed.item_id}`;
  useKeys(
    useMemo(() => Object.fromEntries(ANSWERS.map((one, at) => [String(at + 1), () => setVerdict(one)])), []),
  );
  const refresh = (said: string): void => {
    for (const what of ['checklists', 'gaps', 'overview']) {
      void client.invalidateQueries({ queryKey: [what, workspace] });
    }
    toast(said);
  };
  const save = useMutation({
    mutationFn: (reason: string) =>
      takeAnswer(
        api.PUT('/compliance/checklists/{id}/items/{item_id}/answer', {
          params: { path },
          body: {
            workspace_id: workspace,
            verdict,
            reason,
            basis: machine.basis,
            evidence: evidence.map(({ work_product_id, quote }) => ({ work_product_id, quote })),
          },
        }),
      ),
    onSuccess: () => {
      forgetDraft(draft);
      refresh(say('saved'));
      onDone();
    },
  });
  const takeBack = useMutation({
    mutationFn: () =>
      takeAnswer(
        api.DELETE('/compliance/checklists/{id}/items/{item_id}/answer', {
          params: { path, query: { workspace_id: workspace } },
        }),
      ),
    onSuccess: () => refresh(say('taken_back')),
  });
  return (
    <form
      className="stack answer-form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(textsOf(event.currentTarget).reason ?? '');
      }}
    >
      <fieldset className="row">
        <legend>
          <strong>{say('your_answer')}</strong>
        </legend>
        {ANSWERS.map((one, at) => (
          <label key={one} className="check">
            <input type="radio" name="verdict" checked={one === verdict} onChange={() => setVerdict(one)} />
            {say(`verdict_${one}`)} <kbd>{at + 1}</kbd>
          </label>
        ))}
      </fieldset>
      <Field label={say('reason')} hint={say('reason_hint')}>
        <DraftArea draft={draft} name="reason" required maxLength={4000} />
      </Field>
      {evidence.length > 0 && <p className="small">{say.count('with_evidence', evidence.length)}</p>}
      {(save.error ?? takeBack.error) && <Failure error={save.error ?? takeBack.error} />}
      <div className="row">
        <Button type="submit" kind="primary" disabled={save.isPending}>
          {say('save')}
        </Button>
        {reviewed.answer?.verdict && (
          <Button disabled={takeBack.isPending} onClick={() => takeBack.mutate()}>
            {say('take_back')}
          </Button>
        )}
      </div>
    </form>
  );
}
