import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';

export type Clause = Api['ClauseNode'];

/** Criteria of a standard up to which its whole tree is asked for at once. */
const SMALL = 400;

/** A clause that is shown, and where it stands among its siblings. */
export interface ClauseRow {
  readonly node: Clause;
  /** From 1. */
  readonly level: number;
  readonly place: number;
  readonly siblings: number;
  readonly isOpen: boolean;
}

interface Asked {
  readonly workspace: string;
  readonly standard: string;
  readonly run: string | undefined;
  /** How many criteria it has. */
  readonly size: number;
  /** What somebody has to look at, and nothing else. */
  readonly onlyOpen: boolean;
  /** Is to be among them, however deep it lies. */
  readonly at: string | null;
}

/**
 * The clauses of a standard as far as somebody opened them. A small one is there at once; of a large one what lies below a clause is
 * asked for when it is opened.
 */
export function useClauses({ workspace, standard, run, size, onlyOpen, at }: Asked) {
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [deep, setDeep] = useState<ReadonlySet<string>>(new Set());
  const [isWhole, setWhole] = useState(size <= SMALL);
  const key = ['standards', workspace, standard, 'clauses', run, onlyOpen];
  const read =
    (part: { readonly parent?: string; readonly depth?: number; readonly at?: string }) =>
    ({ signal }: { readonly signal: AbortSignal }) =>
      take(
        api.GET('/analysis/standards/{id}/drilldown', {
          params: {
            path: { id: standard },
            query: {
              include: 'none',
              ...(run && { analysis_id: run }),
              ...(onlyOpen && { only: 'open' as const }),
              ...part,
            },
          },
          signal,
        }),
      );
  const top = useQuery({
    queryKey: [...key, isWhole ? 'whole' : 'top'],
    queryFn: read(isWhole ? {} : { depth: 2 }),
  });
  const isUnknown = at !== null && top.data !== undefined && !isWhole && !holds(top.data.clauses, at);
  const way = useQuery({
    queryKey: [...key, 'way', at],
    enabled: isUnknown,
    queryFn: read({ depth: 1, at: at ?? '' }),
  });
  const opened = [...turned].flatMap(([id, isOpen]) => (isOpen && !isWhole ? [id] : []));
  const parts = useQueries({
    queries: opened.map((parent) => ({
      queryKey: [...key, 'below', parent, deep.has(parent)],
      queryFn: read({ parent, ...(!deep.has(parent) && { depth: 1 }) }),
    })),
    combine: (results) => ({
      answers: results.flatMap(({ data }) => (data ? [data] : [])),
      parents: opened.filter((_, place) => results[place]?.data),
    }),
  });
  const known = useMemo(() => {
    const below = new Map<string, readonly Clause[]>();
    const parentOf = new Map<string, string>();
    const add = (nodes: readonly Clause[], parent?: string): void => {
      if (parent !== undefined && nodes.length > 0 && !below.has(parent)) below.set(parent, nodes);
      for (const node of nodes) {
        if (parent !== undefined) parentOf.set(node.criterion_id, parent);
        add(node.children ?? [], node.criterion_id);
      }
    };
    add(top.data?.clauses ?? []);
    add(way.data?.clauses ?? []);
    for (const [place, { clauses }] of parts.answers.entries()) add(clauses, parts.parents[place]);
    return { below, parentOf };
  }, [top.data, way.data, parts]);
  const { below, parentOf } = known;
  const above = useMemo(() => {
    const ids = new Set<string>();
    for (let id = at ? parentOf.get(at) : undefined; id !== undefined; id = parentOf.get(id)) ids.add(id);
    return ids;
  }, [at, parentOf]);
  const rows = useMemo(() => {
    const isInside = (id: string): boolean => {
      for (let one = parentOf.get(id); one !== undefined; one = parentOf.get(one)) {
        if (deep.has(one)) return true;
      }
      return deep.has(id);
    };
    const isOpen = (id: string, level: number): boolean =>
      turned.get(id) ?? (level === 1 || above.has(id) || isInside(id));
    const list = (nodes: readonly Clause[], level: number): ClauseRow[] =>
      nodes.flatMap((node, place) => {
        const row = {
          node,
          level,
          place: place + 1,
          siblings: nodes.length,
          isOpen: isOpen(node.criterion_id, level),
        };
        return [row, ...(row.isOpen ? list(below.get(node.criterion_id) ?? [], level + 1) : [])];
      });
    return list(top.data?.clauses ?? [], 1);
  }, [top.data, below, parentOf, above, turned, deep]);
  const all = useMemo(
    () => (top.data && isWhole ? flat(top.data.clauses, 1) : undefined),
    [top.data, isWhole],
  );
  return {
    query: top,
    /** Those that are to be seen, in order. */
    rows,
    /** Every one, whatever is folded; undefined as long as not all of them are here. */
    all,
    parentOf: (id: string): string | undefined => parentOf.get(id),
    turn: (id: string, isOpen: boolean): void => setTurned((now) => new Map(now).set(id, isOpen)),
    /** Opens a clause and everything below it. */
    openBelow: (id: string): void => {
      setTurned((now) => {
        const next = new Map(now);
        for (const one of next.keys()) if (isBelow(one, id, parentOf)) next.delete(one);
        return next.set(id, true);
      });
      setDeep((now) => new Set(now).add(id));
    },
    openAll: (): void => {
      setWhole(true);
      setTurned(new Map());
      setDeep(new Set((top.data?.clauses ?? []).map(({ criterion_id }) => criterion_id)));
    },
  };
}

const isBelow = (id: string, above: string, parentOf: ReadonlyMap<string, string>): boolean => {
  for (let one = parentOf.get(id); one !== undefined; one = parentOf.get(one)) if (one === above) return true;
  return false;
};

const holds = (nodes: readonly Clause[], id: string): boolean =>
  nodes.some((node) => node.criterion_id === id || holds(node.children ?? [], id));

const flat = (nodes: readonly Clause[], level: number): readonly ClauseRow[] =>
  nodes.flatMap((node, place) => [
    { node, level, place: place + 1, siblings: nodes.length, isOpen: true },
    ...flat(node.children ?? [], level + 1),
  ]);
