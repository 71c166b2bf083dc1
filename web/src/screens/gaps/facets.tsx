import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, take } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { number } from '../../words/moments.ts';
import { type FacetName, type Filter, valuesOf } from './filters.ts';
import { useWords } from './use-words.ts';

const FACETS: readonly FacetName[] = [
  'severity',
  'status',
  'change',
  'standard_id',
  'work_product_id',
  'clause',
  'analysis_type',
  'type',
  'assignee',
  'asil',
];
const OPEN_AT_FIRST: readonly FacetName[] = ['severity', 'status', 'work_product_id'];
/** The order of their meaning; other values by their counts. */
const ORDERS: Partial<Record<FacetName, readonly string[]>> = {
  severity: SEVERITIES,
  status: ['open', 'in_progress', 'resolved', 'accepted'],
  change: ['new', 'updated', 'unchanged', 'absent'],
};

/** What the list can be filtered by, each value with how many it has; counted when its facet is opened. */
export function Facets({
  workspace,
  filter,
  search,
  total,
  isListAnswered,
  onToggle,
  onDone,
}: {
  readonly workspace: string;
  readonly filter: Filter;
  readonly search: URLSearchParams;
  /** Gaps that the filters find. */
  readonly total: number | undefined;
  /** The list is what is waited for: counts are asked for behind it. */
  readonly isListAnswered: boolean;
  readonly onToggle: (name: FacetName, value: string) => void;
  /** Back to the list, where there is no room for both. */
  readonly onDone: () => void;
}) {
  const say = useWords();
  const [open, setOpen] = useState<readonly FacetName[]>(() => [
    ...OPEN_AT_FIRST,
    ...FACETS.filter((name) => !OPEN_AT_FIRST.includes(name) && valuesOf(search, name).length > 0),
  ]);
  const facets = useQuery({
    queryKey: ['gaps', workspace, 'facets', filter, open],
    placeholderData: keepPreviousData,
    enabled: isListAnswered,
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/gaps/facets', {
          params: { query: { workspace_id: workspace, ...filter, facets: [...open] } },
          signal,
        }),
      ),
  });
  return (
    <div className="facets" role="group" aria-label={say('facets')}>
      {FACETS.map((name) => {
        const isOpen = open.includes(name);
        const facet = facets.data?.facets[name];
        return (
          <section key={name}>
            <button
              type="button"
              className="facet-head"
              aria-expanded={isOpen}
              onClick={() => setOpen(isOpen ? open.filter((one) => one !== name) : [...open, name])}
            >
              {say(`facet_${name}`)}
            </button>
            {isOpen &&
              (facet ? (
                <FacetValues
                  name={name}
                  values={facet.values}
                  more={facet.more}
                  chosen={valuesOf(search, name)}
                  onToggle={(value) => onToggle(name, value)}
                />
              ) : (
                <Skeleton lines={3} />
              ))}
          </section>
        );
      })}
      <Button kind="primary" className="facets-done" onClick={onDone}>
        {total === undefined ? say('show_list') : say.count('show_total', total)}
      </Button>
    </div>
  );
}

interface Value {
  readonly value: string;
  readonly label: string | null;
  readonly count: number;
}

function FacetValues({
  name,
  values,
  more,
  chosen,
  onToggle,
}: {
  readonly name: FacetName;
  readonly values: readonly Value[];
  readonly more: number;
  readonly chosen: readonly string[];
  readonly onToggle: (value: string) => void;
}) {
  const say = useWords();
  const words = useFacetWords();
  const order = ORDERS[name];
  const shown = order ? values.toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value)) : values;
  const gone = chosen
    .filter((value) => !values.some((one) => one.value === value))
    .map((value) => ({ value, label: null, count: 0 }));
  return (
    <ul>
      {[...shown, ...gone].map(({ value, label, count }) => (
        <li key={value}>
          <label data-empty={count === 0 || undefined}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
            {name === 'severity' && <StateGlyph of={value as (typeof SEVERITIES)[number]} />}
            <span className="facet-value">
              <bdi>{label ?? words(name, value)}</bdi>
            </span>
            <span className="facet-count">{number(count, say.language)}</span>
          </label>
        </li>
      ))}
      {more > 0 && <li className="field-hint">{say('facet_more', { count: more })}</li>}
    </ul>
  );
}

/** What a value of a facet is called. */
export function useFacetWords(): (name: string, value: string) => string {
  const say = useWords();
  const common = useCommonWords();
  return (name, value) => {
    if (name === 'severity' || name === 'status' || name === 'change') return common.named(name, value);
    if (name === 'analysis_type') return common.named('analysis', value);
    if (name === 'assignee') return value === 'none' ? say('nobody') : value;
    return value.replaceAll('_', ' ') || say('none');
  };
}
