import { ApiFailure } from '../api/client.ts';
import { Button } from './button.tsx';
import { useCommonWords } from './use-words.ts';

/** Whether somebody else changed the thing since it was read. */
export const isConflict = (error: unknown): boolean => error instanceof ApiFailure && error.status === 412;

/** What differs between one's own change and that of somebody else, and which of them is to be. */
export function Conflict({
  fields,
  onMine,
  onTheirs,
}: {
  readonly fields: readonly { readonly label: string; readonly mine: string; readonly theirs: string }[];
  /** Writes one's own over it. */
  readonly onMine: () => void;
  /** Takes what is there now. */
  readonly onTheirs: () => void;
}) {
  const say = useCommonWords();
  const differing = fields.filter(({ mine, theirs }) => mine !== theirs);
  return (
    <div className="notice conflict" data-kind="warning" role="alert">
      <div className="notice-text">
        <strong>{say('conflict')}</strong>
        {differing.length === 0 ? (
          <p>{say('conflict_same')}</p>
        ) : (
          <table>
            <thead>
              <tr>
                <td />
                <th scope="col">{say('mine')}</th>
                <th scope="col">{say('theirs')}</th>
              </tr>
            </thead>
            <tbody>
              {differing.map(({ label, mine, theirs }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>
                    <bdi>{mine || '–'}</bdi>
                  </td>
                  <td>
                    <bdi>{theirs || '–'}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <div className="row">
          <Button onClick={onTheirs}>{say('take_theirs')}</Button>
          <Button kind="primary" onClick={onMine}>
            {say('take_mine')}
          </Button>
        </div>
      </div>
    </div>
  );
}
