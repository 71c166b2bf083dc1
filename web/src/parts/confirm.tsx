import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './states.tsx';
import { useCommonWords } from './use-words.ts';

interface Doing {
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Asks before something that cannot be taken back. `verb` is what the button says. */
export function Confirm({
  title,
  verb,
  doing,
  isReady = true,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly verb: string;
  readonly doing: Doing;
  readonly isReady?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const say = useCommonWords();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {doing.error !== null && <Failure error={doing.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button kind="danger" disabled={doing.isPending || !isReady} onClick={onConfirm}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
