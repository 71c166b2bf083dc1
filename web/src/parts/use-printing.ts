import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed: what is folded on the screen is to be on paper. */
export function usePrinting(): boolean {
  const [is, set] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const print = matchMedia('print');
    // On paper stands what is painted when these return.
    const turn = (to: boolean) => (): void => flushSync(() => set(to));
    const [begin, end] = [turn(true), turn(false)];
    const follow = (): void => turn(print.matches)();
    print.addEventListener('change', follow);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      print.removeEventListener('change', follow);
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return is;
}
