import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { putFile } from '../../api/put-file.ts';
import { useInstallation } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { DateInput } from '../../parts/date-input.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { fileSize, percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';
import './own-standard.css';

/** As `POST /standards/{id}/uploads/init` takes them, with the types by which their content is announced. */
const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const LICENCES = [
  'own_document',
  'free_publication',
  'single_user',
  'multi_user',
  'site_network',
  'national_body_subscription',
  'other',
] as const;
type Licence = (typeof LICENCES)[number];
/** Version of the words of the declaration below. */
const STATEMENT = '1';

const endingOf = (name: string): string => name.toLowerCase().split('.').at(-1) ?? '';

/**
 * A standard of one's own: its file, and who holds which licence for it. A file is not read before that was declared for
 * exactly it. With `standard` it goes on with one that waits for its file or for the declaration.
 */
export function OwnStandard({
  workspace,
  standard,
  onClose,
}: {
  readonly workspace: string;
  readonly standard?: Api['Standard'];
  readonly onClose: () => void;
}) {
  const say = useWords();
  const client = useQueryClient();
  const uploads = useInstallation().data?.uploads;
  const [file, setFile] = useState<File>();
  const [wrong, setWrong] = useState<string>();
  const [made, setMade] = useState(standard);
  const [isSent, setSent] = useState(standard?.processing_status === 'awaiting_attestation');
  const [share, setShare] = useState<number>();
  const [licence, setLicence] = useState<Licence>('own_document');
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: ['standards', workspace] });
    void client.invalidateQueries({ queryKey: ['overview', workspace] });
  };
  const save = useMutation({
    mutationFn: async ({
      name = '',
      version = '',
      holder = '',
      until = '',
      ...checks
    }: Record<string, string>) => {
      let one = made;
      if (!one) {
        one = await take(
          api.POST('/standards', {
            body: { workspace_id: workspace, name, ...(version && { version }) },
          }),
        );
        setMade(one);
      }
      if (!isSent && file) {
        await send(one.id, file, setShare);
        setSent(true);
      }
      await take(
        api.PATCH('/standards/{id}/attest', {
          params: { path: { id: one.id } },
          body: {
            licence_type: licence,
            licence_holder: holder,
            statement_version: STATEMENT,
            allows_workspace_sharing: checks.sharing === 'on',
            allows_ai_processing: checks.ai === 'on',
            ...(until && { expires_at: new Date(`${until}T23:59:59`).toISOString() }),
          },
        }),
      );
      return one.name;
    },
    onSuccess: (name) => {
      toast(say('own_added', { name }));
      onClose();
    },
    onSettled: () => {
      setShare(undefined);
      refresh();
    },
  });
  const choose = (chosen: File | undefined): void => {
    if (!chosen) return;
    const isKnown = endingOf(chosen.name) in TYPES;
    const isTooLarge = uploads !== undefined && chosen.size > uploads.max_bytes;
    setWrong(
      isKnown
        ? isTooLarge
          ? say('file_too_large', { size: fileSize(uploads.max_bytes, say.language) })
          : chosen.size === 0
            ? say('file_empty')
            : undefined
        : say('file_unknown'),
    );
    setFile(chosen);
  };
  return (
    <Dialog title={say(standard ? 'own_go_on' : 'own_add')} onClose={onClose}>
      <form
        className="form own-standard"
        onSubmit={(event) => {
          event.preventDefault();
          if (wrong === undefined) save.mutate(textsOf(event.currentTarget));
        }}
      >
        {made ? (
          <p>
            <strong>
              <bdi>{made.name}</bdi>
            </strong>
          </p>
        ) : (
          <>
            <Field label={say('own_name')} hint={say('own_name_hint')}>
              <Input name="name" required maxLength={300} autoComplete="off" />
            </Field>
            <Field label={say('own_version')}>
              <Input name="version" maxLength={100} autoComplete="off" />
            </Field>
          </>
        )}
        {isSent ? (
          <p className="hint">
            <Icon name="done" /> {say('file_there')}
          </p>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the field in it takes the file by keys
          <div
            className="drop"
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              choose(event.dataTransfer.files[0]);
            }}
          >
            <Field label={say('own_file')} hint={say('own_file_hint')}>
              <input
                type="file"
                required={file === undefined}
                accept={Object.keys(TYPES)
                  .map((ending) => `.${ending}`)
                  .join(',')}
                aria-describedby="own-file-wrong"
                onChange={(event) => choose(event.target.files?.[0])}
              />
            </Field>
            {file && (
              <p>
                <bdi>{file.name}</bdi> · {fileSize(file.size, say.language)}
              </p>
            )}
            <p id="own-file-wrong" className="record-wrong" role="alert">
              {wrong}
            </p>
          </div>
        )}
        <fieldset className="form">
          <legend>{say('attest')}</legend>
          {made?.licence_mark && (
            <p className="notice" data-kind="warning">
              <span className="notice-text">{say('licence_mark')}</span>
            </p>
          )}
          <Field label={say('licence')} hint={say(`about_${licence}`)}>
            <select
              className="input"
              value={licence}
              onChange={(event) => setLicence(event.target.value as Licence)}
            >
              {LICENCES.map((one) => (
                <option key={one} value={one}>
                  {say(`licence_${one}`)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={say('holder')} hint={say('holder_hint')}>
            <Input name="holder" required maxLength={300} autoComplete="organization" />
          </Field>
          <Field label={say('licence_until')}>
            <DateInput name="until" />
          </Field>
          {/* Its default follows from the licence: another one is another field. */}
          <label key={licence} className="check">
            <input type="checkbox" name="sharing" defaultChecked={licence !== 'single_user'} />{' '}
            {say('sharing')}
          </label>
          <label className="check">
            <input type="checkbox" name="ai" /> {say('ai')}
          </label>
          <label className="check">
            <input type="checkbox" name="confirmed" required /> {say('statement')}
          </label>
        </fieldset>
        {save.error && <Failure error={save.error} />}
        {save.error && made && <p className="field-hint">{say('own_kept')}</p>}
        <div className="dialog-actions">
          {share !== undefined && (
            <span role="status">{say('sending', { share: percent(share * 100, say.language) })}</span>
          )}
          <Button kind="primary" type="submit" disabled={save.isPending || wrong !== undefined}>
            {say('own_save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

async function send(id: string, file: File, onShare: (share: number) => void): Promise<void> {
  const session = await take(
    api.POST('/standards/{id}/uploads/init', {
      params: { path: { id } },
      body: {
        filename: file.name,
        size: file.size,
        content_type: TYPES[endingOf(file.name)] ?? 'application/octet-stream',
      } as never,
    }),
  );
  await putFile(session, file, onShare);
  await take(
    api.POST('/standards/{id}/uploads/{upload_id}/complete', {
      params: { path: { id, upload_id: session.upload_id } },
    }),
  );
}
