import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useDocumentNames } from '../../app/documents.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Conflict, isConflict } from '../../parts/conflict.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { RunChecklist } from '../checklists/page.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import { ChecklistContent, TemplateContent } from './content.tsx';
import { Editor } from './editor.tsx';
import { isChecklist, KINDS, type KindName, sourceOf, titleOf, useKind } from './kinds.ts';
import { useWords } from './use-words.ts';
import './definitions.css';

type Read = Awaited<ReturnType<(typeof KINDS)[KindName]['read']>>;

/** One checklist or template: what it asks for, and as text to be changed where it is one's own. */
export default function DefinitionPage() {
  const kind = useKind();
  const workspace = useWorkspaceId();
  const { checklist, template } = useParams<{ checklist?: string; template?: string }>();
  const id = checklist ?? template ?? '';
  const read = useQuery({
    queryKey: [kind, workspace, id, 'tagged'],
    queryFn: () => KINDS[kind].read(id),
    // What somebody types here stays until they have saved it.
    refetchOnWindowFocus: false,
  });
  return (
    <SettingsPage>
      <Loaded query={read}>{(data) => <Definition key={data.tag} of={data} kind={kind} />}</Loaded>
    </SettingsPage>
  );
}

function Definition({ of, kind }: { readonly of: Read; readonly kind: KindName }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const documentName = useDocumentNames(workspace);
  const { data } = of;
  const source = sourceOf(data);
  const mayWrite = !data.built_in && may('templates.write');
  return (
    <>
      <p>
        <Link href={`/w/${workspace}/settings/${kind}`}>{say(`all_${kind}`)}</Link>
      </p>
      <div className="page-head">
        <h2>
          <bdi>{titleOf(data, say.language)}</bdi>
        </h2>
        {isChecklist(data) ? (
          <>
            <Link className="button" href={`/w/${workspace}/checklists/${data.id}`}>
              {say('where_it_stands')}
            </Link>
            {may('analyses.start') && <RunChecklist workspace={workspace} checklist={data.id} />}
          </>
        ) : (
          data.built_in &&
          may('templates.write') && (
            <Link
              className="button"
              data-kind="primary"
              href={`/w/${workspace}/settings/templates/new?from=${data.id}`}
            >
              {say('adapt')}
            </Link>
          )
        )}
      </div>
      <p className="record-facts">
        <span className="mono">{'key' in data ? data.key : data.type}</span>
        <span>{data.built_in ? say('is_built_in') : say('revision_only', { revision: data.revision })}</span>
        {source && (
          <Link href={`/w/${workspace}/documents/${source.work_product_id}?v=${source.version}`}>
            <bdi>
              {say('read_from', { name: documentName(source.work_product_id), version: source.version })}
            </bdi>
          </Link>
        )}
      </p>
      {'items' in data ? <ChecklistContent of={data} /> : <TemplateContent of={data} />}
      {data.yaml !== null && <Change of={of} kind={kind} isFixed={!mayWrite} />}
    </>
  );
}

function Change({
  of: { data, tag },
  kind,
  isFixed,
}: {
  readonly of: Read;
  readonly kind: KindName;
  readonly isFixed: boolean;
}) {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const [text, write] = useState(data.yaml ?? '');
  const [theirs, setTheirs] = useState<Read>();
  const renew = () => client.invalidateQueries({ queryKey: [kind, workspace] });
  const save = useMutation({
    mutationFn: (now: string) => KINDS[kind].change(data.id, now, text),
    onSuccess: () => {
      toast(common('saved'));
      void renew();
    },
    onError: (error) => {
      if (isConflict(error)) void KINDS[kind].read(data.id).then(setTheirs);
    },
  });
  const other = theirs?.data.yaml ?? '';
  return (
    <Panel title={say('as_text')}>
      <div className="form">
        <Editor
          text={text}
          isFixed={isFixed}
          error={isConflict(save.error) ? null : save.error}
          onChange={write}
        />
        {theirs && (
          <Conflict
            fields={[
              { label: say('text'), mine: linesOnlyIn(text, other), theirs: linesOnlyIn(other, text) },
            ]}
            onMine={() => save.mutate(theirs.tag)}
            onTheirs={() => void renew()}
          />
        )}
        {!isFixed && (
          <div className="form-end definition-save">
            <Button
              kind="primary"
              disabled={save.isPending || text === data.yaml || theirs !== undefined}
              onClick={() => save.mutate(tag)}
            >
              {common('save')}
            </Button>
            <p className="hint">{say(`change_text_${kind}`)}</p>
          </div>
        )}
      </div>
    </Panel>
  );
}

/** What one text has and the other has not, line by line. */
function linesOnlyIn(text: string, other: string): string {
  const known = new Set(other.split('\n'));
  return text
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n');
}
