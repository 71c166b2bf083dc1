import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from '../look/glyphs.tsx';
import { Button } from './button.tsx';
import { useCommonWords } from './use-words.ts';

/** A dialog over the page, by the platform: focus stays in it and goes back where it was. Without `onClose` it must be answered. */
export function Dialog({
  title,
  onClose,
  children,
  className = '',
}: {
  readonly title: string;
  readonly onClose?: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const say = useCommonWords();
  const element = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    // The first field, not the button that closes it.
    dialog.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 id={name}>{title}</h2>
          {onClose && (
            <Button kind="quiet" iconOnly aria-label={say('close')} onClick={onClose}>
              <Icon name="close" />
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
