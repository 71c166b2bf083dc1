import { useEffect, useMemo, useRef, useState } from 'react';
import { BlockView } from '../../document/block-view.tsx';
import { blockAt, readRange } from '../../document/segments.ts';
import { columnsOf, useDocument } from '../../document/use-document.ts';
import { usePages } from '../../document/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { PageMode } from '../viewer/page-mode.tsx';
import { useWords } from './use-words.ts';
import '../viewer/viewer.css';

const NOTHING = (): void => undefined;

/** A version as pages or as it was read; `at` (`start-end`) is marked and in sight. */
export function Document({
  id,
  version,
  at,
  title,
}: {
  readonly id: string;
  readonly version: number;
  readonly at: string | undefined;
  readonly title: string | undefined;
}) {
  const say = useWords();
  const { blocks, about, error } = useDocument(id, version, { mayFollow: true });
  const columns = columnsOf(blocks);
  const pages = usePages(id, version);
  const [isText, showText] = useState(false);
  const [zoom, setZoom] = useState(1);
  const range = useMemo(() => readRange(at ?? null), [at]);
  const marks = range ? [{ ...range, id: 'at', role: 'context' as const }] : [];
  const hasPages = (pages.data?.total ?? 0) > 0;
  const isPages = hasPages && !isText;
  const page = range && blocks[blockAt(blocks, range.start)]?.location.page;
  const wanted = useMemo(() => range && { ...range, page }, [range, page]);
  const box = useRef<HTMLElement>(null);
  const isThere = blocks.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each place, as soon as it is there
  useEffect(() => {
    box.current?.querySelector('mark[data-chosen]')?.scrollIntoView({ block: 'center' });
  }, [at, isThere, isPages]);
  return (
    <section ref={box} className="panel guest-document" aria-label={say('document')}>
      <header>
        <h2>
          <bdi>{title ?? say('document')}</bdi>
        </h2>
        <span className="tag">{say('version', { version })}</span>
        {hasPages && (
          <Button onClick={() => showText(!isText)}>{say(isText ? 'as_pages' : 'as_text')}</Button>
        )}
      </header>
      {error && <Failure error={error} />}
      {((!about && !error) || pages.isLoading) && <Skeleton />}
      {isPages && pages.data && (
        <div className="guest-pages">
          <PageMode
            about={pages.data}
            blocks={blocks}
            language={about?.language ?? undefined}
            marks={[]}
            wanted={wanted}
            isPlaceComing={range !== undefined && blocks.length === 0}
            chosen={undefined}
            hovered={undefined}
            zoom={zoom}
            onEnlarge={setZoom}
            onChoose={NOTHING}
            onHover={NOTHING}
            onPage={NOTHING}
            onText={() => showText(true)}
          />
        </div>
      )}
      {!isPages && !pages.isLoading && (
        <div className="panel-body document-text" lang={about?.language ?? undefined}>
          {blocks.map((block) => (
            <BlockView
              key={block.index}
              block={block}
              marks={marks}
              chosen="at"
              columns={block.table && columns.get(block.table.id)}
            />
          ))}
        </div>
      )}
      {about && <footer className="panel-body hint mono">{say('hash', { hash: about.sha256 })}</footer>}
    </section>
  );
}
