import type { Artifact } from '../../../facts/artifacts/artifact.js';
import type { TraceLink } from '../../../facts/artifacts/trace-link.js';

/*
 * The rules of traceability once more, for small graphs: maps of strings, searches that start anew for every question,
 * fixed points by repetition. Slow and plain on purpose, and without a line of the engine.
 */

export interface OracleOptions {
  readonly workspaceId?: string;
  readonly indirectVerification?: 'downgrade' | 'accept' | 'ignore';
  readonly requireDesignTest?: boolean;
  readonly configuration?: string;
  readonly externalPrefixes?: readonly string[];
}

export interface OracleAnswer {
  /** `type kind artifact severity missing`, sorted. */
  readonly gaps: readonly string[];
  /** `name numerator/denominator`. */
  readonly coverage: readonly string[];
  /** Ids reached going down, without itself. */
  below(id: string): ReadonlySet<string>;
}

interface Level {
  readonly scheme: 'asil' | 'cal';
  readonly own: number;
  readonly original: number | undefined;
}

const LETTERS = ['QM', 'A', 'B', 'C', 'D'];
const UNCLEAR = 'unclear';

function readLevel(written: string | undefined): Level | undefined | typeof UNCLEAR {
  if (written === undefined || written === '' || written === '-') return undefined;
  const [own, original] = written.replace('ASIL ', '').replace(')', '').split('(');
  if (!LETTERS.includes(own!)) return UNCLEAR;
  return {
    scheme: 'asil',
    own: LETTERS.indexOf(own!),
    original: original === undefined ? undefined : LETTERS.indexOf(original),
  };
}

function gradeLevel(level: Level | undefined): number {
  if (!level) return 2;
  if (level.original === undefined) return level.own;
  return level.own === 0 ? 1 : level.original;
}

function higher(a: Level | undefined, b: Level | undefined): Level | undefined {
  if (!a || !b) return a ?? b;
  const height = (level: Level) => [
    gradeLevel(level),
    level.own,
    level.original === undefined ? 1 : 0,
    level.scheme === 'asil' ? 1 : 0,
  ];
  const [x, y] = [height(a), height(b)];
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! > y[i]! ? a : b;
  return a;
}

const same = (a: Level, b: Level) => a.scheme === b.scheme && a.own === b.own && a.original === b.original;

const L = 'low';
const M = 'medium';
const H = 'high';
const C = 'critical';
const SEVERITY: Record<string, readonly (string | undefined)[]> = {
  no_parent: [L, M, M, H, H],
  no_requirement: [L, L, L, M, M],
  test_without_requirement: [L, L, L, L, L],
  evidence_without_source: [L, L, L, L, L],
  no_fsr: [L, H, H, C, C],
  not_refined_nor_allocated: [L, M, M, H, H],
  none: [L, M, H, C, C],
  no_validation: [L, M, H, C, C],
  indirect_only: [L, L, M, H, H],
  'evidence:none': [L, M, M, H, H],
  inconclusive: [L, M, M, H, H],
  stale: [L, M, M, H, H],
  negative_result: [M, H, H, C, C],
  dangling_target: [L, M, M, H, H],
  obsolete_target: [L, M, M, H, H],
  illegal_pair: [L, M, M, H, H],
  level_skip: [L, M, M, H, H],
  cycle: [L, M, M, H, H],
  chain_gap: [L, M, M, H, H],
  self_link: [M, M, M, M, M],
  'AI-07': [undefined, M, M, H, H],
  'AI-09': [undefined, L, L, L, L],
  'AI-13 conservative': [M, M, M, M, M],
};
for (const rule of ['02', '03', '04', '05', '06', '08', '10', '12', '13', '14', '16']) {
  SEVERITY[`AI-${rule}`] = [L, H, H, C, C];
}
for (const rule of ['01', '11', '15']) SEVERITY[`AI-${rule}`] = [L, M, M, H, H];

const RANK: Record<string, readonly [number, number]> = {
  hazardous_event: [-1, -1],
  safety_goal: [0, 0],
  cybersecurity_goal: [0, 0],
  functional_safety_requirement: [1, 1],
  technical_safety_requirement: [2, 2],
  hardware_requirement: [3, 3],
  software_requirement: [3, 3],
  cybersecurity_requirement: [1, 3],
};
const OWNERS: Record<string, readonly string[]> = {
  hazardous_event: ['hara'],
  safety_goal: ['hara'],
  functional_safety_requirement: ['functional_safety_concept'],
};
const INACTIVE = ['obsolete', 'rejected', 'deleted', 'superseded'];
const VERIFYING = ['review', 'inspection', 'analysis', 'simulation', 'demonstration', 'measurement'];

const isRequirement = (type: string | undefined) => type?.endsWith('_requirement') ?? false;
const isGoal = (type: string | undefined) => type?.endsWith('_goal') ?? false;

export function askOracle(
  given: readonly Artifact[],
  givenLinks: readonly TraceLink[],
  options: OracleOptions,
): OracleAnswer {
  const artifacts = given.filter((one) => one.workspaceId === options.workspaceId);
  const links = givenLinks.filter((one) => one.workspaceId === options.workspaceId);
  const gaps: { type: string; kind: string; id: string; severity: string; missing: string }[] = [];

  // Artifacts: the same id is the same artifact.
  const all = new Map<string, Artifact>();
  const stated = new Map<string, Level | undefined>();
  const unclear = new Set<string>();
  const twoLevels = new Map<string, number>();
  const levelOfOne = (one: Artifact, cybersecurity: boolean) => {
    const asil = readLevel(one.asil);
    const cal: Level | undefined =
      one.cal === undefined ? undefined : { scheme: 'cal', own: one.cal, original: undefined };
    return cal && (cybersecurity || asil === undefined || asil === UNCLEAR) ? cal : asil;
  };
  for (const { id } of artifacts) {
    if (all.has(id)) continue;
    const statements = artifacts.filter((one) => one.id === id);
    const owned = (one: Artifact) => (OWNERS[one.type] ?? []).includes(one.documentType ?? '');
    const version = (one: Artifact) => (one.version === undefined ? -1 : Number(one.version));
    const candidates = statements.some(owned) ? statements.filter(owned) : statements;
    // Owner first; then the highest version; then the first.
    const newest = Math.max(...candidates.map(version));
    const kept = candidates.find((one) => version(one) === newest)!;
    all.set(id, kept);
    const read = statements.map((one) => levelOfOne(one, kept.type.startsWith('cyber')));
    const levels = read.filter((level): level is Level => level !== undefined && level !== UNCLEAR);
    const best = levels.reduce<Level | undefined>((highest, level) => higher(highest, level), undefined);
    stated.set(id, best);
    if (!best && read.includes(UNCLEAR)) unclear.add(id);
    if (levels.some((level) => !same(level, levels[0]!))) {
      twoLevels.set(id, Math.max(...levels.map(gradeLevel)));
    }
  }
  const rated = new Map<string, { stated: Level | undefined; computed: Level }>();
  for (const [id, { type, ratings }] of all) {
    if (type !== 'hazardous_event' || !ratings) continue;
    const { severity, exposure, controllability } = ratings;
    const sum = severity + exposure + controllability;
    const zero = severity === 0 || exposure === 0 || controllability === 0;
    const computed: Level = { scheme: 'asil', own: zero || sum < 7 ? 0 : sum - 6, original: undefined };
    rated.set(id, { stated: stated.get(id), computed });
    stated.set(id, higher(stated.get(id), computed));
  }
  const outside = new Set<string>();
  const type = (id: string) => all.get(id)?.type;
  const active = (id: string) => !INACTIVE.includes(all.get(id)?.status ?? '');
  const owing = (id: string) => {
    const one = all.get(id);
    return one !== undefined && one.type !== 'unknown' && active(id) && !one.informational && !one.external;
  };
  const resolve = (id: string): string | undefined => {
    if (all.has(id)) return id;
    if (!(options.externalPrefixes ?? []).some((prefix) => id.startsWith(prefix))) return undefined;
    outside.add(id);
    return id;
  };

  // Links: canonical edges.
  interface Edge {
    readonly relation: 'R' | 'A' | 'V' | 'E';
    readonly x: string;
    readonly y: string;
    skip: boolean;
    decomposes: boolean;
  }
  const edges = new Map<string, Edge>();
  const linkGaps = new Map<string, { kind: string; id: string; missing: string }>();
  const parentMissing = new Set<string>();
  const linkGap = (kind: string, id: string, other: string, missing = '') =>
    linkGaps.set(`${kind} ${id} ${other} ${missing}`, { kind, id, missing });
  for (const { sourceId, targetId, type: linkType } of links) {
    const source = resolve(sourceId);
    const target = resolve(targetId);
    const read = (): [Edge['relation'], string, string] => {
      if (linkType === 'decomposes_to') return ['R', targetId, sourceId];
      if (linkType === 'verified_by') return ['V', sourceId, targetId];
      if (linkType === 'evidenced_by') return ['E', sourceId, targetId];
      if (linkType === 'allocated_to' || linkType === 'implemented_by') return ['A', sourceId, targetId];
      let role: string | undefined = type(sourceId);
      if (role === undefined) {
        if (type(targetId) === 'design') role = 'design';
        if (type(targetId) === 'test') role = 'evidence';
      }
      if (role === 'design') return ['A', targetId, sourceId];
      if (role === 'test') return ['V', targetId, sourceId];
      if (role === 'evidence') return ['E', targetId, sourceId];
      return ['R', sourceId, targetId];
    };
    let [relation, x, y] = read();
    if (source === undefined || target === undefined) {
      const existing = source ?? target;
      if (existing === undefined || outside.has(existing) || type(existing) === 'unknown') continue;
      const missing = source === undefined ? sourceId : targetId;
      linkGap('dangling_target', existing, '', missing);
      if (relation === 'R' ? existing === x : existing === y) parentMissing.add(existing);
      continue;
    }
    if (source === target) {
      if (type(source) !== 'unknown' && all.has(source)) linkGap('self_link', source, source);
      continue;
    }
    if (!active(source) && !active(target)) continue;
    if (!active(source) || !active(target)) {
      const [alive, gone] = active(source) ? [source, target] : [target, source];
      if (all.has(alive) && type(alive) !== 'unknown') linkGap('obsolete_target', alive, gone);
      continue;
    }
    if (type(source) === 'unknown' || type(target) === 'unknown') continue;
    if (outside.has(source) && outside.has(target)) continue;
    const rank = (id: string) => RANK[type(id) ?? ''];
    let legal = true;
    let skip = false;
    if (relation === 'R') {
      const refinable = (id: string) => outside.has(id) || rank(id) !== undefined;
      legal = refinable(x) && refinable(y);
      if (legal && rank(x) && rank(y)) {
        if (rank(x)![1] < rank(y)![0]) [x, y] = [y, x];
        skip = rank(x)![0] - rank(y)![1] > 1;
      }
    } else if (relation === 'A') {
      skip = isGoal(type(x));
      legal = skip || outside.has(x) || isRequirement(type(x)) || type(x) === 'design';
      legal &&= outside.has(y) || type(y) === 'design';
    } else if (relation === 'V') {
      legal = outside.has(x) || isGoal(type(x)) || isRequirement(type(x)) || type(x) === 'design';
      legal &&= outside.has(y) || type(y) === 'test';
    } else {
      legal = type(x) !== 'evidence' && (outside.has(y) || type(y) === 'evidence');
    }
    if (!legal) {
      if (all.has(source)) linkGap('illegal_pair', source, target);
      else linkGap('illegal_pair', target, source);
      continue;
    }
    const key = `${relation} ${x} ${y}`;
    const edge = edges.get(key) ?? { relation, x, y, skip: false, decomposes: false };
    edge.skip ||= skip;
    edge.decomposes ||= linkType === 'decomposes_to';
    edges.set(key, edge);
    if (skip) linkGap('level_skip', x, y);
  }

  const everyone = [...all.keys(), ...outside];
  const list = [...edges.values()];
  const out = (relation: string, id: string) => list.filter((e) => e.relation === relation && e.x === id);
  const into = (relation: string, id: string) => list.filter((e) => e.relation === relation && e.y === id);
  const search = (from: string, next: (id: string) => readonly string[]) => {
    const found = new Set<string>();
    const open = [...next(from)];
    while (open.length > 0) {
      const id = open.pop()!;
      if (found.has(id)) continue;
      found.add(id);
      open.push(...next(id));
    }
    return found;
  };
  const ancestors = new Map(
    everyone.map((id) => [id, search(id, (one) => out('R', one).map((e) => e.y))] as const),
  );
  const together = (a: string, b: string) => ancestors.get(a)!.has(b) && ancestors.get(b)!.has(a);
  const looped = (id: string) => ancestors.get(id)!.has(id);
  const parents = (id: string) => out('R', id).filter((e) => !together(id, e.y));
  const children = (id: string) => into('R', id).filter((e) => !together(id, e.x));
  const below = (id: string) =>
    search(id, (one) => [
      ...into('R', one).map((e) => e.x),
      ...['A', 'V', 'E'].flatMap((relation) => out(relation, one).map((e) => e.y)),
    ]);

  // Integrity: stated, else the highest above.
  const integrity = new Map<string, Level | undefined>(stated);
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of everyone) {
      if (stated.get(id)) continue;
      const above = [
        ...out('R', id).map((e) => e.y),
        ...['A', 'V', 'E'].flatMap((relation) => into(relation, id).map((e) => e.x)),
      ];
      const best = above.reduce<Level | undefined>(
        (highest, one) => higher(highest, integrity.get(one)),
        undefined,
      );
      const now = integrity.get(id);
      if (best && (!now || !same(best, now))) {
        integrity.set(id, best);
        changed = true;
      }
    }
  }
  const level = (id: string) => gradeLevel(integrity.get(id));
  const gap = (gapType: string, kind: string, id: string, at: number, missing = '') => {
    let severity = SEVERITY[kind]![at];
    if (severity === undefined) return;
    if (severity === C && all.get(id)?.status === 'draft') severity = H;
    const name = kind.replace('evidence:', '').replace(' conservative', '');
    gaps.push({ type: gapType, kind: name, id, severity, missing });
  };

  // Evidence and verification.
  const verdict = (id: string, counts: (one: Artifact | undefined) => boolean) => {
    const given = out('E', id)
      .map((e) => all.get(e.y))
      .filter(counts);
    const ofOther = (one: Artifact | undefined) =>
      options.configuration !== undefined &&
      one?.configuration !== undefined &&
      one.configuration !== options.configuration;
    const own = given.filter((one) => !ofOther(one));
    const current = own.filter((one) => !one?.stale);
    if (given.length === 0) return 'none';
    if (own.length === 0) return 'stale';
    const pool = current.length > 0 ? current : own;
    const version = (one: Artifact | undefined) => (one?.version === undefined ? -1 : Number(one.version));
    const newest = Math.max(...pool.map(version));
    const counted = pool.filter((one) => version(one) === newest);
    if (counted.some((one) => one?.result === 'fail')) return 'negative_result';
    if (current.length === 0) return 'stale';
    const passed = counted.some(
      (one) => one !== undefined && [undefined, 'pass', 'pass_with_remarks'].includes(one.result),
    );
    return passed ? 'positive' : 'inconclusive';
  };
  const testVerdict = (id: string) => verdict(id, () => true);
  const direct = (id: string) =>
    out('V', id).length > 0 ||
    verdict(id, (one) => one?.kind === undefined || VERIFYING.includes(one.kind)) === 'positive';
  const elementTested = (id: string) => out('A', id).some((e) => out('V', e.y).length > 0);
  const indirect = new Set<string>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of everyone) {
      if (indirect.has(id) || RANK[type(id) ?? ''] === undefined) continue;
      const relevant = children(id)
        .map((e) => e.x)
        .filter((child) => !all.get(child)?.informational);
      const verified = (child: string) => (all.has(child) ? direct(child) || indirect.has(child) : false);
      if (elementTested(id) || (relevant.length > 0 && relevant.every(verified))) {
        indirect.add(id);
        changed = true;
      }
    }
  }

  // Obligations.
  const counts: Record<string, [number, number]> = {};
  const obliged = (name: string, met: boolean) => {
    const pair = counts[name] ?? [0, 0];
    counts[name] = pair;
    pair[1]++;
    if (met) pair[0]++;
    return met;
  };
  for (const name of [
    'upstream',
    'downstream',
    'verification',
    'verificationInclIndirect',
    'evidence',
    'endToEnd',
  ]) {
    counts[name] = [0, 0];
  }
  const hazards = [...all.keys()].some((id) => type(id) === 'hazardous_event' && owing(id));
  const upstreamUnmet = new Set<string>();
  for (const id of all.keys()) {
    if (!owing(id)) continue;
    const at = level(id);
    const orphan = (kind: string, met: boolean) => {
      if (met) return;
      upstreamUnmet.add(id);
      if (!looped(id) && !parentMissing.has(id)) gap('orphan_upstream', kind, id, at);
    };
    if (isRequirement(type(id))) orphan('no_parent', obliged('upstream', parents(id).length > 0));
    if (type(id) === 'safety_goal' && hazards) orphan('no_parent', parents(id).length > 0);
    if (type(id) === 'design') orphan('no_requirement', obliged('upstream', into('A', id).length > 0));
    if (type(id) === 'test')
      orphan('test_without_requirement', obliged('upstream', into('V', id).length > 0));
    if (type(id) === 'evidence') orphan('evidence_without_source', into('E', id).length > 0);

    let loose = false;
    if (isGoal(type(id))) {
      loose = !obliged('downstream', children(id).length > 0) && !looped(id);
      if (loose) gap('orphan_downstream', 'no_fsr', id, at);
      const refined = into('R', id).length > 0;
      const found =
        direct(id) ||
        [...search(id, (one) => into('R', one).map((e) => e.x))].some(
          (one) => all.has(one) && (direct(one) || (!isGoal(type(one)) && elementTested(one))),
        );
      if (refined && !found) gap('missing_verification', 'no_validation', id, at);
    }
    if (isRequirement(type(id))) {
      const met = children(id).length > 0 || out('A', id).length > 0;
      loose = !obliged('downstream', met) && !looped(id);
      if (loose) gap('orphan_downstream', 'not_refined_nor_allocated', id, at);
      obliged('verification', direct(id));
      obliged('verificationInclIndirect', direct(id) || indirect.has(id));
      if (!direct(id)) {
        const mode = options.indirectVerification ?? 'downgrade';
        if (indirect.has(id) && mode === 'downgrade') gap('missing_verification', 'indirect_only', id, at);
        else if (indirect.has(id) && mode === 'accept') {
          // No gap.
        } else if (!loose || at >= 3) gap('missing_verification', 'none', id, at);
      }
    }
    if (type(id) === 'design' && options.requireDesignTest && !direct(id)) {
      gap('missing_verification', 'none', id, at);
    }
    if (type(id) === 'test' && into('V', id).length > 0) {
      const said = testVerdict(id);
      if (!obliged('evidence', said === 'positive')) {
        gap('missing_evidence', said === 'none' ? 'evidence:none' : said, id, at);
      }
    }
  }
  for (const { kind, id, missing } of linkGaps.values()) gap('broken_chain', kind, id, level(id), missing);
  const told = new Set<string>();
  for (const id of everyone) {
    if (!looped(id) || told.has(id)) continue;
    const members = everyone.filter((one) => one === id || together(id, one));
    for (const member of members) told.add(member);
    gap('broken_chain', 'cycle', id, Math.max(...members.map(level)));
  }

  // Integrity rules.
  const ai = (rule: string, id: string, at: number) => gap('asil_inconsistency', `AI-${rule}`, id, at);
  const bracketed = (id: string) => stated.get(id)?.original !== undefined;
  for (const id of all.keys()) {
    if (!owing(id)) continue;
    const own = stated.get(id);
    if (twoLevels.has(id)) ai('10', id, twoLevels.get(id)!);
    if (unclear.has(id)) ai('15', id, level(id));
    const held = isRequirement(type(id)) || isGoal(type(id));
    const above = parents(id).map((e) => ({ ...e, level: integrity.get(e.y) }));
    if (held && !own && !unclear.has(id)) {
      const best = above.reduce<Level | undefined>((highest, e) => higher(highest, e.level), undefined);
      if (best && gradeLevel(best) > 0) ai('01', id, gradeLevel(best));
    }
    if (held && own) {
      const comparable = above.filter((e) => e.level?.scheme === own.scheme);
      const part = (e: (typeof comparable)[number]) =>
        own.scheme === 'asil' &&
        ((own.original !== undefined && own.own < e.level!.own) ||
          (e.decomposes && (own.original !== undefined || own.own < e.level!.own)));
      const outsideGroups = comparable.filter((e) => !part(e));
      const tooHigh = outsideGroups.filter((e) => e.level!.own > own.own && type(e.y) !== 'hazardous_event');
      if (tooHigh.length > 0) ai('02', id, Math.max(...tooHigh.map((e) => gradeLevel(e.level))));
      else if (outsideGroups.length > 0 && comparable.every((e) => e.level!.own < own.own)) {
        // The first of the highest parents tells the level.
        const most = Math.max(...comparable.map((e) => e.level!.own));
        ai('09', id, gradeLevel(comparable.find((e) => e.level!.own === most)!.level));
      }
    }
    const mine = integrity.get(id);
    if (held && mine?.scheme === 'asil' && mine.own > 0) {
      const kids = children(id);
      const plainQm = (e: Edge) => {
        const one = stated.get(e.x);
        return one?.scheme === 'asil' && one.own === 0 && one.original === undefined;
      };
      if (kids.length > 0 && kids.every(plainQm)) ai('16', id, gradeLevel(mine));

      const known = kids.filter((e) => stated.get(e.x)?.scheme === 'asil' && !all.get(e.x)!.informational);
      let group = known.filter((e) => e.decomposes || (bracketed(e.x) && stated.get(e.x)!.own < mine.own));
      const isDecomposition = group.some((e) => bracketed(e.x) || stated.get(e.x)!.own < mine.own);
      if (!isDecomposition) group = [];
      if (group.some((e) => bracketed(e.x) && stated.get(e.x)!.own === 0)) {
        group = known.filter((e) => group.includes(e) || bracketed(e.x));
      }
      const [only] = group.length === 1 ? group : [];
      const isRefined =
        only !== undefined &&
        !only.decomposes &&
        parents(only.x).some((e) => {
          const [one, other] = [stated.get(only.x)!, stated.get(e.y)];
          return other?.scheme === one.scheme && other.own === one.own && other.original === one.original;
        });
      if (isRefined) group = [];
      if (group.length > 0) {
        const parts = group.map((e) => stated.get(e.x)!);
        const sum = parts.reduce((total, part) => total + part.own, 0);
        const at = gradeLevel(mine);
        const short = group.length >= 2 && sum < mine.own;
        if (group.length < 2) ai('05', id, at);
        if (short) ai('03', id, at);
        const original = mine.original ?? mine.own;
        const isForeign = (e: Edge) => {
          const bracket = stated.get(e.x)!.original;
          if (bracket === undefined || bracket === original) return false;
          const others = parents(e.x).flatMap(({ y }) => {
            const other = stated.get(y);
            return other?.scheme === 'asil' ? [other.original ?? other.own] : [];
          });
          return others.length < 2 || !others.includes(bracket);
        };
        if (group.some(isForeign)) ai('04', id, at);
        if (parts.some((part) => part.original === undefined && part.own < mine.own)) ai('11', id, at);
        if (group.length >= 2 && !short) {
          const carriesAll = (host: string) =>
            into('A', host).some((e) => {
              const one = stated.get(e.x);
              return one?.scheme === 'asil' && one.original === undefined && one.own >= mine.own;
            });
          const hosts = group.map((e) => {
            const all = out('A', e.x).map((a) => a.y);
            const own = all.filter((host) => !carriesAll(host));
            return own.length > 0 ? own : all;
          });
          const shared = hosts.some((mineAre, i) =>
            hosts.some((others, j) => j > i && mineAre.some((host) => others.includes(host))),
          );
          // Parts that meet on an element stand on one side; sides that are apart and carry the level are enough.
          const sides: number[][] = [];
          for (const i of hosts.keys()) {
            const met = sides.filter((side) =>
              side.some((j) => hosts[j]!.some((host) => hosts[i]!.includes(host))),
            );
            for (const side of met) sides.splice(sides.indexOf(side), 1);
            sides.push([i, ...met.flat()]);
          }
          const carried = sides.map((side) => Math.max(...side.map((i) => parts[i]!.own)));
          const isApart = sides.length > 1 && carried.reduce((total, one) => total + one, 0) >= mine.own;
          if (shared && !isApart) ai('06', id, at);
          const analysed = [id, ...group.map((e) => e.x)].some((one) =>
            out('E', one).some((e) => all.get(e.y)?.kind === 'dfa'),
          );
          if (!analysed) ai('07', id, at);
        }
      }
    }
    if (isRequirement(type(id)) && own?.original !== undefined) {
      const explained = parents(id).some((e) => {
        const parent = integrity.get(e.y);
        if (outside.has(e.y)) return true;
        if (parent?.scheme === 'asil' && (parent.original ?? parent.own) === own.original) return true;
        return children(e.y).filter((sibling) => bracketed(sibling.x)).length >= 2;
      });
      if (!explained) ai('12', id, gradeLevel(own));
    }
    if (type(id) === 'design' && own) {
      const demands = into('A', id)
        .map((e) => integrity.get(e.x))
        .filter((one): one is Level => one?.scheme === own.scheme);
      const most = Math.max(-1, ...demands.map((one) => one.own));
      if (most > own.own) ai('08', id, most);
    }
    const ratings = rated.get(id);
    if (ratings?.stated?.scheme === 'asil' && ratings.stated.own !== ratings.computed.own) {
      if (ratings.stated.own < ratings.computed.own) ai('13', id, ratings.computed.own);
      else ai('13 conservative', id, ratings.computed.own);
    }
    if (isGoal(type(id)) && own?.scheme === 'asil') {
      const demands = parents(id)
        .filter((e) => type(e.y) === 'hazardous_event')
        .map((e) => (rated.has(e.y) ? (rated.get(e.y)!.stated ?? rated.get(e.y)!.computed) : stated.get(e.y)))
        .filter((one): one is Level => one?.scheme === 'asil');
      const most = Math.max(-1, ...demands.map((one) => one.own));
      const claimed = own.original === undefined ? own.own : Math.max(own.own, gradeLevel(own));
      if (most > claimed) ai('14', id, most);
    }
  }

  // Paths.
  const technical = [...all.keys()].some((id) => owing(id) && type(id) === 'technical_safety_requirement');
  const complete = new Set<string>();
  for (const id of all.keys()) {
    if (!isRequirement(type(id)) || all.get(id)!.informational) continue;
    const lowest = !technical || type(id) !== 'functional_safety_requirement';
    const tests = out('V', id).map((e) => e.y);
    const passed = tests.length > 0 ? tests.some((t) => testVerdict(t) === 'positive') : direct(id);
    if (lowest && out('A', id).length > 0 && passed) complete.add(id);
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of all.keys()) {
      if (complete.has(id) || !children(id).some((e) => !e.skip && complete.has(e.x))) continue;
      complete.add(id);
      changed = true;
    }
  }
  const before = [...gaps];
  for (const id of all.keys()) {
    if (!isGoal(type(id)) || !owing(id)) continue;
    const area = new Set([id, ...below(id)]);
    const severities = before.filter((one) => area.has(one.id)).map((one) => one.severity);
    obliged('endToEnd', complete.has(id) && !severities.includes(C));
    const unrefined = before.some((one) => one.id === id && one.kind === 'no_fsr');
    if (!complete.has(id) && !unrefined && severities.every((severity) => severity === L)) {
      gap('broken_chain', 'chain_gap', id, level(id));
    }
  }

  return {
    gaps: gaps.map((one) => `${one.type} ${one.kind} ${one.id} ${one.severity} ${one.missing}`).sort(),
    coverage: Object.entries(counts)
      .map(([name, [numerator, denominator]]) => `${name} ${numerator}/${denominator}`)
      .sort(),
    below: (id) => new Set([...below(id)].filter((one) => one !== id)),
  };
}
