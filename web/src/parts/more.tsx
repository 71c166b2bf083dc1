import { Button } from './button.tsx';
import { useCommonWords } from './use-words.ts';
import './records.css';

interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** The next page of a list, where there is one. */
export function More({ of }: { readonly of: Paged }) {
  const say = useCommonWords();
  if (!of.hasNextPage) return null;
  return (
    <Button className="more" disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
      {say('more')}
    </Button>
  );
}
