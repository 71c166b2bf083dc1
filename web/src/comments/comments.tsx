import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { type Api, api, take } from '../api/client.ts';
import { useMay, useMembers, useProfile } from '../app/workspace.ts';
import { Button } from '../parts/button.tsx';
import { useDraft } from '../parts/draft.tsx';
import { Failure, useFailureWords } from '../parts/states.tsx';
import { toast } from '../parts/toasts.tsx';
import { useCommonWords } from '../parts/use-words.ts';
import { ago, dateAndTime } from '../words/moments.ts';
import { mentionedIn, nameOf, namingAt, offered, type Person, withMention } from './mentions.ts';
import { useCommentWords } from './use-words.ts';
import './comments.css';

/** What comments are about, as the API names it. */
export type Subject =
  | { readonly about: 'gap'; readonly gap_id: string }
  | { readonly about: 'criterion'; readonly standard_id: string; readonly criterion_id: string }
  | { readonly about: 'artifact'; readonly artifact_id: string }
  | { readonly about: 'checklist_item'; readonly checklist_id: string; readonly item_id: string }
  | { readonly about: 'document'; readonly work_product_id: string; readonly version: number };

type Comment = Api['Comment'];
const MOST = 100;
/** As long as the service lets an author edit. */
const EDITED_MINUTES = 5;

/** What people said about something, newest first. */
export const useComments = (workspace: string, subject: Subject | undefined) =>
  useQuery({
    queryKey: ['comments', workspace, subject],
    enabled: subject !== undefined,
    queryFn: ({ signal }) =>
      take(
        api.GET('/comments', {
          params: { query: { workspace_id: workspace, ...subject!, limit: MOST, sort: '-created_at' } },
          signal,
        }),
      ),
  });

/** What people say about something, oldest first, and the way to say something oneself. */
export function Comments({
  workspace,
  subject,
  range,
  field,
  hint,
  placeOf,
  chosen,
}: {
  readonly workspace: string;
  readonly subject: Subject;
  /** Of a document: what a new comment is about. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  readonly field?: Ref<HTMLTextAreaElement>;
  /** What a new comment will be about. */
  readonly hint?: string;
  /** Stands above what a comment says: where it belongs. */
  readonly placeOf?: (comment: Comment) => ReactNode;
  /** The one that somebody chose where it stands. */
  readonly chosen?: string | undefined;
}) {
  const say = useCommentWords();
  const may = useMay(workspace);
  const client = useQueryClient();
  const comments = useComments(workspace, subject);
  const [showsResolved, showResolved] = useState(false);
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: ['comments', workspace] });
    void client.invalidateQueries({ queryKey: ['work'] });
    if (subject.about === 'gap') {
      void client.invalidateQueries({ queryKey: ['gap', workspace, subject.gap_id] });
      void client.invalidateQueries({ queryKey: ['gaps', workspace] });
    }
  };
  const all = [...(comments.data?.items ?? [])].reverse();
  const resolved = all.filter(({ resolved_at }) => resolved_at !== null).length;
  const shown = showsResolved ? all : all.filter(({ resolved_at }) => resolved_at === null);
  return (
    <section className="comments" aria-label={say('comments')}>
      <h2 className="small-heading">{say('comments')}</h2>
      {comments.error && <Failure error={comments.error} onAgain={() => void comments.refetch()} />}
      {shown.length > 0 && (
        <ul>
          {shown.map((one) => (
            <Said
              key={one.id}
              of={one}
              place={placeOf?.(one)}
              isChosen={one.id === chosen}
              onChanged={refresh}
            />
          ))}
        </ul>
      )}
      {resolved > 0 && (
        <Button kind="quiet" aria-expanded={showsResolved} onClick={() => showResolved(!showsResolved)}>
          {say.count(showsResolved ? 'hide_resolved' : 'show_resolved', resolved)}
        </Button>
      )}
      {may('findings.comment') && (
        <Write
          key={JSON.stringify(subject)}
          workspace={workspace}
          draft={draftOf(subject)}
          verb={say('add_comment')}
          {...(hint && { hint })}
          {...(field && { field })}
          save={(text, mentions) =>
            take(
              api.POST('/comments', {
                body: {
                  workspace_id: workspace,
                  ...subject,
                  text,
                  mentions: [...mentions],
                  ...(range && { range }),
                },
              }),
            )
          }
          onSaved={refresh}
        />
      )}
    </section>
  );
}

const draftOf = (subject: Subject): string =>
  `comment:${subject.about === 'gap' ? subject.gap_id : Object.values(subject).join('/')}`;

function Said({
  of,
  place,
  isChosen,
  onChanged,
}: {
  readonly of: Comment;
  readonly place: ReactNode;
  readonly isChosen: boolean;
  readonly onChanged: () => void;
}) {
  const say = useCommentWords();
  const common = useCommonWords();
  const words = useFailureWords();
  const may = useMay(of.workspace_id);
  const { data: me } = useProfile();
  const members = useMembers(of.workspace_id).data?.items ?? [];
  const [isEditing, edit] = useState(false);
  const params = { params: { path: { id: of.id } } };
  const resolve = useMutation({
    mutationFn: (resolved: boolean) => take(api.PATCH('/comments/{id}', { ...params, body: { resolved } })),
    onError: (error) => toast(words(error)),
    onSettled: onChanged,
  });
  const remove = useMutation({
    mutationFn: () => take(api.DELETE('/comments/{id}', params)),
    onError: (error) => toast(words(error)),
    onSettled: onChanged,
  });
  const author =
    of.author_name ?? members.find(({ user_id }) => user_id === of.author)?.name ?? say('somebody');
  const isMine = me?.id === of.author;
  const isNew = Date.now() - Date.parse(of.created_at) < EDITED_MINUTES * 60_000;
  const isThere = of.text !== null;
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  return (
    <li ref={line} aria-current={isChosen || undefined} data-resolved={of.resolved_at !== null || undefined}>
      <p className="field-hint">
        <bdi>{author}</bdi> ·{' '}
        <time dateTime={of.created_at} title={dateAndTime(of.created_at, say.language)}>
          {ago(of.created_at, say.language)}
        </time>
        {of.edited_at && <> · {say('edited')}</>}
        {of.resolved_at && <> · {say('resolved')}</>}
      </p>
      {place}
      {isEditing ? (
        <Write
          workspace={of.workspace_id}
          verb={common('save')}
          before={of.text ?? ''}
          mentioned={members.filter(({ user_id }) => of.mentions.includes(user_id))}
          save={(text, mentions) =>
            take(api.PATCH('/comments/{id}', { ...params, body: { text, mentions: [...mentions] } }))
          }
          onSaved={() => {
            edit(false);
            onChanged();
          }}
          onCancel={() => edit(false)}
        />
      ) : (
        <p className="comment-text">{isThere ? <bdi>{of.text}</bdi> : <em>{say('taken_back')}</em>}</p>
      )}
      {isThere && !isEditing && may('findings.comment') && (
        <div className="comment-actions">
          <Button
            kind="quiet"
            disabled={resolve.isPending}
            onClick={() => resolve.mutate(of.resolved_at === null)}
          >
            {say(of.resolved_at === null ? 'resolve' : 'open_again')}
          </Button>
          {isMine && isNew && (
            <Button kind="quiet" onClick={() => edit(true)}>
              {say('edit')}
            </Button>
          )}
          {isMine && (
            <Button kind="quiet" disabled={remove.isPending} onClick={() => remove.mutate()}>
              {say('take_back')}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** A field in which `@` offers the members; arrows choose, Enter takes, Escape leaves it. */
function Write({
  workspace,
  verb,
  draft,
  before = '',
  mentioned = [],
  field,
  hint,
  save,
  onSaved,
  onCancel,
}: {
  readonly workspace: string;
  readonly verb: string;
  /** What a new comment is about. */
  readonly draft?: string;
  readonly before?: string;
  readonly mentioned?: readonly Person[];
  readonly field?: Ref<HTMLTextAreaElement>;
  readonly hint?: string;
  readonly save: (text: string, mentions: readonly string[]) => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onCancel?: () => void;
}) {
  const say = useCommentWords();
  const common = useCommonWords();
  const members = useMembers(workspace).data?.items ?? [];
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(field, () => box.current!, []);
  const list = useId();
  // What is new is kept while it is written; what is edited stands in the comment itself.
  const [kept, keep] = useDraft(draft ?? '');
  const [edited, setEdited] = useState(before);
  const [text, setText] = draft === undefined ? [edited, setEdited] : [kept, keep];
  const [caret, setCaret] = useState(0);
  const [chosen, choose] = useState<readonly Person[]>(mentioned);
  const [at, goTo] = useState(0);
  const [isLeft, leave] = useState(false);
  const add = useMutation({
    mutationFn: () => save(text, mentionedIn(text, chosen)),
    onSuccess: () => {
      setText('');
      choose([]);
      onSaved();
    },
  });
  const naming = isLeft ? undefined : namingAt(text, caret);
  const people = naming ? offered(members, naming.name) : [];
  const isOpen = people.length > 0;
  const taken = (person: Person): void => {
    if (!naming) return;
    const next = withMention(text, naming, person);
    setText(next.text);
    setCaret(next.caret);
    choose([...chosen, person]);
    goTo(0);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const submit = (): void => {
    if (text.trim() && !add.isPending) add.mutate();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      submit();
      return;
    }
    if (!isOpen) {
      if (event.key === 'Escape') onCancel?.();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) goTo((at + step + people.length) % people.length);
    else if (event.key === 'Enter' || event.key === 'Tab') taken(people[at] ?? people[0]!);
    else if (event.key === 'Escape') leave(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="comment-field">
        <textarea
          ref={box}
          className="input"
          aria-label={say('comment')}
          placeholder={say('comment_hint')}
          maxLength={4000}
          value={text}
          aria-autocomplete="list"
          aria-controls={isOpen ? list : undefined}
          aria-activedescendant={isOpen ? `${list}-${at}` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setCaret(event.target.selectionStart);
            leave(false);
            goTo(0);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        {isOpen && (
          <div id={list} role="listbox" className="mention-list" aria-label={say('members')}>
            {people.map((person, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={person.user_id}
                id={`${list}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => taken(person)}
              >
                <bdi>{nameOf(person)}</bdi>
              </div>
            ))}
          </div>
        )}
      </div>
      {hint && (
        <p className="field-hint">
          <bdi>{hint}</bdi>
        </p>
      )}
      {add.error && <Failure error={add.error} />}
      <div className="comment-actions">
        <Button type="submit" disabled={add.isPending || !text.trim()}>
          {verb}
        </Button>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            {common('cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
