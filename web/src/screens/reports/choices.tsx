import { useId } from 'react';
import type { Api } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Options = Api['Report']['options'];
type Chapter = NonNullable<Options['chapters']>[number];
type Severity = NonNullable<Options['severities']>[number];
type Status = NonNullable<Options['statuses']>[number];

/** In the order of the report. */
const CHAPTERS: readonly Chapter[] = [
  ...(['causes', 'summaries', 'findings', 'matrix', 'results', 'differences', 'advice'] as const),
  ...(['questions', 'waivers', 'sign_off'] as const),
];
const STATUSES: readonly Status[] = ['open', 'in_progress', 'resolved', 'accepted'];
/** As many facts of the cover as a report takes. */
const MOST_FACTS = 12;

interface Fact {
  readonly label: string;
  readonly value: string;
}

/** What of the runs a report tells, and what stands on its cover. */
export interface Choices {
  readonly chapters: readonly Chapter[];
  readonly severities: readonly Severity[];
  readonly statuses: readonly Status[];
  /** Id of an earlier run; empty: findings of any time. */
  readonly since: string;
  readonly confidentiality: string;
  readonly cover: readonly Fact[];
}

export const EVERYTHING: Choices = {
  chapters: CHAPTERS,
  severities: SEVERITIES,
  statuses: STATUSES,
  since: '',
  confidentiality: '',
  cover: [],
};

/** As the API takes them: what narrows nothing is absent. */
export const optionsOf = (choices: Choices) => ({
  ...(choices.chapters.length < CHAPTERS.length && { chapters: [...choices.chapters] }),
  ...(choices.severities.length < SEVERITIES.length && { severities: [...choices.severities] }),
  ...(choices.statuses.length < STATUSES.length && { statuses: [...choices.statuses] }),
  ...(choices.since && { since: choices.since }),
  ...(choices.confidentiality.trim() && { confidentiality: choices.confidentiality.trim() }),
});

/** Without rows that nothing was written in. */
export const factsOf = ({ cover }: Choices): Fact[] =>
  cover
    .map(({ label, value }) => ({ label: label.trim(), value: value.trim() }))
    .filter(({ label, value }) => label || value);

export const leavesFindingsOut = ({ severities, statuses, since }: Partial<Options>): boolean =>
  Boolean(severities ?? statuses ?? since);

/** What has to be done before a report can be made of them, as a key of the words. */
export function lacking(choices: Choices) {
  if ([choices.chapters, choices.severities, choices.statuses].some(({ length }) => length === 0)) {
    return 'choose_one';
  }
  return factsOf(choices).every(({ label, value }) => label && value) ? undefined : 'fact_half';
}

export function ChoicesFields({
  of,
  onChange,
  earlier,
  nameOf,
}: {
  readonly of: Choices;
  readonly onChange: (change: Partial<Choices>) => void;
  /** Runs since which findings can be told. */
  readonly earlier: readonly Api['Analysis'][];
  readonly nameOf: (run: Api['Analysis']) => string;
}) {
  const say = useWords();
  const common = useCommonWords();
  return (
    <details className="report-choices">
      <summary>{say('choices')}</summary>
      <div className="form">
        <p className="field-hint">{say('choices_hint')}</p>
        <Several
          title={say('severities')}
          all={SEVERITIES}
          chosen={of.severities}
          nameOf={(one) => common(`severity_${one}`)}
          onChange={(severities) => onChange({ severities })}
        />
        <Several
          title={say('statuses')}
          all={STATUSES}
          chosen={of.statuses}
          nameOf={(one) => common(`status_${one}`)}
          onChange={(statuses) => onChange({ statuses })}
        />
        <Field label={say('since')} hint={say(earlier.length === 0 ? 'since_none' : 'since_hint')}>
          <select
            className="input"
            value={of.since}
            disabled={earlier.length === 0}
            onChange={(event) => onChange({ since: event.target.value })}
          >
            <option value="">{say('since_any')}</option>
            {earlier.map((run) => (
              <option key={run.id} value={run.id}>
                {[
                  dateAndTime(run.finished_at ?? run.created_at, say.language),
                  common.named('analysis', run.type),
                  nameOf(run),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </option>
            ))}
          </select>
        </Field>
        <Several
          title={say('chapters')}
          all={CHAPTERS}
          chosen={of.chapters}
          nameOf={(one) => say(`chapter_${one}`)}
          hint={say('chapters_hint')}
          onChange={(chapters) => onChange({ chapters })}
        />
        <Field label={say('confidentiality')} hint={say('confidentiality_hint')}>
          <Input
            value={of.confidentiality}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => onChange({ confidentiality: event.target.value })}
          />
        </Field>
        <Facts of={of.cover} onChange={(cover) => onChange({ cover })} />
      </div>
    </details>
  );
}

function Several<Item extends string>({
  title,
  all,
  chosen,
  nameOf,
  hint,
  onChange,
}: {
  readonly title: string;
  readonly all: readonly Item[];
  readonly chosen: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly hint?: string;
  readonly onChange: (chosen: readonly Item[]) => void;
}) {
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={hint && id}>
      <legend className="field-label report-legend">{title}</legend>
      <div className="report-formats">
        {all.map((one) => (
          <label key={one} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={({ target }) =>
                onChange(all.filter((item) => (item === one ? target.checked : chosen.includes(item))))
              }
            />
            <span>{nameOf(one)}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p id={id} className="field-hint">
          {hint}
        </p>
      )}
    </fieldset>
  );
}

/** Rows of a name and what it is for this report, such as a project number. */
function Facts({
  of,
  onChange,
}: {
  readonly of: readonly Fact[];
  readonly onChange: (facts: readonly Fact[]) => void;
}) {
  const say = useWords();
  const write = (at: number, change: Partial<Fact>): void =>
    onChange(of.map((fact, index) => (index === at ? { ...fact, ...change } : fact)));
  return (
    <fieldset className="field">
      <legend className="field-label report-legend">{say('cover')}</legend>
      {of.map(({ label, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows hold nothing but what is in `of`
        <div key={at} className="report-fact">
          <Input
            aria-label={say('fact_label', { number: at + 1 })}
            placeholder={say('fact_label_example')}
            // A row appears where somebody asked for it.
            autoFocus={!label && !value}
            value={label}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => write(at, { label: event.target.value })}
          />
          <Input
            aria-label={say('fact_value', { number: at + 1 })}
            placeholder={say('fact_value_example')}
            value={value}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => write(at, { value: event.target.value })}
          />
          <Button
            kind="quiet"
            aria-label={say('fact_remove', { number: at + 1 })}
            onClick={() => onChange(of.filter((_, index) => index !== at))}
          >
            {say('remove')}
          </Button>
        </div>
      ))}
      <div>
        <Button
          disabled={of.length >= MOST_FACTS}
          onClick={() => onChange([...of, { label: '', value: '' }])}
        >
          {say('fact_add')}
        </Button>
      </div>
      <p className="field-hint">{say('cover_hint')}</p>
    </fieldset>
  );
}
