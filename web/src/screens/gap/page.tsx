import { useMemo, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { Api } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { useMay, useProfile, useWorkspaceId } from '../../app/workspace.ts';
import { type Asked, ChangeDialog } from '../../findings/change-dialog.tsx';
import { type GapChange, useChangeGaps } from '../../findings/change-gaps.ts';
import { EvidencePlaces } from '../../findings/evidence.tsx';
import { copyLink, GapActions, linkOf } from '../../findings/gap-actions.tsx';
import {
  GapComments,
  GapDecisions,
  GapHead,
  GapHistory,
  GapStatement,
} from '../../findings/gap-statement.tsx';
import { useGap } from '../../findings/use-gap.ts';
import { useGapWords } from '../../findings/use-words.ts';
import { neighbours } from '../../findings/walked-list.ts';
import { Loaded } from '../../parts/states.tsx';
import { catalog } from '../../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';
import './gap.css';

const useWords = catalog(en, de);

/** One gap with everything about it: what is claimed, where it stands, what people decided. */
export default function GapPage() {
  const workspace = useWorkspaceId();
  const { gap: id } = useParams<{ gap: string }>();
  const gap = useGap(workspace, id);
  return (
    <div className="page">
      <Way workspace={workspace} id={id} />
      <Loaded query={gap}>{(data) => <Shown key={data.id} gap={data} />}</Loaded>
    </div>
  );
}

function Way({ workspace, id }: { readonly workspace: string; readonly id: string }) {
  const say = useWords();
  const list = neighbours(workspace, id);
  const to = (gap: string): string => `/w/${workspace}/gaps/${gap}`;
  return (
    <nav className="gap-way" aria-label={say('gaps')}>
      <Link href={list?.address ?? `/w/${workspace}/gaps`}>{say('gaps')}</Link>
      {list && (
        <>
          <span>{say('position', { at: list.at, total: list.total })}</span>
          {list.previous && <Link href={to(list.previous)}>{say('previous')}</Link>}
          {list.next && <Link href={to(list.next)}>{say('next')}</Link>}
        </>
      )}
    </nav>
  );
}

function Shown({ gap }: { readonly gap: Api['Gap'] }) {
  const say = useWords();
  const workspace = gap.workspace_id;
  const [asked, ask] = useState<Asked>();
  const [, go] = useLocation();
  const change = useChangeGaps(workspace);
  const may = useMay(workspace);
  const mayChange = may('findings.status');
  const mayRate = may('findings.severity');
  const myId = useProfile().data?.id;
  const comment = useRef<HTMLTextAreaElement>(null);
  const { mutate } = change;
  const linkCopied = useGapWords()('link_copied');
  useKeys(
    useMemo(() => {
      const list = neighbours(workspace, gap.id);
      const to = (next: string | undefined) => () => {
        if (next) go(`/w/${workspace}/gaps/${next}`);
      };
      const set = (change: GapChange) => () => mutate({ target: { ids: [gap.id] }, change });
      return {
        j: to(list?.next),
        n: to(list?.next),
        k: to(list?.previous),
        p: to(list?.previous),
        Escape: () => go(list?.address ?? `/w/${workspace}/gaps`),
        ...(mayChange && {
          '1': set({ status: 'open' }),
          '2': set({ status: 'in_progress' }),
          '3': set({ status: 'resolved' }),
          '4': () => ask('accept'),
          f: () => ask('false_positive'),
          a: () => ask('owner'),
          d: () => ask('due'),
          ...(myId && { m: set({ assignee: myId }) }),
        }),
        ...(mayRate && { s: () => ask('severity') }),
        c: () => comment.current?.focus(),
        y: () => copyLink(linkOf(workspace, gap.id), linkCopied),
      };
    }, [workspace, gap.id, go, mutate, mayChange, mayRate, myId, linkCopied]),
  );
  useTellKeys(
    say('keys'),
    useMemo(
      () => [
        ['j k', say('key_walk')],
        ['1 2 3 4', say('key_status')],
        ['f', say('key_false_positive')],
        ['a m', say('key_owner')],
        ['d', say('key_due')],
        ['s', say('key_severity')],
        ['c', say('key_comment')],
        ['y', say('key_link')],
        ['Esc', say('key_back')],
      ],
      [say],
    ),
  );
  return (
    <article className="gap-page">
      <div className="gap-main">
        <GapHead gap={gap} level={1} />
        <GapActions gap={gap} onAsk={ask} />
        <GapDecisions gap={gap} />
        <EvidencePlaces workspace={workspace} gap={gap} />
        <GapStatement gap={gap} />
      </div>
      <div className="gap-side">
        <GapComments gap={gap} field={comment} />
        <GapHistory gap={gap} />
      </div>
      {asked && (
        <ChangeDialog
          asked={asked}
          workspace={workspace}
          target={{ ids: [gap.id] }}
          count={1}
          gap={gap}
          onClose={() => ask(undefined)}
        />
      )}
    </article>
  );
}
