import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useLook } from '../../look/use-look.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime } from '../../words/moments.ts';
import { type Choices, ChoicesFields, EVERYTHING, factsOf, lacking, optionsOf } from './choices.tsx';
import { useWords } from './use-words.ts';
import './new-report.css';

type Type = Api['NewReport']['type'];
type Format = Api['NewReport']['format'];
type Language = 'en' | 'de';

const TYPES: readonly Type[] = ['full', 'gap_analysis', 'completeness', 'checklist', 'traceability'];
const FORMATS: readonly Format[] = ['pdf', 'docx', 'html', 'xlsx', 'csv', 'json', 'sarif', 'junit'];
/** As many runs as a report takes. */
const MOST = 20;

/** What a report is to be about, and how it is to look. `run` is chosen from the start. */
export function NewReport({
  workspace,
  run,
  onClose,
}: {
  readonly workspace: string;
  readonly run: string;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const runs = useQuery({
    queryKey: ['runs', workspace, 'completed'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/analyses', {
          params: {
            query: { workspace_id: workspace, status: ['completed'], limit: 100, sort: '-created_at' },
          },
          signal,
        }),
      ),
  });
  const checklists = useQuery({
    queryKey: ['checklists', workspace, 'all'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/compliance/checklists', {
          params: { query: { workspace_id: workspace, limit: 100 } },
          signal,
        }),
      ),
  });
  const nameOf = (run: Api['Analysis']): string => {
    const title = checklists.data?.items.find(({ id }) => id === subjectOf(run))?.title;
    return (say.language === 'de' && title?.de) || title?.en || subjectOf(run);
  };
  return (
    <Dialog title={say('make')} onClose={onClose}>
      <Loaded query={runs}>
        {({ items }) =>
          items.length === 0 ? (
            <>
              <p>{say('no_runs')}</p>
              <div className="dialog-actions">
                <a className="button" href={`/w/${workspace}/runs`}>
                  {say('to_runs')}
                </a>
              </div>
            </>
          ) : (
            <Form workspace={workspace} runs={items} nameOf={nameOf} first={run} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** The newest run of each subject: what somebody means who says "a report". */
function newestOf(runs: readonly Api['Analysis'][]): ReadonlySet<string> {
  const newest = new Map(runs.toReversed().map((run) => [`${run.type} ${subjectOf(run)}`, run.id]));
  return new Set([...newest.values()].slice(0, MOST));
}

/** The standard or checklist that a run is about; empty for a type that has none. */
function subjectOf({ standard_name, options }: Api['Analysis']): string {
  return standard_name || ((options as { readonly checklist?: { readonly id: string } }).checklist?.id ?? '');
}

/** Runs before one of the chosen ones, of the same kind and subject. */
const earlierOf = (runs: readonly Api['Analysis'][], ids: readonly string[]): Api['Analysis'][] =>
  runs.filter((run) =>
    runs.some(
      (one) =>
        ids.includes(one.id) &&
        one.type === run.type &&
        subjectOf(one) === subjectOf(run) &&
        run.created_at < one.created_at,
    ),
  );

function toggled<Item>(before: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(before);
  if (!next.delete(item)) next.add(item);
  return next;
}

function Form({
  workspace,
  runs,
  nameOf,
  first,
  onClose,
}: {
  readonly workspace: string;
  readonly runs: readonly Api['Analysis'][];
  /** Of what a run is about. */
  readonly nameOf: (run: Api['Analysis']) => string;
  readonly first: string;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const { language: own } = useLook();
  const asked = runs.find(({ id }) => id === first);
  const [type, setType] = useState<Type>(asked?.type ?? 'full');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() =>
    asked ? new Set([asked.id]) : newestOf(runs),
  );
  const [formats, setFormats] = useState<ReadonlySet<Format>>(new Set(['pdf']));
  const [isPreviewed, openPreview] = useState(false);
  const [language, setLanguage] = useState<Language>(own);
  const [failOn, setFailOn] = useState<Api['Report']['options']['fail_on']>('high');
  const [title, setTitle] = useState('');
  const shown = runs.filter((run) => type === 'full' || run.type === type);
  const ids = shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const [chosenParts, chooseParts] = useState<Choices>(EVERYTHING);
  const earlier = earlierOf(runs, ids);
  const choices = earlier.some(({ id }) => id === chosenParts.since)
    ? chosenParts
    : { ...chosenParts, since: '' };
  const options = optionsOf(choices);
  const facts = factsOf(choices);
  const missing = lacking(choices);
  const make = useMutation({
    // A format that was made is not made again when another one fails.
    mutationFn: async () => {
      for (const format of formats) {
        await take(
          api.POST('/reports', {
            body: {
              workspace_id: workspace,
              type,
              format,
              analysis_ids: ids,
              options: { language, fail_on: failOn, ...options, ...(facts.length > 0 && { cover: facts }) },
              ...(title.trim() && { title: title.trim() }),
            },
          }),
        );
        setFormats((before) => toggled(before, format));
      }
    },
    onSuccess: () => {
      toast(say('made'));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['reports', workspace] }),
  });
  const isReady = ids.length > 0 && ids.length <= MOST && !missing;
  const preview = new URLSearchParams({
    workspace_id: workspace,
    type,
    analysis_ids: ids.join(','),
    language,
    ...(title.trim() && { title: title.trim() }),
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)])),
    ...(facts.length > 0 && { cover: JSON.stringify(facts) }),
  });
  return (
    <form
      className="form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <div className="form-columns">
        <Field label={say('type')}>
          <select className="input" value={type} onChange={(event) => setType(event.target.value as Type)}>
            {TYPES.map((one) => (
              <option
                key={one}
                value={one}
                disabled={one !== 'full' && !runs.some((run) => run.type === one)}
              >
                {one === 'full' ? say('full') : common.named('analysis', one)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={say('language')}>
          <select
            className="input"
            value={language}
            onChange={(event) => setLanguage(event.target.value as Language)}
          >
            <option value="en">{say('language_en')}</option>
            <option value="de">{say('language_de')}</option>
          </select>
        </Field>
        {formats.has('junit') && (
          <Field label={say('fail_on')}>
            <select
              className="input"
              value={failOn}
              onChange={(event) => setFailOn(event.target.value as typeof failOn)}
            >
              {SEVERITIES.map((one) => (
                <option key={one} value={one}>
                  {common(`severity_${one}`)}
                </option>
              ))}
            </select>
          </Field>
        )}
      </div>
      <fieldset className="field">
        <legend className="field-label report-legend">{say('formats')}</legend>
        <div className="report-formats">
          {FORMATS.map((one) => (
            <label key={one} className="check">
              <input
                type="checkbox"
                checked={formats.has(one)}
                onChange={() => setFormats((before) => toggled(before, one))}
              />
              <span>{say(`format_${one}`)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className="field">
        <legend className="field-label report-legend">{say('scope')}</legend>
        <div className="report-runs">
          {shown.map((run) => (
            <label key={run.id} className="check">
              <input
                type="checkbox"
                checked={chosen.has(run.id)}
                onChange={() => setChosen((before) => toggled(before, run.id))}
              />
              <span>
                {common.named('analysis', run.type)}
                {nameOf(run) && (
                  <>
                    {' – '}
                    <bdi>{nameOf(run)}</bdi>
                  </>
                )}
                <span className="field-hint">
                  {dateAndTime(run.finished_at ?? run.created_at, say.language)} ·{' '}
                  {say.count('documents', run.work_products.length)}
                </span>
              </span>
            </label>
          ))}
        </div>
        <p className="field-hint" role="status">
          {ids.length > MOST ? say('too_many', { most: MOST }) : say.count('chosen', ids.length)}
        </p>
      </fieldset>
      <Field label={say('title')} hint={say('title_hint')}>
        <Input
          value={title}
          maxLength={300}
          autoComplete="off"
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      <ChoicesFields
        of={choices}
        earlier={earlier}
        nameOf={nameOf}
        onChange={(change) => chooseParts({ ...choices, ...change })}
      />
      <p className="field-hint" role="status">
        {missing && say(missing)}
      </p>
      <p className="field-hint">{say('words')}</p>
      {make.error && <Failure error={make.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button disabled={!isReady} onClick={() => openPreview(true)}>
          {say('preview')}
        </Button>
        <Button kind="primary" type="submit" disabled={make.isPending || !isReady || formats.size === 0}>
          {say('make_it')}
        </Button>
      </div>
      {isPreviewed && (
        <Dialog className="preview" title={say('preview')} onClose={() => openPreview(false)}>
          <iframe
            className="preview-frame"
            sandbox=""
            title={say('preview')}
            src={`/api/v1/reports/preview?${preview}`}
          />
        </Dialog>
      )}
    </form>
  );
}
