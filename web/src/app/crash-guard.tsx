import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/states.tsx';
import { useAppWords } from './use-words.ts';

/** A screen that fails takes itself down and not the application around it. */
export class CrashGuard extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <Crashed /> : this.props.children;
  }
}

function Crashed() {
  const say = useAppWords();
  return (
    <div className="page" role="alert">
      <Empty title={say('crashed')}>
        <p>{say('crashed_text')}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {say('reload')}
        </Button>
      </Empty>
    </div>
  );
}
