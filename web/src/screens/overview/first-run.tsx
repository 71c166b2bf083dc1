import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useInstallation, useMay } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/states.tsx';
import { percent } from '../../words/moments.ts';
import { analyseAll, type Doing, suggestionFor, trySamples } from './to-first-finding.ts';
import { useWords } from './use-words.ts';

/** Standards that most begin with; the library has the others. */
const OFFERED = ['iso-26262-3-2018', 'aspice-pam-4.0', 'iso-sae-21434-2021'];

/** Until the first run is done: three steps that tick themselves, or the sample documents. */
export function FirstRun({ data }: { readonly data: Api['AnalysisOverview'] }) {
  const say = useWords();
  const workspace = data.workspace_id;
  const client = useQueryClient();
  const [, go] = useLocation();
  const may = useMay(workspace);
  const { data: installation } = useInstallation();
  const [doing, tell] = useState<Doing>();
  const run = useMutation({
    mutationFn: async (isSample: boolean) => {
      if (isSample) return trySamples(workspace, installation!.uploads, tell);
      return analyseAll(workspace, tell);
    },
    onSuccess: (gap) => {
      void client.invalidateQueries();
      // Whoever went elsewhere meanwhile is left in peace.
      if (location.pathname !== `/w/${workspace}`) return;
      go(gap ? `/w/${workspace}/gaps/${gap}` : `/w/${workspace}/gaps`);
    },
    onSettled: () => tell(undefined),
  });
  const standards = data.standards.length;
  const documents = data.work_products.total;
  const usual = useQuery({
    queryKey: ['suggestion', workspace, data.work_products.by_status],
    enabled: documents > 0 && standards === 0,
    queryFn: () => suggestionFor(workspace),
  }).data?.standards.map(({ short_name }) => short_name);
  const mayAnalyse = may('analyses.start') && may('work-products.write');
  const standardText = () => {
    if (standards > 0) return say.count('step_standard_done', standards);
    return usual && usual.length > 0
      ? say('step_standard_usual', { standards: new Intl.ListFormat(say.language).format(usual) })
      : say('step_standard_text');
  };
  return (
    <section className="first-run">
      <h2>{say('first_title')}</h2>
      <p>{say('first_text')}</p>
      {run.error && <Failure error={run.error} />}
      {doing ? (
        <Progress doing={doing} />
      ) : (
        <>
          {documents === 0 && installation?.features.demo_workspace && mayAnalyse && (
            <div className="panel first-samples">
              <p>{say('samples_text')}</p>
              <Button kind="primary" onClick={() => run.mutate(true)}>
                {say('samples')}
              </Button>
            </div>
          )}
          <ol className="first-steps">
            <Step
              isDone={documents > 0}
              title={say('step_documents')}
              text={documents > 0 ? say.count('step_documents_done', documents) : say('step_documents_text')}
            >
              <Link className="button" href={`/w/${workspace}/documents`}>
                {say('add_documents')}
              </Link>
            </Step>
            <Step isDone={standards > 0} title={say('step_standard')} text={standardText()}>
              {standards === 0 && !usual?.length && may('standards.write') && (
                <Offered workspace={workspace} />
              )}
              <Link className="button" href={`/w/${workspace}/standards/library`}>
                {say('library')}
              </Link>
            </Step>
            <Step isDone={false} title={say('step_analyse')} text={say('step_analyse_text')}>
              {mayAnalyse && (
                <Button
                  kind={documents > 0 ? 'primary' : 'normal'}
                  disabled={documents === 0}
                  onClick={() => run.mutate(false)}
                >
                  {say('analyse')}
                </Button>
              )}
            </Step>
          </ol>
        </>
      )}
    </section>
  );
}

function Step({
  isDone,
  title,
  text,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="panel first-step" data-done={isDone || undefined}>
      <h3>
        {isDone && <Icon name="done" />} {title}
      </h3>
      <p>{text}</p>
      <div className="first-actions">{children}</div>
    </li>
  );
}

function Offered({ workspace }: { readonly workspace: string }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['catalog', 'offered'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      take(api.GET('/standards/common', { params: { query: { limit: 100 } }, signal })),
  });
  const adopt = useMutation({
    mutationFn: (catalog_id: string) =>
      take(api.POST('/standards', { body: { workspace_id: workspace, catalog_id } })),
    onSuccess: () => {
      for (const what of ['overview', 'standards']) {
        void client.invalidateQueries({ queryKey: [what, workspace] });
      }
    },
  });
  return (
    <>
      {OFFERED.flatMap((id) => data?.items.find((one) => one.id === id) ?? []).map((standard) => (
        <Button
          key={standard.id}
          disabled={adopt.isPending}
          title={standard.title}
          onClick={() => adopt.mutate(standard.id)}
        >
          <bdi>{standard.short_name}</bdi>
        </Button>
      ))}
      {adopt.error && <Failure error={adopt.error} />}
    </>
  );
}

function Progress({ doing }: { readonly doing: Doing }) {
  const say = useWords();
  const [share, words] = ((): readonly [share: number, words: string] => {
    switch (doing.what) {
      case 'standard':
        return [3, say('doing_standard')];
      case 'open':
        return [100, say('doing_open')];
      case 'analyse':
        return [
          35 + 0.65 * doing.percent,
          say('doing_analyse', { percent: percent(doing.percent, say.language) }),
        ];
      case 'send':
      case 'read': {
        const { done, total } = doing;
        const part = done / Math.max(total, 1);
        const share = doing.what === 'send' ? 5 + 12 * part : 17 + 18 * part;
        return [share, say(`doing_${doing.what}`, { done, total })];
      }
    }
  })();
  return (
    <div className="panel first-samples" role="status">
      <p>{words}</p>
      <span className="bar">
        <span style={{ width: `${share}%` }} />
      </span>
    </div>
  );
}
