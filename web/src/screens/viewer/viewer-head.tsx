import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Api } from '../../api/client.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { calendarDate } from '../../words/moments.ts';
import { Choice } from './choice.tsx';
import type { Mode } from './modes.ts';
import { NextVersion } from './next-version.tsx';
import { useWords } from './use-words.ts';

/** Name and version of the document, how it is shown, and what can be done with it. */
export function ViewerHead({
  workspace,
  product,
  version,
  versions,
  modes,
  mode,
  children,
  onMode,
  onVersion,
  onFind,
  onWalk,
  onCopy,
}: {
  readonly workspace: string;
  readonly product: Api['WorkProduct'] | undefined;
  readonly version: number | undefined;
  readonly versions: readonly { readonly version: number; readonly uploaded_at: string }[];
  readonly modes: readonly Mode[];
  readonly mode: Mode;
  /** What belongs to the mode. */
  readonly children: ReactNode;
  readonly onMode: (mode: Mode) => void;
  readonly onVersion: (version: string) => void;
  readonly onFind: () => void;
  readonly onWalk: (step: 1 | -1) => void;
  readonly onCopy: () => void;
}) {
  const say = useWords();
  return (
    <header className="viewer-head">
      <Link href={`/w/${workspace}/documents`} className="viewer-back">
        {say('documents')}
      </Link>
      <h1>
        <bdi>{product?.name}</bdi>
      </h1>
      <select
        className="input viewer-version"
        aria-label={say('version')}
        value={version ?? ''}
        onChange={({ target }) => onVersion(target.value)}
      >
        {versions.map((one) => (
          <option key={one.version} value={one.version}>
            {say('version_name', {
              version: one.version,
              date: calendarDate(one.uploaded_at, say.language),
            })}
          </option>
        ))}
      </select>
      {versions.length > 1 && product && (
        <Link href={`/w/${workspace}/documents/${product.id}/compare?head=${version ?? product.version}`}>
          {say('compare')}
        </Link>
      )}
      {modes.length > 1 && (
        <Choice
          name={say('mode')}
          values={modes}
          value={mode}
          labelOf={(one) => say(`mode_${one}`)}
          onChange={onMode}
        />
      )}
      {children}
      <span className="viewer-tools">
        <Button kind="quiet" iconOnly aria-label={say('find')} onClick={onFind}>
          <Icon name="search" />
        </Button>
        <Button kind="quiet" iconOnly aria-label={say('previous')} onClick={() => onWalk(-1)}>
          <Icon name="up" />
        </Button>
        <Button kind="quiet" iconOnly aria-label={say('next')} onClick={() => onWalk(1)}>
          <Icon name="down" />
        </Button>
        <Button kind="quiet" iconOnly aria-label={say('copy')} onClick={onCopy}>
          <Icon name="copy" />
        </Button>
        {product && <NextVersion workspace={workspace} product={product} />}
        {product && (
          <a
            className="button"
            data-kind="quiet"
            aria-label={say('original')}
            href={`/api/v1/work-products/${product.id}/content?version=${version ?? 1}`}
            download
          >
            <Icon name="download" /> <span className="viewer-original">{say('original')}</span>
          </a>
        )}
      </span>
    </header>
  );
}

/** Which page is in sight, and a way to another one; larger and smaller. */
export function PageTools({
  page,
  total,
  zoom,
  onPage,
  onZoom,
}: {
  readonly page: number;
  readonly total: number;
  readonly zoom: number;
  readonly onPage: (page: number) => void;
  readonly onZoom: (step: 1 | -1 | 0) => void;
}) {
  const say = useWords();
  const [typed, type] = useState(String(page));
  useEffect(() => type(String(page)), [page]);
  const go = (): void => {
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= total) onPage(wanted);
    else type(String(page));
  };
  return (
    <>
      <form
        className="page-number"
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <input
          className="input"
          inputMode="numeric"
          aria-label={say('page')}
          value={typed}
          onChange={({ target }) => type(target.value)}
          onBlur={go}
        />
        <span>{say('page_of', { total })}</span>
      </form>
      <span className="page-zoom">
        <Button kind="quiet" iconOnly aria-label={say('zoom_out')} onClick={() => onZoom(-1)}>
          <Icon name="minus" />
        </Button>
        <Button
          kind="quiet"
          aria-label={say('zoom_fit', { percent: Math.round(zoom * 100) })}
          onClick={() => onZoom(0)}
        >
          {`${Math.round(zoom * 100)} %`}
        </Button>
        <Button kind="quiet" iconOnly aria-label={say('zoom_in')} onClick={() => onZoom(1)}>
          <Icon name="add" />
        </Button>
      </span>
    </>
  );
}
