import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, take } from '../../api/client.ts';
import type { operations } from '../../api/schema.d.ts';
import { useDocumentTypeName } from '../../app/document-types.ts';
import { useInstallation } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Query = NonNullable<operations['listWorkProducts']['parameters']['query']>;
/** What the list is filtered by, in the names of the API. */
export type Filter = Pick<Query, 'search' | 'category' | 'processing_status' | 'tag' | 'format' | 'language'>;

const FACETS = ['category', 'processing_status', 'tag', 'format', 'language'] as const;
type Facet = (typeof FACETS)[number];

const valuesOf = (search: URLSearchParams, name: string): string[] =>
  (search.get(name) ?? '').split(',').filter(Boolean);

/** The filter that an address says. */
export function filterOf(search: URLSearchParams): Filter {
  const words = search.get('q')?.trim();
  return {
    ...(words && { search: words }),
    ...Object.fromEntries(
      FACETS.flatMap((name) => {
        const values = valuesOf(search, name);
        return values.length > 0 ? [[name, values]] : [];
      }),
    ),
  } as Filter;
}

/** What documents can be filtered by: a menu for each, with how many there are of every value. */
export function Filters({
  workspace,
  filter,
  search,
  onChange,
}: {
  readonly workspace: string;
  readonly filter: Filter;
  readonly search: URLSearchParams;
  readonly onChange: (name: string, value: string) => void;
}) {
  const say = useWords();
  const facets = useQuery({
    queryKey: ['documents', workspace, 'facets', filter],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/facets', {
          params: { query: { workspace_id: workspace, ...filter } },
          signal,
        }),
      ),
  });
  const isFiltered = FACETS.some((name) => search.has(name));
  return (
    <div className="filters" role="group" aria-label={say('filters')}>
      {FACETS.map((name) => {
        const facet = facets.data?.facets[name];
        const chosen = valuesOf(search, name);
        // What has one value only tells nothing apart.
        if (chosen.length === 0 && (facet?.values.length ?? 0) < 2) return null;
        return (
          <FilterMenu
            key={name}
            name={name}
            values={facet?.values ?? []}
            more={facet?.more ?? 0}
            chosen={chosen}
            onChange={(values) => onChange(name, values.join(','))}
          />
        );
      })}
      {isFiltered && (
        <Button
          kind="quiet"
          onClick={() => {
            for (const name of FACETS) onChange(name, '');
          }}
        >
          {say('no_filters')}
        </Button>
      )}
    </div>
  );
}

function FilterMenu({
  name,
  values,
  more,
  chosen,
  onChange,
}: {
  readonly name: Facet;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly more: number;
  readonly chosen: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const say = useWords();
  const words = useValueWords();
  const menu = useRef<HTMLDetailsElement>(null);
  const gone = chosen.filter((value) => !values.some((one) => one.value === value));
  const close = (): void => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      className="filter-menu"
      data-chosen={chosen.length > 0 || undefined}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        event.stopPropagation();
        close();
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary>
        {say(`filter_${name}`)}
        {chosen.length > 0 && <strong> {number(chosen.length, say.language)}</strong>}
      </summary>
      <ul tabIndex={-1}>
        {[...values, ...gone.map((value) => ({ value, count: 0 }))].map(({ value, count }) => (
          <li key={value}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() =>
                  onChange(
                    chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value],
                  )
                }
              />
              <span>
                <bdi>{words(name, value)}</bdi>
              </span>
              <span className="filter-count">{number(count, say.language)}</span>
            </label>
          </li>
        ))}
        {more > 0 && <li className="field-hint">{say('filter_more', { count: more })}</li>}
      </ul>
    </details>
  );
}

/** What a value of a filter is called. */
function useValueWords(): (name: Facet, value: string) => string {
  const say = useWords();
  const typeName = useDocumentTypeName();
  const { data: installation } = useInstallation();
  return (name, value) => {
    switch (name) {
      case 'category':
        return value === 'none' ? say('type_unknown') : typeName(value);
      case 'processing_status':
        return say.named('status', value);
      case 'language': {
        if (value === 'unknown') return say('language_unknown');
        return new Intl.DisplayNames(say.language, { type: 'language' }).of(value) ?? value;
      }
      case 'format':
        return (
          installation?.uploads.formats.find(({ format }) => format === value)?.label[say.language] ?? value
        );
      case 'tag':
        return value;
    }
  };
}
