import { Link } from 'wouter';
import type { Api } from '../api/client.ts';
import { Icon } from '../look/glyphs.tsx';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { placeInWords } from './place.ts';
import { toast } from './toasts.tsx';
import { useCommonWords } from './use-words.ts';
import './list.css';

/** Where a quote is shown: the document at its range. */
export const placeAddress = (
  workspace: string,
  place: {
    readonly work_product_id: string;
    readonly version: number;
    readonly range?: { readonly start: number; readonly end: number } | null | undefined;
  },
): string =>
  `/w/${workspace}/documents/${place.work_product_id}?v=${place.version}${place.range ? `&at=${place.range.start}-${place.range.end}` : ''}`;

/** Exact words of a document with the way to where they stand, to be taken along with their source. */
export function Quote({
  of,
  workspace,
  name,
  isDefinition,
}: {
  readonly of: Api['Evidence'];
  readonly workspace: string;
  /** Of the document. */
  readonly name: string;
  /** The words are the thing itself and speak neither for nor against anything. */
  readonly isDefinition?: true;
}) {
  const say = useCommonWords();
  const place = placeInWords(of.location, say);
  const copy = (): void => {
    const source = [name, say('quote_version', { version: of.version }), place].filter(Boolean).join(', ');
    void copyText(`“${of.quote}” – ${source}\n${location.origin}${placeAddress(workspace, of)}`).then(
      (copied) => toast(say(copied ? 'quote_copied' : 'quote_not_copied')),
    );
  };
  return (
    <figure className="quote" data-role={of.role}>
      <blockquote>
        <bdi>{of.quote}</bdi>
      </blockquote>
      <figcaption className="small">
        {!isDefinition && <>{say.named('role', of.role)} · </>}
        <Link href={placeAddress(workspace, of)}>
          <bdi>{name}</bdi>
          {place && <> {place}</>}
        </Link>
        {of.note && (
          <>
            {' '}
            · <bdi>{of.note}</bdi>
          </>
        )}{' '}
        <Button kind="quiet" iconOnly className="quote-copy" aria-label={say('copy_quote')} onClick={copy}>
          <Icon name="copy" />
        </Button>
      </figcaption>
    </figure>
  );
}
