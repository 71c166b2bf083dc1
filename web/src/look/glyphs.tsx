import type { ReactNode } from 'react';
import './glyphs.css';

export type Severity = 'critical' | 'high' | 'medium' | 'low';
export type Verdict = 'covered' | 'partial' | 'missing' | 'needs_review' | 'not_applicable';

const STATES: Readonly<Record<Severity | Verdict, ReactNode>> = {
  critical: <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor" />,
  high: <path d="M8 1.5 15 14H1z" fill="currentColor" />,
  medium: <path d="M8 1l7 7-7 7-7-7z" fill="currentColor" />,
  low: <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="2.5" />,
  covered: <circle cx="8" cy="8" r="6.5" fill="currentColor" />,
  partial: (
    <>
      <circle cx="8" cy="8" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </>
  ),
  missing: <path d="M3 3l10 10M13 3L3 13" fill="none" stroke="currentColor" strokeWidth="2.5" />,
  needs_review: <path d="M4 1v14M4 2h9l-2.5 3L13 8H4" fill="none" stroke="currentColor" strokeWidth="2" />,
  not_applicable: <path d="M3 8h10" fill="none" stroke="currentColor" strokeWidth="2.5" />,
};

/** The shape of a severity or verdict. The word stands beside it, or in `label` where it does not. */
export function StateGlyph({ of, label }: { readonly of: Severity | Verdict; readonly label?: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has its name in aria-label, or a word beside it
    <svg
      className="glyph state-glyph"
      data-state={of}
      viewBox="0 0 16 16"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {STATES[of]}
    </svg>
  );
}

const ICONS = {
  overview: 'M2 9l6-6 6 6M4 8v6h8V8',
  gaps: 'M8 1.5 15 14H1zM8 6v4M8 12v.5',
  documents: 'M4 1.5h5l3.5 3.5v9.5H4zM9 1.5V5h3.5M6 8.5h4.5M6 11h4.5',
  standards:
    'M2.5 2.5h4.5a1 1 0 0 1 1 1v10a1 1 0 0 0-1-1H2.5zM13.5 2.5H9a1 1 0 0 0-1 1v10a1 1 0 0 1 1-1h4.5z',
  trace: 'M2 3l4.5 10M14 3L9.5 13M6.5 13h3M4 7.5h8',
  checklists: 'M2 4l1.5 1.5L6 3M8.5 4.5H14M2 10.5L3.5 12 6 9.5M8.5 11H14',
  runs: 'M5 2.5v11l8-5.5z',
  reports: 'M2.5 14h11M4.5 11V8M8 11V4M11.5 11V6',
  activity: 'M1 8h3l2-5 4 10 2-5h3',
  settings:
    'M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4',
  person: 'M8 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 14.5a5.5 5.5 0 0 1 11 0',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.5 10.5L14 14',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  menu: 'M2 4h12M2 8h12M2 12h12',
  narrow: 'M9.5 4L5.5 8l4 4',
  wide: 'M6.5 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  add: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  upload: 'M8 11V2.5M4.5 6L8 2.5 11.5 6M2.5 11v2.5h11V11',
  download: 'M8 2.5V11M4.5 7.5L8 11l3.5-3.5M2.5 13.5h11',
  done: 'M3 8.5l3.5 3.5L13 4.5',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 4.5V8l2.5 1.5',
  comment: 'M2 3h12v8H7l-3.5 3v-3H2z',
  warning: 'M8 1.5 15 14H1zM8 6v4M8 12v.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5L7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  key: 'M10.5 2a3.5 3.5 0 1 1-2.8 5.6L2.5 12.8V14.5h3v-2h2v-2l1.5-1.5',
  people:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M1.5 13.5a4.5 4.5 0 0 1 9 0M11 8a2 2 0 1 0-.5-4M12 9.5a4 4 0 0 1 2.5 4',
  workspaces: 'M2 2.5h5v5H2zM9 2.5h5v5H9zM2 9.5h5v4H2zM9 9.5h5v4H9z',
} as const;

export type IconName = keyof typeof ICONS;

/** Decoration beside words, or inside a control that has a name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="glyph" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={ICONS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
