import { useEffect, useRef } from 'react';
import { BlockView } from '../../document/block-view.tsx';
import { columnsOf, useDocument } from '../../document/use-document.ts';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { useWords } from './use-words.ts';

/** A version as it was read; `at` (`start-end`) is marked and in sight. */
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
  const { blocks, about, error } = useDocument(id, version);
  const columns = columnsOf(blocks);
  const [start, end] = (at ?? '').split('-').map(Number);
  const marks =
    start !== undefined && end !== undefined ? [{ id: 'at', start, end, role: 'context' as const }] : [];
  const box = useRef<HTMLElement>(null);
  const isThere = blocks.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each place, as soon as it is there
  useEffect(() => {
    box.current?.querySelector('mark[data-chosen]')?.scrollIntoView({ block: 'center' });
  }, [at, isThere]);
  return (
    <section ref={box} className="panel guest-document" aria-label={say('document')}>
      <header>
        <h2>
          <bdi>{title ?? say('document')}</bdi>
        </h2>
        <span className="tag">{say('version', { version })}</span>
      </header>
      {error && <Failure error={error} />}
      {!about && !error && <Skeleton />}
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
      {about && <footer className="panel-body hint mono">{say('hash', { hash: about.sha256 })}</footer>}
    </section>
  );
}
