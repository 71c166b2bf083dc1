import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useInstallation, useMay } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { percent } from '../../words/moments.ts';
import { sendFile } from '../documents/sending.ts';
import { useWords } from './use-words.ts';

const ASK_AGAIN_MILLISECONDS = 600;

/** A way to send the next version of the document that is looked at, chosen or dropped; then to what is another one in it. */
export function NextVersion({
  workspace,
  product,
}: {
  readonly workspace: string;
  readonly product: Api['WorkProduct'];
}) {
  const say = useWords();
  const failure = useFailureWords();
  const client = useQueryClient();
  const may = useMay(workspace)('work-products.write');
  const { data: installation } = useInstallation();
  const [, go] = useLocation();
  const [share, setShare] = useState(0);
  const picker = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: async (file: File) => {
      setShare(0);
      await sendFile(file, {
        workspace,
        uploads: installation!.uploads,
        versionOf: product.id,
        onShare: setShare,
      });
      return untilRead(product.id);
    },
    onSuccess: ({ version }) => {
      for (const what of ['documents', 'marks', 'overview']) {
        void client.invalidateQueries({ queryKey: [what, workspace] });
      }
      toast(say('version_read', { version }));
      // Whoever went elsewhere meanwhile is left in peace.
      if (location.pathname !== `/w/${workspace}/documents/${product.id}`) return;
      go(`/w/${workspace}/documents/${product.id}/compare?base=${version - 1}&head=${version}`);
    },
    onError: (error) => toast(failure(error)),
  });
  const mayNow = may && installation !== undefined && !send.isPending;
  const { mutate } = send;
  useEffect(() => {
    if (!mayNow) return;
    const stopping = new AbortController();
    const holds = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent): void => {
      if (holds(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      mutate(file);
    };
    window.addEventListener('dragover', over, { signal: stopping.signal });
    window.addEventListener('drop', drop, { signal: stopping.signal });
    return () => stopping.abort();
  }, [mayNow, mutate]);
  if (!may) return null;
  return (
    <>
      <Button
        kind="quiet"
        iconOnly={!send.isPending}
        aria-label={say('next_version')}
        title={say('next_version')}
        disabled={!mayNow}
        onClick={() => picker.current?.click()}
      >
        <Icon name="upload" />{' '}
        {send.isPending && (
          <span role="status">
            {share < 1 ? percent(100 * share, say.language) : say('next_version_read')}
          </span>
        )}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) mutate(file);
          target.value = '';
        }}
      />
    </>
  );
}

/** The document as soon as its newest version was read; throws what it was refused for. */
async function untilRead(id: string): Promise<Api['WorkProduct']> {
  for (;;) {
    const product = await take(api.GET('/work-products/{id}', { params: { path: { id } } }));
    if (product.processing_status === 'completed') return product;
    if (product.processing_status === 'failed') throw new Error(product.processing_error ?? '');
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MILLISECONDS));
  }
}
