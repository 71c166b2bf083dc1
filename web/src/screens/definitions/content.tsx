import type { Api } from '../../api/client.ts';
import { Panel } from '../../parts/panel.tsx';
import { SeverityLabel } from '../../parts/severity.tsx';
import { useWords } from './use-words.ts';

/** What a checklist asks, and who answers it: a rule, or a person. */
export function ChecklistContent({ of }: { readonly of: Api['ChecklistDetail'] }) {
  const say = useWords();
  return (
    <Panel title={say('asks')}>
      <ol className="definition-items">
        {of.items.map(({ id, text, refs, severity, automation, status, claimed }) => (
          <li key={id}>
            <span className="mono">{id}</span> <bdi>{(say.language === 'de' && text.de) || text.en}</bdi>
            <div className="record-facts">
              <SeverityLabel of={severity} />
              <span>{say(`automation_${automation}`)}</span>
              {refs.length > 0 && <bdi>{refs.join(', ')}</bdi>}
              {status === 'withdrawn' && <span>{say('withdrawn')}</span>}
              {claimed && (
                <bdi>{say('claimed', { result: claimed.result, remark: claimed.remark ?? '' })}</bdi>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** What a template expects of a document. */
export function TemplateContent({ of }: { readonly of: Api['TemplateDetail'] }) {
  const say = useWords();
  return (
    <Panel title={say('expects')}>
      <ul className="definition-items">
        {of.sections.map(({ key, heading, synonyms, need, condition, severity, critical }) => (
          <li key={key}>
            <bdi>{say.language === 'de' ? heading.de : heading.en}</bdi>
            <div className="record-facts">
              <span>{say('section')}</span>
              <SeverityLabel of={severity} />
              <span>{say(`need_${need}`)}</span>
              {condition && <bdi>{condition}</bdi>}
              {critical && <span>{say('critical_section')}</span>}
              {synonyms.length > 0 && <bdi>{synonyms.join(', ')}</bdi>}
            </div>
          </li>
        ))}
        {of.tables.map(({ key, title, min_rows, columns }) => (
          <li key={key}>
            <bdi>{title}</bdi>
            <div className="record-facts">
              <span>{say.count('rows', min_rows)}</span>
              <bdi>
                {columns
                  .map(({ names: [name = ''], required }) => (required ? name : `(${name})`))
                  .join(', ')}
              </bdi>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
