import type { ReactNode } from 'react';
import './parts.css';

/** A titled part of a page; `aside` is at the end of its head. */
export const Panel = ({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className="panel">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    <div className="panel-body">{children}</div>
  </section>
);
