import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { COLUMNS, type Column, GROUPS, type Group, moved, USUAL } from './columns.ts';
import { SORTS, type Sort, type Sorts } from './filters.ts';
import { useWords } from './use-words.ts';

/** Which columns the list has, in which order, and what its rows are grouped by: it changes behind the dialog at once. */
export function ColumnDialog({
  columns,
  group,
  onGroup,
  sorts: [first, then],
  onThen,
  onChange,
  onClose,
}: {
  readonly columns: readonly Column[];
  readonly group: Group | undefined;
  readonly onGroup: (group: Group | '') => void;
  readonly sorts: Sorts;
  readonly onThen: (sort: Sort | '') => void;
  readonly onChange: (columns: readonly Column[]) => void;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const hidden = COLUMNS.filter((name) => !columns.includes(name));
  return (
    <Dialog title={say('columns')} onClose={onClose}>
      <Field label={say('group')}>
        <select
          className="input"
          value={group ?? ''}
          onChange={(event) => onGroup(event.target.value as Group | '')}
        >
          <option value="">{say('group_none')}</option>
          {(Object.keys(GROUPS) as readonly Group[]).map((one) => (
            <option key={one} value={one}>
              {say(`group_${one}`)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={say('then', { first: say.named('sort', first) })}>
        <select
          className="input"
          value={then ?? ''}
          onChange={(event) => onThen(event.target.value as Sort | '')}
        >
          <option value="">{say('then_none')}</option>
          {SORTS.filter((one) => one !== first).map((one) => (
            <option key={one} value={one}>
              {say.named('sort', one)}
            </option>
          ))}
        </select>
      </Field>
      <p className="field-hint">{say('columns_hint')}</p>
      <ul className="column-choice">
        {[...columns, ...hidden].map((name) => {
          const at = columns.indexOf(name);
          const word = say.named('column', name);
          return (
            <li key={name}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={at >= 0}
                  disabled={at >= 0 && columns.length === 1}
                  onChange={() =>
                    onChange(at >= 0 ? columns.filter((one) => one !== name) : [...columns, name])
                  }
                />
                <span>{word}</span>
              </label>
              {at >= 0 && (
                <span className="row">
                  <Button
                    kind="quiet"
                    iconOnly
                    disabled={at === 0}
                    aria-label={say('column_earlier', { name: word })}
                    onClick={() => onChange(moved(columns, name, -1))}
                  >
                    <Icon name="up" />
                  </Button>
                  <Button
                    kind="quiet"
                    iconOnly
                    disabled={at === columns.length - 1}
                    aria-label={say('column_later', { name: word })}
                    onClick={() => onChange(moved(columns, name, 1))}
                  >
                    <Icon name="down" />
                  </Button>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <div className="dialog-actions">
        <Button onClick={() => onChange(USUAL)}>{say('columns_usual')}</Button>
        <Button kind="primary" onClick={onClose}>
          {common('close')}
        </Button>
      </div>
    </Dialog>
  );
}
