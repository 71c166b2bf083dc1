import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/states.tsx';
import { NotLoaded } from './new-version.tsx';
import { useAppWords } from './use-words.ts';

/** A screen that fails takes itself down and not the application around it. */
export class CrashGuard extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Crashed isMissing={error instanceof NotLoaded} />;
  }
}

function Crashed({ isMissing }: { readonly isMissing: boolean }) {
  const say = useAppWords();
  return (
    <div className="page" role="alert">
      <Empty title={say(isMissing ? 'not_loaded' : 'crashed')}>
        <p>{say(isMissing ? 'not_loaded_text' : 'crashed_text')}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {say('reload')}
        </Button>
      </Empty>
    </div>
  );
}
