import { answer, expectAnswer, type Probe } from './probe.js';
import { type Ground, idOf, literal, resolve } from './sample-rows.js';
import { loadConstraints, loadSamples, type Value } from './stated/statements.js';

const REPLICA = 'set local session_replication_role = replica';
const assignments = (values: Readonly<Record<string, Value>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${literal(resolve(value, 'own'))}`)
    .join(', ');
const at = (ground: Ground, table: string): string => `ctid = ${literal(ground.sample(table, 'own').ctid)}`;

/** Past every trigger, so that nothing but the check stands against it. */
const checkProbes = (): readonly Probe[] =>
  Object.entries(loadConstraints().checks).map(([name, { table, set }]) => ({
    about: table,
    name,
    run: async (ground) =>
      expectAnswer(
        await answer(
          ground,
          { before: REPLICA },
          `update ${table} set ${assignments(set)} where ${at(ground, table)}`,
        ),
        `refused by ${name}`,
      ),
  }));

/** Without the other foreign keys, the checks and the triggers of the table, so that this one stands alone. */
const foreignKeyProbes = (): readonly Probe[] =>
  Object.entries(loadConstraints().foreign_keys).map(([name, { table, columns, given }]) => ({
    about: table,
    name,
    run: async (ground) => {
      const alone = `set constraints all immediate;
        alter table ${table} disable trigger user;
        do $$ declare other record; begin
          for other in select conrelid::regclass as owner, conname from pg_constraint
            where ((contype = 'f' and ${literal(table)}::regclass in (conrelid, confrelid))
              or (contype = 'c' and ${literal(table)}::regclass = conrelid)) and conname <> ${literal(name)}
          loop execute format('alter table %s drop constraint %I', other.owner, other.conname); end loop;
        end $$`;
      const changes = columns
        .filter((column) => columns.length === 1 || column !== 'workspace_id')
        .map((column) =>
          columns.length === 1
            ? `${column} = ${literal(idOf('nothing', 'foreign'))}`
            : `${column} = coalesce(
                (select ${column} from ${table} where ctid = ${literal(ground.sample(table, 'foreign').ctid)}),
                ${literal(resolve(loadSamples().columns[column] ?? null, 'foreign'))})`,
        );
      if (Object.keys(given).length > 0) changes.push(assignments(given));
      expectAnswer(
        await answer(
          ground,
          { before: alone },
          `update ${table} set ${changes.join(', ')} where ${at(ground, table)}`,
        ),
        `refused by ${name}`,
      );
    },
  }));

const OTHERS: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  integer: '1000',
  bigint: '1000',
  text: "'another'",
};

const uniqueProbes = (): readonly Probe[] =>
  Object.entries(loadConstraints().unique).map(([name, { table, other, given }]) => ({
    about: table,
    name,
    run: async (ground) => {
      const copied = (ground.columns.get(table) ?? []).filter(({ generated }) => !generated);
      const values = copied.map(({ name: column, type }) =>
        other.includes(column) ? (OTHERS[type] ?? 'null') : column,
      );
      const before = [REPLICA];
      let here = at(ground, table);
      if (Object.keys(given).length > 0) {
        before.push(`update ${table} set ${assignments(given)} where ${here}`);
        here = Object.entries(given)
          .map(([column, value]) => `${column} is not distinct from ${literal(resolve(value, 'own'))}`)
          .join(' and ');
      }
      expectAnswer(
        await answer(
          ground,
          { before: before.join('; ') },
          `insert into ${table} (${copied.map(({ name: column }) => column).join(', ')}) overriding system value
           select ${values.join(', ')} from ${table} where ${here}`,
        ),
        `refused by ${name}`,
      );
    },
  }));

/** Every statement of `constraints.yaml`, tried. */
export const constraintProbes = (): readonly Probe[] => [
  ...checkProbes(),
  ...foreignKeyProbes(),
  ...uniqueProbes(),
];
