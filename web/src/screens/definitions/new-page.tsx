import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useDocuments } from '../../app/documents.ts';
import { useInstallation, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { sendFile } from '../documents/sending.ts';
import { SettingsPage } from '../settings/settings-page.tsx';
import { Editor, Problems, problemsIn } from './editor.tsx';
import { KINDS, type KindName, type Made, titleOf, useKind } from './kinds.ts';
import { useWords } from './use-words.ts';

const ASK_AGAIN_MILLISECONDS = 500;

/** A new checklist or template: from a file, from a document that is there, or written. */
export default function NewDefinitionPage() {
  const say = useWords();
  const kind = useKind();
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const ways = search.has('from') ? [Written, FromFile] : [FromFile, Written];
  const made = (id: string, name: string): void => {
    toast(say('made', { name }));
    void client.invalidateQueries({ queryKey: [kind, workspace] });
    go(`/w/${workspace}/settings/${kind}/${id}`);
  };
  return (
    <SettingsPage>
      <p>
        <Link href={`/w/${workspace}/settings/${kind}`}>{say(`all_${kind}`)}</Link>
      </p>
      <div className="page-head">
        <h2>{say(`add_${kind}`)}</h2>
      </div>
      {/* Whoever adapts a built-in one came for its text. */}
      {ways.map((Way) => (
        <Way key={`${kind} ${Way.name}`} kind={kind} onMade={made} />
      ))}
    </SettingsPage>
  );
}

interface Way {
  readonly kind: KindName;
  readonly onMade: (id: string, name: string) => void;
}

function useCreate({ kind, onMade }: Way) {
  const say = useWords();
  const workspace = useWorkspaceId();
  return useMutation({
    mutationFn: async (from: Made | (() => Promise<Made>)) =>
      KINDS[kind].create(workspace, typeof from === 'function' ? await from() : from),
    onSuccess: (one) => onMade(one.id, titleOf(one, say.language)),
  });
}

function FromFile({ kind, onMade }: Way) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const uploads = useInstallation().data?.uploads;
  const documents = useDocuments(workspace);
  const [document, setDocument] = useState('');
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const create = useCreate({ kind, onMade });
  const problems = problemsIn(create.error);
  return (
    <Panel title={say(`file_${kind}`)}>
      <form
        className="form settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(async () => ({
            work_product_id: document || (await sendAndRead(workspace, file!, uploads!)),
            name: name.trim(),
          }));
        }}
      >
        <p className="hint">{say(`filetext_${kind}`)}</p>
        <Field label={say('document')}>
          <select
            className="input"
            value={document}
            onChange={(event) => {
              setDocument(event.target.value);
              const chosen = documents.find(({ id }) => id === event.target.value);
              if (chosen && name === '') setName(bare(chosen.name));
            }}
          >
            <option value="">{say('new_file')}</option>
            {documents.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </Field>
        {document === '' && (
          <Field label={say('file')} hint={say(`filehint_${kind}`)}>
            <input
              type="file"
              required
              accept={KINDS[kind].endings.map((ending) => `.${ending}`).join(',')}
              onChange={(event) => {
                const chosen = event.target.files?.[0];
                setFile(chosen);
                if (chosen && name === '') setName(bare(chosen.name));
              }}
            />
          </Field>
        )}
        <Field label={say('name')}>
          <Input
            required
            minLength={3}
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        {problems.length > 0 ? <Problems of={problems} /> : create.error && <Failure error={create.error} />}
        <div className="form-end">
          <Button kind="primary" type="submit" disabled={create.isPending || !uploads}>
            {say(create.isPending ? 'reading' : 'make')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

const bare = (name: string): string => name.replace(/\.[a-z0-9]+$/i, '').replaceAll('_', ' ');

/** Sends a file as a document and waits until it is read; throws what the reader says where it cannot be. */
async function sendAndRead(
  workspace: string,
  file: File,
  uploads: Api['Installation']['uploads'],
): Promise<string> {
  const id = await sendFile(file, { workspace, uploads, onShare: () => undefined });
  for (;;) {
    const one = await take(api.GET('/work-products/{id}', { params: { path: { id } } }));
    if (one.processing_status === 'completed') return id;
    if (one.processing_status === 'failed') throw new Error(one.processing_error ?? file.name);
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MILLISECONDS));
  }
}

function Written({ kind, onMade }: Way) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [search, setSearch] = useSearchParams();
  const from = search.get('from') ?? '';
  const built = useQuery({
    queryKey: [kind, workspace, 'built-in-names'],
    enabled: kind === 'templates',
    queryFn: ({ signal }) => KINDS[kind].list({ workspace_id: workspace, built_in: true }, signal),
  });
  const base = useQuery({
    queryKey: [kind, workspace, from, 'tagged'],
    enabled: from !== '',
    queryFn: () => KINDS[kind].read(from),
  });
  const beginning =
    from === ''
      ? say.language === 'de'
        ? KINDS[kind].starter.de
        : KINDS[kind].starter.en
      : (base.data?.data.yaml ?? '');
  const [written, write] = useState<{ readonly over: string; readonly text: string }>();
  const text = written?.over === beginning ? written.text : beginning;
  const create = useCreate({ kind, onMade });
  return (
    <Panel title={say('written')}>
      <div className="form">
        {kind === 'templates' && (
          <Field label={say('begin_with')} hint={say('begin_with_hint')}>
            <select
              className="input settings-form"
              value={from}
              onChange={(event) =>
                setSearch(event.target.value ? { from: event.target.value } : {}, { replace: true })
              }
            >
              <option value="">{say('begin_empty')}</option>
              {built.data?.items.map((one) => (
                <option key={one.id} value={one.id}>
                  {titleOf(one, say.language)}
                </option>
              ))}
            </select>
          </Field>
        )}
        <Editor
          text={text}
          error={create.error}
          onChange={(next) => write({ over: beginning, text: next })}
        />
        <div className="form-end">
          <Button
            kind="primary"
            disabled={create.isPending || text.trim() === ''}
            onClick={() => create.mutate({ yaml: text })}
          >
            {say('make')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
