import { type ReactNode, useEffect, useState } from 'react';
import { ApiFailure } from '../api/client.ts';
import { Button } from './button.tsx';
import { useCommonWords } from './use-words.ts';
import './parts.css';

/** From then on it is said that something goes on, and then for how long. */
const SLOW_SECONDS = 1;
const LONG_SECONDS = 10;

/** The shape of what comes, after a moment; with a moving bar behind a second, and in words where it takes long. */
export function Skeleton({
  lines = 6,
  slow,
}: {
  readonly lines?: number;
  /** Why it may take more than a second. */
  readonly slow?: string;
}) {
  const say = useCommonWords();
  const seconds = useSecondsShown();
  return (
    <div className="skeleton" role="status" aria-label={say('loading')}>
      {seconds >= SLOW_SECONDS && (
        <>
          <div className="skeleton-bar" role="progressbar" aria-label={say('loading')} />
          {slow && <p>{slow}</p>}
          {seconds >= LONG_SECONDS && (
            <p>
              {say('takes_long')} {/* Told once, not every second. */}
              <span aria-hidden="true">{say.count('seconds_so_far', seconds)}</span>
            </p>
          )}
        </>
      )}
      {Array.from({ length: lines }, (_, at) => (
        <span key={String(at)} />
      ))}
    </div>
  );
}

/** Whole seconds since this was first shown. */
function useSecondsShown(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

/** Nothing to show, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What an error says to the person. */
export function useFailureWords(): (error: unknown) => string {
  const say = useCommonWords();
  return (error) => {
    if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : say('failed');
    if (error.status === 0) return say('no_answer');
    if (error.status === 402) return say('beyond_plan');
    if (error.status === 404) return say('not_here');
    if (error.status === 413) return error.message || say('too_large');
    if (error.status === 429) return say('rate_limited');
    return error.message || say('failed');
  };
}

/** The error of one panel: the page around it stays. */
export function Failure({ error, onAgain }: { readonly error: unknown; readonly onAgain?: () => void }) {
  const say = useCommonWords();
  const words = useFailureWords();
  const id = error instanceof ApiFailure ? error.requestId : undefined;
  return (
    <div className="notice" data-kind="error" role="alert">
      <div className="notice-text">
        {words(error)}
        {id && <div className="request-id mono">{id}</div>}
      </div>
      {error instanceof ApiFailure && error.status === 402 ? (
        <a className="button" href="/me/subscription">
          {say('to_plans')}
        </a>
      ) : (
        onAgain && <Button onClick={onAgain}>{say('again')}</Button>
      )}
    </div>
  );
}

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

/** What was asked for, its skeleton until it is there, or why it is not. Data of the last visit are shown at once. */
export function Loaded<Data>({
  query,
  lines,
  slow,
  children,
}: {
  readonly query: Asked<Data>;
  readonly lines?: number;
  /** Why it may take more than a second. */
  readonly slow?: string;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} onAgain={() => void query.refetch()} />;
  return <Skeleton {...(lines === undefined ? {} : { lines })} {...(slow === undefined ? {} : { slow })} />;
}
