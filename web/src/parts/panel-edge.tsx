import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { changeLook, look, showPanel } from '../look/look.ts';
import { useLook } from '../look/use-look.ts';
import { useCommonWords } from './use-words.ts';
import './panel-edge.css';

/** Pixels. */
const LEAST = 160;
const STEP = 16;
/** Parts of what is around it that a panel takes at most; those of the two sides leave something between them. */
const MOST = { left: 0.3, right: 0.6 } as const;
/** Parts of that which a click goes through. */
const CLICKS = [0.5, 0.75, 1];

/**
 * The edge of a panel, which can be drawn; in a grid whose first (`left`) or last (`right`) column is as wide as `--panel-<panel>` says.
 * By keys: arrows, Home and End; by click or Enter, without drawing: the next wider, and after the widest that of the style again.
 */
export function PanelEdge({
  panel,
  side,
  label,
}: {
  /** Letters and dots. */
  readonly panel: string;
  /** Where the panel lies in what is around it. */
  readonly side: 'left' | 'right';
  /** What the panel shows. */
  readonly label: string;
}) {
  const say = useCommonWords();
  const kept = useLook().panels[panel];
  const edge = useRef<HTMLHRElement>(null);
  const [{ width, around }, measured] = useState({ width: LEAST, around: LEAST });
  const drawn = useRef<number>(undefined);

  /** How wide the panel is when its edge is at this place of the window. */
  const widthAt = useCallback(
    (x: number): number => {
      const { left, right } = edge.current!.parentElement!.getBoundingClientRect();
      return Math.round(side === 'left' ? x - left : right - x);
    },
    [side],
  );
  const measure = useCallback((): void => {
    const { left, width: own } = edge.current!.getBoundingClientRect();
    measured({ width: widthAt(left + own / 2), around: edge.current!.parentElement!.clientWidth });
  }, [widthAt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width was kept
  useEffect(measure, [measure, kept]);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(edge.current!.parentElement!);
    return () => observer.disconnect();
  }, [measure]);

  const most = Math.max(Math.round(around * MOST[side]), LEAST);
  const show = (wanted: number): void => {
    drawn.current = Math.min(Math.max(wanted, LEAST), most);
    showPanel(panel, drawn.current);
    measure();
  };
  const keep = (): void => {
    if (drawn.current === undefined) return;
    changeLook({ panels: { ...look().panels, [panel]: drawn.current } });
    drawn.current = undefined;
  };
  const goOn = (): void => {
    const next = CLICKS.map((share) => Math.round(share * most)).find((one) => one > width + STEP / 2);
    if (next !== undefined) {
      show(next);
      keep();
      return;
    }
    const { [panel]: _, ...others } = look().panels;
    changeLook({ panels: others });
  };
  const isHeld = (event: PointerEvent<HTMLHRElement>): boolean =>
    event.currentTarget.hasPointerCapture(event.pointerId);
  return (
    <hr
      ref={edge}
      className="panel-edge"
      data-side={side}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say('panel_width', { name: label })}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={most}
      aria-valuetext={say('panel_pixels', { width })}
      title={say('panel_hint')}
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (isHeld(event) && (drawn.current !== undefined || Math.abs(widthAt(event.clientX) - width) > 5))
          show(widthAt(event.clientX));
      }}
      onPointerUp={(event) => {
        if (!isHeld(event)) return;
        if (drawn.current === undefined) goOn();
        else keep();
      }}
      onPointerCancel={keep}
      onKeyDown={(event) => {
        const outwards = side === 'left' ? 'ArrowRight' : 'ArrowLeft';
        if (event.key === outwards) show(width + STEP);
        else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') show(width - STEP);
        else if (event.key === 'Home') show(LEAST);
        else if (event.key === 'End') show(most);
        else if (event.key === 'Enter') goOn();
        else return;
        event.preventDefault();
      }}
      onKeyUp={keep}
      onBlur={keep}
    />
  );
}
