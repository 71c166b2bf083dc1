import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { Panel } from '../../parts/panel.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { number, percent } from '../../words/moments.ts';
import { Choice } from './choice.tsx';
import { type ArtifactType, columnsAddress, type Duty, isType } from './types.ts';
import { useWords } from './use-words.ts';

export const useLevels = (workspace: string) =>
  useQuery({
    queryKey: ['trace', workspace, 'levels'],
    queryFn: ({ signal }) =>
      take(api.GET('/traceability/levels', { params: { query: { workspace_id: workspace } }, signal })),
  });

const useObligations = (workspace: string) =>
  useQuery({
    queryKey: ['trace', workspace, 'obligations'],
    queryFn: ({ signal }) =>
      take(api.GET('/traceability/obligations', { params: { query: { workspace_id: workspace } }, signal })),
  });

const DOMAINS = ['safety', 'cybersecurity', 'process'] as const;
type Domain = (typeof DOMAINS)[number];
/** Left leg from the top, of each domain; requirements below the concept belong to several. */
const LEFT: Readonly<Record<Domain, readonly ArtifactType[]>> = {
  safety: [
    'hazardous_event',
    'safety_goal',
    'functional_safety_requirement',
    'technical_safety_requirement',
    'hardware_requirement',
    'software_requirement',
  ],
  cybersecurity: ['cybersecurity_goal', 'cybersecurity_requirement'],
  process: ['technical_safety_requirement', 'hardware_requirement', 'software_requirement'],
};
/** What only stands in a project of the domain. */
const OWN: Readonly<Record<Domain, readonly ArtifactType[]>> = {
  safety: ['hazardous_event', 'safety_goal', 'functional_safety_requirement'],
  cybersecurity: LEFT.cybersecurity,
  process: LEFT.process,
};

/** What a level is called in its domain: engineering processes know requirements of the system, whatever they are for. */
const wordOf = (say: ReturnType<typeof useWords>, domain: Domain, type: ArtifactType): string =>
  domain === 'process' && (type === 'design' || LEFT.process.includes(type))
    ? say(`process_${type as 'design'}`)
    : say(`type_${type}`);

type Levels = Api['TraceLevels'];
type Obligations = Api['TraceObligations'];
type Duties = Obligations['types'][number]['duties'][number];

/** The V: what is demanded goes down on the left, design at the bottom, what shows it up on the right at its level, results outside. */
export function VPicture({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const levels = useLevels(workspace);
  const obligations = useObligations(workspace);
  const [query, set] = useAddress();
  return (
    <Loaded query={levels} lines={8}>
      {(data) => {
        const there = DOMAINS.filter((domain) => data.levels.some(({ type }) => OWN[domain].includes(type)));
        const domain = there.find((one) => one === query.get('domain')) ?? there[0] ?? 'safety';
        return (
          <Panel
            title={say('v_model')}
            aside={
              there.length > 1 ? (
                <Choice
                  label={say('domain')}
                  value={domain}
                  values={there}
                  word={(one) => say(`domain_${one}`)}
                  onChoose={(value) => set({ domain: value })}
                />
              ) : undefined
            }
          >
            <Picture workspace={workspace} levels={data} obligations={obligations.data} domain={domain} />
            <NarrowPicture
              workspace={workspace}
              levels={data}
              obligations={obligations.data}
              domain={domain}
            />
            <DutyTable workspace={workspace} levels={data} obligations={obligations} />
          </Panel>
        );
      }}
    </Loaded>
  );
}

/** What the V says where it does not fit: its levels from the top, each with how far it is refined and verified. */
function NarrowPicture({
  workspace,
  levels: { levels },
  obligations,
  domain,
}: {
  readonly workspace: string;
  readonly levels: Levels;
  readonly obligations: Obligations | undefined;
  readonly domain: Domain;
}) {
  const say = useWords();
  const countOf = new Map(levels.map(({ type, count }) => [type, count]));
  const types = [...LEFT[domain], 'design', 'test', 'evidence'] as const;
  return (
    <ul className="v-narrow" aria-label={say('v_model')}>
      {types
        .filter((type) => countOf.has(type))
        .map((type) => (
          <li key={type}>
            <Link href={`/w/${workspace}/trace/artifacts?type=${type}`}>
              {wordOf(say, domain, type)} <strong>{number(countOf.get(type) ?? 0, say.language)}</strong>
            </Link>
            {(obligations?.types.find((one) => one.type === type)?.duties ?? [])
              .filter(({ duty }) => duty !== 'upstream')
              .map(({ duty, owed, met, percentage }) => (
                <Link
                  key={duty}
                  className="v-narrow-duty"
                  href={columnsAddress(workspace, type, met < owed ? duty : undefined)}
                >
                  <span>{say(`metric_${duty}`)}</span>
                  <meter min={0} max={owed} value={met} aria-hidden="true" />
                  <span>
                    {percent(percentage ?? 0, say.language)}
                    {owed > met && ` · ${say('missing_of', { count: number(owed - met, say.language) })}`}
                  </span>
                </Link>
              ))}
          </li>
        ))}
    </ul>
  );
}

const ROW = 78;
const BOX = { width: 280, height: 46 };
const PICTURE = 1100;
/** How far each level stands further in than the one above. */
const INDENT = 34;

function Picture({
  workspace,
  levels,
  obligations,
  domain,
}: {
  readonly workspace: string;
  readonly levels: Levels;
  readonly obligations: Obligations | undefined;
  readonly domain: Domain;
}) {
  const say = useWords();
  const levelOf = new Map(levels.levels.map((one) => [one.type, one]));
  const left = LEFT[domain].filter((type) => levelOf.has(type));
  const bottom = levelOf.get('design');
  const tests = levelOf.get('test');
  const results = levelOf.get('evidence');
  const dutyOf = (type: ArtifactType, duty: Duty): Duties | undefined =>
    obligations?.types.find((one) => one.type === type)?.duties.find((one) => one.duty === duty);
  const rows = left.length + (bottom ? 1 : 0);
  const height = Math.max(2, rows) * ROW + 10;
  const x = (depth: number): number => Math.min(depth, 6) * INDENT;
  const y = (depth: number): number => depth * ROW + 5;
  const rightX = 620;
  const resultX = PICTURE - 182;
  const most = Math.max(
    1,
    ...(obligations?.types.flatMap(({ duties }) => duties.map(({ owed }) => owed)) ?? []),
  );
  const verified = (type: ArtifactType): number =>
    levels.paths.find(
      ({ from, to, link_type }) => from === type && to === 'test' && link_type === 'verified_by',
    )?.targets ?? 0;
  const linksOf = (type: ArtifactType, other: ArtifactType): number =>
    levels.paths
      .filter(({ from, to }) => (from === type && to === other) || (to === type && from === other))
      .reduce((sum, { links }) => sum + links, 0);
  const suspectOf = (type: ArtifactType, other: readonly ArtifactType[]): number =>
    levels.paths
      .filter(
        ({ from, to }) => (from === type && other.includes(to)) || (to === type && other.includes(from)),
      )
      .reduce((sum, { suspect }) => sum + suspect, 0);
  return (
    <figure className="v-figure" aria-label={say('v_model')}>
      <svg
        className="v-picture"
        viewBox={`0 0 ${PICTURE} ${height}`}
        role="group"
        aria-label={say('v_model')}
      >
        <defs>
          <pattern
            id="v-hatch"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line x1="0" y1="0" x2="0" y2="6" className="v-hatch" />
          </pattern>
        </defs>
        {left.map((type, depth) => {
          const level = levelOf.get(type)!;
          const down = dutyOf(type, 'downstream');
          const test = dutyOf(type, 'verification');
          const lower = left[depth + 1] ?? (bottom ? 'design' : undefined);
          const atTests = verified(type);
          return (
            <g key={type}>
              {lower && (down || linksOf(type, lower) > 0) && (
                <Way
                  workspace={workspace}
                  type={type}
                  duty={down}
                  links={linksOf(type, lower)}
                  most={most}
                  suspect={suspectOf(type, [...left.slice(depth + 1), 'design'])}
                  from={[x(depth) + 40, y(depth) + BOX.height]}
                  to={[x(depth) + 40, y(depth + 1)]}
                />
              )}
              {(test || atTests > 0) && tests && (
                <Way
                  workspace={workspace}
                  type={type}
                  duty={test}
                  most={most}
                  suspect={suspectOf(type, ['test'])}
                  from={[x(depth) + BOX.width, y(depth) + BOX.height / 2]}
                  to={[rightX + x(Math.max(0, 4 - depth)) / 2, y(depth) + BOX.height / 2]}
                />
              )}
              <Box
                href={`/w/${workspace}/trace/artifacts?type=${type}`}
                at={[x(depth), y(depth)]}
                word={wordOf(say, domain, type)}
                count={level.count}
                integrity={level.by_integrity}
                unlinked={level.unlinked}
              />
              {tests && (test || atTests > 0) && (
                <Box
                  href={`/w/${workspace}/trace/grid?rows=${type}&columns=test&only=linked`}
                  at={[rightX + x(Math.max(0, 4 - depth)) / 2, y(depth)]}
                  word={
                    domain === 'process'
                      ? say(`process_tests_${type as 'software_requirement'}`)
                      : say('tests_of_level')
                  }
                  count={atTests}
                  isSmall
                />
              )}
            </g>
          );
        })}
        {bottom && (
          <Box
            href={`/w/${workspace}/trace/artifacts?type=design`}
            at={[x(left.length), y(left.length)]}
            word={wordOf(say, domain, 'design')}
            count={bottom.count}
            integrity={bottom.by_integrity}
            unlinked={bottom.unlinked}
          />
        )}
        {tests && (
          <Box
            href={`/w/${workspace}/trace/artifacts?type=test`}
            at={[rightX, y(Math.max(1, rows - 1))]}
            word={say('all_tests')}
            count={tests.count}
            unlinked={tests.unlinked}
            isSmall
          />
        )}
        {tests && (
          <Way
            workspace={workspace}
            type="test"
            duty={dutyOf('test', 'evidence')}
            most={most}
            suspect={suspectOf('test', ['evidence'])}
            from={[rightX + 180, y(Math.max(1, rows - 1)) + BOX.height / 2]}
            to={[resultX, y(Math.max(1, rows - 1)) + BOX.height / 2]}
          />
        )}
        {tests && (
          <Box
            href={`/w/${workspace}/trace/artifacts?type=evidence`}
            at={[resultX, y(Math.max(1, rows - 1))]}
            word={say('type_evidence')}
            count={results?.count ?? 0}
            unlinked={results?.unlinked ?? 0}
            isSmall
          />
        )}
      </svg>
      <figcaption className="small">{say('v_legend')}</figcaption>
    </figure>
  );
}

type Point = readonly [x: number, y: number];

/** A level with its count; leads to its artifacts. */
function Box({
  href,
  at: [x, y],
  word,
  count,
  integrity = {},
  unlinked = 0,
  isSmall,
}: {
  readonly href: string;
  readonly at: Point;
  readonly word: string;
  readonly count: number;
  readonly integrity?: Readonly<Record<string, number>>;
  readonly unlinked?: number;
  readonly isSmall?: true;
}) {
  const say = useWords();
  const width = isSmall ? 180 : BOX.width;
  const levels = Object.entries(integrity)
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([level, of]) => `${level} ${number(of, say.language)}`);
  const about = [...levels, ...(unlinked > 0 ? [say.count('unlinked', unlinked)] : [])].join(' · ');
  return (
    <Link href={href} className="v-box">
      <rect x={x} y={y} width={width} height={BOX.height} rx="6" />
      <text x={x + 10} y={y + 19}>
        {word} <tspan className="v-count">{number(count, say.language)}</tspan>
      </text>
      <text x={x + 10} y={y + 37} className="v-small">
        {about.length > 44 ? `${about.slice(0, 43)}…` : about}
      </text>
    </Link>
  );
}

/** What goes from one level to the next: as wide as it is owed, filled as far as it is met, hatched where it is suspect. */
function Way({
  workspace,
  type,
  duty,
  links = 0,
  most,
  suspect,
  from,
  to,
}: {
  readonly workspace: string;
  readonly type: ArtifactType;
  readonly duty: Duties | undefined;
  /** What is told where nothing is owed. */
  readonly links?: number;
  readonly most: number;
  readonly suspect: number;
  readonly from: Point;
  readonly to: Point;
}) {
  const say = useWords();
  const isDown = from[0] === to[0];
  const wide = duty ? 6 + 12 * Math.sqrt(duty.owed / most) : 4;
  const length = isDown ? to[1] - from[1] : to[0] - from[0];
  const share = duty && duty.owed > 0 ? duty.met / duty.owed : 0;
  const part = (start: number, end: number, className: string) => (
    <rect
      className={className}
      x={isDown ? from[0] - wide / 2 : from[0] + start * length}
      y={isDown ? from[1] + start * length : from[1] - wide / 2}
      width={isDown ? wide : Math.max(0, (end - start) * length)}
      height={isDown ? Math.max(0, (end - start) * length) : wide}
    />
  );
  const label = duty
    ? `${percent(duty.percentage ?? 0, say.language)}${duty.owed > duty.met ? ` · ${say('missing_of', { count: number(duty.owed - duty.met, say.language) })}` : ''}`
    : links > 0
      ? say.count('link_count', links)
      : '';
  const words = [
    say(`type_${type}`),
    duty && `${say(`metric_${duty.duty}`)}: ${say('share', { numerator: duty.met, denominator: duty.owed })}`,
    !duty && label,
    suspect > 0 && say.count('suspect_links', suspect),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <Link
      className="v-way"
      href={
        duty
          ? columnsAddress(workspace, type, duty.met < duty.owed ? duty.duty : undefined)
          : columnsAddress(workspace, type)
      }
    >
      <title>{words}</title>
      {part(0, 1, duty ? 'v-missing' : 'v-plain')}
      {share > 0 && part(0, share, 'v-met')}
      {suspect > 0 && part(0, Math.max(share, 0.15), 'v-suspect')}
      <text
        x={isDown ? from[0] + wide / 2 + 6 : from[0] + length / 2}
        y={isDown ? from[1] + length / 2 + 4 : from[1] - wide / 2 - 4}
        textAnchor={isDown ? 'start' : 'middle'}
        className="v-share"
      >
        {label}
        {suspect > 0 && ` · ${say.count('suspect_links', suspect)}`}
      </text>
    </Link>
  );
}

/** The same in numbers: by type and obligation, by integrity level, and what goes between types. */
function DutyTable({
  workspace,
  levels,
  obligations,
}: {
  readonly workspace: string;
  readonly levels: Levels;
  readonly obligations: ReturnType<typeof useObligations>;
}) {
  const say = useWords();
  return (
    <details className="v-tables">
      <summary>{say('as_table')}</summary>
      <Loaded query={obligations} lines={3}>
        {({ types }) => {
          const integrities = [
            ...new Set(types.flatMap(({ duties }) => duties.flatMap((one) => Object.keys(one.by_integrity)))),
          ].sort();
          return (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
            <section className="list-scroll" tabIndex={0} aria-label={say('metric')}>
              <table className="list">
                <thead>
                  <tr>
                    <th scope="col">{say('type')}</th>
                    <th scope="col">{say('metric')}</th>
                    <th scope="col" className="number">
                      {say('all_levels')}
                    </th>
                    {integrities.map((one) => (
                      <th key={one} scope="col" className="number">
                        {one === 'none' ? say('no_level') : one}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {types.flatMap(({ type, duties }) =>
                    duties.map((one) => (
                      <tr key={`${type} ${one.duty}`}>
                        <td>
                          <Link href={`/w/${workspace}/trace/artifacts?type=${type}`}>
                            {say(`type_${type}`)}
                          </Link>
                        </td>
                        <td>
                          <Link href={columnsAddress(workspace, type, one.duty)}>
                            {say(`metric_${one.duty}`)}
                          </Link>
                        </td>
                        <td className="number">
                          {say('share', { numerator: one.met, denominator: one.owed })}
                        </td>
                        {integrities.map((level) => {
                          const of = one.by_integrity[level];
                          return (
                            <td key={level} className="number">
                              {of ? say('share', { numerator: of.met, denominator: of.owed }) : '–'}
                            </td>
                          );
                        })}
                      </tr>
                    )),
                  )}
                </tbody>
              </table>
            </section>
          );
        }}
      </Loaded>
      <h3>{say('path')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className="list-scroll" tabIndex={0} aria-label={say('path')}>
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{say('path')}</th>
              {(['path_links', 'path_suspect', 'path_assumed'] as const).map((word) => (
                <th key={word} scope="col" className="number">
                  {say(word)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {levels.paths.map((path) => (
              <tr key={`${path.from} ${path.link_type} ${path.to}`}>
                <td>
                  {isType(path.from) && isType(path.to) ? (
                    <Link
                      href={`/w/${workspace}/trace/grid?rows=${path.from}&columns=${path.to}&only=linked`}
                    >
                      {said(path, say)}
                    </Link>
                  ) : (
                    said(path, say)
                  )}
                </td>
                <td className="number">{number(path.links, say.language)}</td>
                <td className="number">{number(path.suspect, say.language)}</td>
                <td className="number">{number(path.assumed, say.language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {levels.dangling > 0 && <p className="small">{say.count('dangling', levels.dangling)}</p>}
    </details>
  );
}

const said = (path: Levels['paths'][number], say: ReturnType<typeof useWords>): string =>
  say('link_said', {
    source: say.named('type', path.from),
    type: say.named('link', path.link_type),
    target: say.named('type', path.to),
  });
