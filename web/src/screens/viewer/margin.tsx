import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import type { Api } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { placeInWords } from '../../parts/place.ts';
import { useCommonWords } from '../../parts/use-words.ts';
import { type Group, groupsOf, numbered } from './groups.ts';
import { isOfGap, type Shown, type ViewedMark } from './marks.ts';
import { useWords } from './use-words.ts';

const SHOWN: readonly Shown[] = ['gaps', 'placeholders', 'all_gaps', 'everything'];

/** What is said about the document, in the order of its places; what has no place heads it. */
export function Margin({
  workspace,
  marks,
  about,
  notes,
  shown,
  chosen,
  elsewhere,
  hovered,
  onShow,
  onChoose,
  onHover,
  onVersion,
  children,
}: {
  readonly workspace: string;
  readonly marks: readonly ViewedMark[];
  readonly about: Api['DocumentMarks'] | undefined;
  readonly notes: readonly { readonly code: string; readonly message: string }[];
  readonly shown: Shown;
  readonly chosen: string | undefined;
  /** The version that has marks, where this one has none. */
  readonly elsewhere: number | undefined;
  /** The mark that somebody points at in the document. */
  readonly hovered: string | undefined;
  readonly onShow: (shown: Shown) => void;
  readonly onChoose: (id: string) => void;
  readonly onHover: (id: string | undefined) => void;
  readonly onVersion: (version: number) => void;
  /** Below the findings. */
  readonly children?: ReactNode;
}) {
  const say = useWords();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (chosen) {
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    }
  }, [chosen]);
  const groups = useMemo(() => groupsOf(marks), [marks]);
  const missing = (about?.without_place ?? []).filter(
    ({ status }) =>
      shown !== 'placeholders' && (shown !== 'gaps' || status === 'open' || status === 'in_progress'),
  );
  return (
    <aside className="viewer-margin" aria-label={say('findings')}>
      <div className="margin-head">
        <h2>
          {say('findings')}{' '}
          <span className="margin-count">{groups.reduce((sum, group) => sum + group.marks.length, 0)}</span>
        </h2>
        <select
          className="input"
          aria-label={say('show')}
          value={shown}
          onChange={(event) => onShow(event.target.value as Shown)}
        >
          {SHOWN.map((one) => (
            <option key={one} value={one}>
              {say(`show_${one}`)}
            </option>
          ))}
        </select>
      </div>
      {elsewhere !== undefined && (
        <div className="notice" data-kind="warning">
          <span className="notice-text">{say('not_analysed', { version: elsewhere })}</span>
          <Button onClick={() => onVersion(elsewhere)}>{say('to_version', { version: elsewhere })}</Button>
        </div>
      )}
      {about && about.carried_from !== null && elsewhere === undefined && (
        <div className="notice" data-kind="warning">
          <span className="notice-text">
            {say('carried', { version: about.carried_from })}
            {about.lost > 0 && ` ${say.count('lost', about.lost)}`}
          </span>
        </div>
      )}
      {notes.length > 0 && (
        <details className="margin-missing">
          <summary>{say.count('notes', notes.length)}</summary>
          <ul>
            {notes.map(({ code, message }) => (
              <li key={code + message}>{message}</li>
            ))}
          </ul>
        </details>
      )}
      {missing.length > 0 && (
        <details className="margin-missing">
          <summary>
            {say('no_place')} <span className="margin-count">{missing.length}</span>
          </summary>
          <p className="field-hint">{say('no_place_text')}</p>
          <ul>
            {missing.map(({ ref, severity, title, searched }) => (
              <li key={ref.id}>
                <StateGlyph of={severity} />{' '}
                <Link href={`/w/${workspace}/gaps/${ref.id}`}>
                  <bdi>{title}</bdi>
                </Link>
                {searched && (
                  <span className="field-hint" title={searched.terms.join(', ')}>
                    {say.count('searched', searched.passages)}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      {about && marks.length === 0 && missing.length === 0 && elsewhere === undefined && (
        <p className="margin-nothing">{say('nothing')}</p>
      )}
      <ul className="margin-list" ref={list}>
        {groups.map((group) => (
          <Card
            key={`${group.marks[0]!.about}:${group.marks[0]!.ref.id}`}
            {...group}
            workspace={workspace}
            chosen={chosen}
            hovered={hovered}
            onChoose={onChoose}
            onHover={onHover}
          />
        ))}
      </ul>
      {children}
    </aside>
  );
}

const MOST_PLACES = 12;
/** Names of clauses and artifacts are for people; keys of rules (`safety_goal`, `document.placeholders`) are not. */
const isForPeople = (label: string): boolean => !label.includes('_') && !/^[a-z]+(\.[a-z]+)+$/.test(label);

function Card({
  marks,
  same,
  workspace,
  chosen,
  hovered,
  onChoose,
  onHover,
}: Group & {
  readonly workspace: string;
  readonly chosen: string | undefined;
  readonly hovered: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onHover: (id: string | undefined) => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const first = marks[0]!;
  const names = numbered(
    marks.map(({ location, role }) => placeInWords(location, common) || say(`role_${role}`)),
  );
  const isChosen = [...marks, ...same].some(({ id }) => id === chosen);
  return (
    <li
      className="margin-card"
      aria-current={isChosen || undefined}
      data-hovered={marks.some(({ id }) => id === hovered) || undefined}
      onMouseEnter={() => onHover(first.id)}
      onMouseLeave={() => onHover(undefined)}
    >
      <button type="button" className="margin-choose" onClick={() => onChoose(first.id)}>
        <span className="margin-title">
          {first.severity && <StateGlyph of={first.severity} label={common(`severity_${first.severity}`)} />}{' '}
          <bdi>{first.title ?? first.ref.label}</bdi>
        </span>
        <span className="margin-about">
          {[
            say(`kind_${first.about}`),
            first.title && isForPeople(first.ref.label) ? first.ref.label : undefined,
            marks.length === 1 ? say(`role_${first.role}`) : undefined,
            marks.length === 1 ? placeInWords(first.location, common) : undefined,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
      {marks.length > 1 && (
        <div className="margin-places">
          {marks.slice(0, MOST_PLACES).map((mark, at) => (
            <button
              key={mark.id}
              type="button"
              title={say(`role_${mark.role}`)}
              aria-current={mark.id === chosen || undefined}
              onMouseEnter={() => onHover(mark.id)}
              onClick={() => onChoose(mark.id)}
            >
              <bdi>{names[at]}</bdi>
            </button>
          ))}
          {marks.length > MOST_PLACES && <span>{`+${marks.length - MOST_PLACES}`}</span>}
        </div>
      )}
      {isChosen && isOfGap(first) && (
        <div className="margin-actions">
          {first.status && <span className="tag">{common(`status_${first.status}`)}</span>}
          <Link className="button" href={`/w/${workspace}/gaps/${first.ref.id}`}>
            {say('open_gap')}
          </Link>
          {same.map(({ ref, title }) => (
            <Link key={ref.id} href={`/w/${workspace}/gaps/${ref.id}`} className="small">
              {say('also_found')} <bdi>{title ?? ref.label}</bdi>
            </Link>
          ))}
        </div>
      )}
    </li>
  );
}
