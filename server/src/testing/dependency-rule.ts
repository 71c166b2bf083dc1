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
}

/** Static, dynamic and re-exporting; also `import x = require()` and the workers started by a URL beside the file. */
const IMPORT =
  /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*|\bnew URL\(\s*)(['"])([^'"\n]+\.?[^'"\n]*)\1/g;

const SOURCE = /\.(ts|tsx|mts|js|mjs|jsx)$/;

/**
 * Reads every source file below `root` and holds its imports to the dependency rule of CONTRIBUTING: web talks to
 * the server over HTTP only; server/modules use server/platform and the engine; server/platform and the engine use
 * nothing of ours.
 */
export function examineImports(root: string): Examined {
  const files = ['engine/src', 'server/src', 'web'].flatMap((folder) => sourcesIn(root, folder));
  let imports = 0;
  const broken = files.flatMap((file) => {
    const found = importsOf(readFileSync(join(root, file), 'utf8'));
    imports += found.length;
    return found.flatMap((specifier) => {
      const rule = ruleBrokenBy(file, specifier);
      return rule ? [{ file, imports: specifier, rule }] : [];
    });
  });
  return { files: files.length, imports, broken };
}

export function importsOf(source: string): string[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...withoutComments.matchAll(IMPORT)].map((match) => match[2]!);
}

/** The rule that this import breaks; undefined when it is allowed. `file` is relative to the root of the checkout. */
export function ruleBrokenBy(file: string, specifier: string): string | undefined {
  const target = targetOf(file, specifier);
  if (target === undefined) return undefined;
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
