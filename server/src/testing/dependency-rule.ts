import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

/** An import that the house does not allow. */
export interface BrokenRule {
  readonly file: string;
  readonly imports: string;
  readonly rule: string;
}

export interface Examined {
  readonly files: number;
  readonly imports: number;
  readonly broken: readonly BrokenRule[];
  /** Files that import each other, by whatever detour, types alone included: each circle once. */
  readonly circles: readonly (readonly string[])[];
}

/** The folders of which no file may import itself by a detour. */
const WITHOUT_CIRCLES = ['engine/src', 'server/src'];

/** Static, dynamic and re-exporting; also `import x = require()` and the workers started by a URL beside the file. */
const IMPORT =
  /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*|\bnew URL\(\s*)(['"])([^'"\n]+\.?[^'"\n]*)\1/g;

const SOURCE = /\.(ts|tsx|mts|js|mjs|jsx)$/;

/**
 * Reads every source file below `root` and holds its imports to the dependency rule of CONTRIBUTING (web talks to the
 * server over HTTP only; server/modules use server/platform and the engine; server/platform and the engine use nothing of
 * ours) and to the pictures of the rooms of engine and server in ARCHITECTURE.
 */
export function examineImports(root: string): Examined {
  const files = ['engine/src', 'server/src', 'web'].flatMap((folder) => sourcesIn(root, folder));
  const graph = new Map(files.map((file) => [file, importsOf(readFileSync(join(root, file), 'utf8'))]));
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const broken = [...graph].flatMap(([file, specifiers]) =>
    specifiers.flatMap((specifier) => {
      const rule = ruleBrokenBy(file, specifier);
      return rule ? [{ file, imports: specifier, rule }] : [];
    }),
  );
  const rooms = HOUSES.flatMap((house) => brokenRooms(house, readRooms(architecture, house.heading), graph));
  return {
    files: files.length,
    imports: [...graph.values()].reduce((sum, found) => sum + found.length, 0),
    broken: [...broken, ...rooms],
    circles: WITHOUT_CIRCLES.flatMap((folder) => circlesOf(importedFiles(graph, folder))),
  };
}

interface House {
  /** Of the picture in ARCHITECTURE. */
  readonly heading: string;
  /** The first group is the room of a file. */
  readonly room: RegExp;
  /** A room may import those that stand before it in the picture, and no others. */
  readonly oneWay: boolean;
}

const HOUSES: readonly House[] = [
  {
    heading: 'Rooms of the engine',
    room: /^engine\/src\/(engines\/[^/]+(?=\/)|[^/]+)\//,
    oneWay: true,
  },
  { heading: 'Rooms of the server', room: /^server\/src\/modules\/([^/]+)\//, oneWay: false },
];

/** Rooms of a house, each with those that it may import, as a picture in ARCHITECTURE says: `room → other, other`. */
export function readRooms(architecture: string, heading: string): ReadonlyMap<string, readonly string[]> {
  const picture =
    new RegExp(`^## ${heading}$[\\s\\S]*?^\`\`\`text\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(architecture)?.[1] ??
    '';
  return new Map(
    picture.split('\n').flatMap((line): [string, string[]][] => {
      const [room, others] = line.split('→').map((side) => side.trim());
      return room === undefined || others === undefined
        ? []
        : [[room, others.split(',').flatMap((other) => other.trim() || [])]];
    }),
  );
}

/** Imports that a picture does not show, and lines of it that nothing uses. */
export function brokenRooms(
  house: House,
  rooms: ReadonlyMap<string, readonly string[]>,
  graph: ReadonlyMap<string, readonly string[]>,
): readonly BrokenRule[] {
  const entered = new Set<string>();
  const broken = [...graph].flatMap(([file, specifiers]) =>
    specifiers.flatMap((specifier) => {
      const doors = doorsBetween(house, file, targetOf(file, specifier));
      if (!doors) return [];
      entered.add(doors.join(' → '));
      const rule = roomRuleBrokenBy(house, rooms, doors);
      return rule ? [{ file, imports: specifier, rule }] : [];
    }),
  );
  const inPicture = (imports: string, rule: string) => ({ file: 'ARCHITECTURE.md', imports, rule });
  const names = [...rooms.keys()];
  const wrong = [...rooms].flatMap(([room, others], at) =>
    others.flatMap((other) => {
      const arrow = `${room} → ${other}`;
      if (!entered.has(arrow)) return [inPicture(arrow, 'the picture shows what is')];
      const isBelow = names.indexOf(other) < at;
      return house.oneWay && !isBelow ? [inPicture(arrow, 'rooms import what stands before them')] : [];
    }),
  );
  return [...broken, ...wrong];
}

/** Why a room may not import another one; undefined where it may. */
export function roomRuleBrokenBy(
  { heading }: Pick<House, 'heading'>,
  rooms: ReadonlyMap<string, readonly string[]>,
  [from, to]: readonly [from: string, to: string],
): string | undefined {
  const allowed = rooms.get(from);
  if (allowed?.includes(to)) return undefined;
  return `${from} → ${allowed?.join(', ') || 'no other room'} (ARCHITECTURE, "${heading}")`;
}

/** The room of a file and another one that it imports. Tests and what is made for them go where they like. */
function doorsBetween(
  { room }: House,
  file: string,
  target: string | undefined,
): readonly [string, string] | undefined {
  const from = room.exec(file)?.[1];
  const to = target === undefined ? undefined : room.exec(target)?.[1];
  const isFree = isTest(file) || file.includes('/testing/');
  return from === undefined || to === undefined || from === to || isFree ? undefined : [from, to];
}

function importedFiles(
  graph: ReadonlyMap<string, readonly string[]>,
  folder: string,
): ReadonlyMap<string, readonly string[]> {
  const inside = [...graph].filter(([file]) => file.startsWith(`${folder}/`));
  return new Map(
    inside.map(([file, specifiers]) => [
      file,
      specifiers.flatMap((specifier) => targetOf(file, specifier)?.replace(/\.js$/, '.ts') ?? []),
    ]),
  );
}

/** Sets of files that reach each other (Tarjan's strongly connected components of more than one file). */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    onPath.add(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) {
        visit(next);
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
      } else if (onPath.has(next)) lowest.set(file, Math.min(lowest.get(file)!, order.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    for (const one of circle) onPath.delete(one);
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

export function importsOf(source: string): string[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...withoutComments.matchAll(IMPORT)].map((match) => match[2]!);
}

/** The rule that this import breaks; undefined when it is allowed. `file` is relative to the root of the checkout. */
export function ruleBrokenBy(file: string, specifier: string): string | undefined {
  const target = targetOf(file, specifier);
  if (target === undefined) return undefined;
  // What the engine's own tests are done with has a door for ours.
  if (target.startsWith('@normtrace/engine/testing/') && isTest(file)) return undefined;
  // What only starts a program loads nothing else of the engine.
  if (target === '@normtrace/engine/program' && file.startsWith('server/src/start/')) return undefined;
  if (target.startsWith('@normtrace/engine/')) return 'the engine has one front door: @normtrace/engine';
  if (file.startsWith('engine/')) {
    return target.startsWith('engine/') ? undefined : 'engine → nothing of ours';
  }
  if (file.startsWith('web/')) {
    return target.startsWith('web/') ? undefined : 'web → server over HTTP only';
  }
  if (target.startsWith('web/')) return 'web → server over HTTP only';
  if (target.startsWith('engine/')) return 'the engine has one front door: @normtrace/engine';
  if (file.startsWith('server/src/platform/') && !isTest(file)) {
    return target.startsWith('server/src/platform/') ? undefined : 'server/platform → nothing of ours';
  }
  if (file.startsWith('server/src/modules/') && !isTest(file)) {
    const allowed = ['server/src/modules/', 'server/src/platform/', '@normtrace/engine'];
    return allowed.some((start) => target.startsWith(start))
      ? undefined
      : 'server/modules → server/platform, engine';
  }
  return undefined;
}

/** Tests may use what is made for tests. */
const isTest = (file: string): boolean => /\.test\.ts$/.test(file);

/** Where an import leads: a path from the root, or one of our packages. Undefined for anything else. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) {
    const target = normalize(join(dirname(file), specifier))
      .split(sep)
      .join('/');
    // Data files beside the sources are no code.
    return /\.(js|mjs|ts)$/.test(target) ? target : undefined;
  }
  return specifier.startsWith('@normtrace/') ? specifier : undefined;
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(root.length).split(sep).join('/').replace(/^\/+/, ''),
    )
    .filter((file) => !file.includes('/node_modules/') && !file.includes('/dist/'));
}
