/**
 * The `limit` members of `among` with the largest value, largest first, ties by number. A heap of `limit`
 * entries: no sorting of everything.
 */
export function largest(values: ArrayLike<number>, among: ArrayLike<number>, limit: number): number[] {
  const heap: number[] = [];
  if (limit <= 0) return heap;
  const isWorse = (a: number, b: number): boolean =>
    values[a]! < values[b]! || (values[a] === values[b] && a > b);
  for (let i = 0; i < among.length; i++) {
    const candidate = among[i]!;
    if (heap.length < limit) {
      heap.push(candidate);
      let at = heap.length - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isWorse(heap[at]!, heap[parent]!)) break;
        [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
        at = parent;
      }
    } else if (isWorse(heap[0]!, candidate)) {
      heap[0] = candidate;
      let at = 0;
      for (;;) {
        let worst = at;
        const left = 2 * at + 1;
        if (left < limit && isWorse(heap[left]!, heap[worst]!)) worst = left;
        if (left + 1 < limit && isWorse(heap[left + 1]!, heap[worst]!)) worst = left + 1;
        if (worst === at) break;
        [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
        at = worst;
      }
    }
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
}
