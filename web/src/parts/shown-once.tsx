import { Icon } from '../look/glyphs.tsx';
import { Button } from './button.tsx';
import { toast } from './toasts.tsx';
import { useCommonWords } from './use-words.ts';
import './records.css';

/** A link or secret to hand on, with a button that copies it. Pages without a secure origin select it instead. */
export function ShownOnce({ label, value }: { readonly label: string; readonly value: string }) {
  const say = useCommonWords();
  return (
    <div className="shown-once">
      <input
        className="input mono"
        readOnly
        aria-label={label}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      {'clipboard' in navigator && (
        <Button
          onClick={() =>
            navigator.clipboard.writeText(value).then(
              () => toast(say('copied')),
              () => toast(say('not_copied')),
            )
          }
        >
          <Icon name="copy" /> {say('copy')}
        </Button>
      )}
    </div>
  );
}
