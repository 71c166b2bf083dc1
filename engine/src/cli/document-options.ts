import type { AnalysisScope, TailoredOut } from '../corpus/corpus.js';
import { SEVERITIES, type Severity } from '../findings/finding.js';
import { isArea, lifecycle } from '../phases/lifecycle.js';
import { LANGUAGES, type Language } from '../sentences/sentence.js';
import { CommandError } from './command-error.js';
import { oneOf } from './options.js';
import type { Output } from './terminal.js';
import { REPORT_OPTIONS, REPORT_OUTPUTS, reportAskedFor } from './write-report.js';

// What the commands about documents have in common.

/** What the result looks like and where it goes. */
export const RESULT_OPTIONS = {
  format: { type: 'string', default: 'table' },
  output: { type: 'string' },
  'fail-on': { type: 'string' },
  'allow-unread': { type: 'boolean', default: false },
  ...REPORT_OPTIONS,
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** What is known beside the documents. */
export const SCOPE_OPTIONS = {
  scope: { type: 'string' },
  variant: { type: 'string' },
  answer: { type: 'string', multiple: true, default: [] as string[] },
  phase: { type: 'string' },
  'tailored-out': { type: 'string', multiple: true, default: [] as string[] },
} as const;

const FORMATS = ['table', 'json', ...REPORT_OUTPUTS] as const;

/** The values of `RESULT_OPTIONS`. Throws `CommandError` for those that are not known. */
export function resultOptions<const More extends string = never>(
  values: {
    readonly format: string;
    readonly output?: string | undefined;
    readonly 'fail-on'?: string | undefined;
    readonly title?: string | undefined;
    readonly language: string;
  },
  more: readonly More[] = [],
): {
  readonly format: (typeof FORMATS)[number] | More;
  readonly failOn: Severity | undefined;
  readonly report: ReturnType<typeof reportAskedFor>;
  /** Of the words of the result, in every format. */
  readonly language: Language;
} {
  const format = oneOf('--format', values.format, [...more, ...FORMATS]);
  const failOn = values['fail-on'];
  return {
    format,
    failOn: failOn === undefined ? undefined : oneOf('--fail-on', failOn, SEVERITIES),
    report: reportAskedFor({ ...values, format, output: values.output, title: values.title }),
    language: oneOf('--language', values.language, LANGUAGES),
  };
}

/** The values of `SCOPE_OPTIONS`. Throws `CommandError` for a phase or area that does not exist, and for one without a reason. */
export function scopeOf({
  scope,
  variant,
  phase,
  'tailored-out': tailoredOut,
}: {
  readonly scope?: string | undefined;
  readonly variant?: string | undefined;
  readonly phase?: string | undefined;
  readonly 'tailored-out': readonly string[];
}): AnalysisScope {
  const { phases } = lifecycle();
  return {
    ...(scope === undefined ? {} : { item: scope }),
    ...(variant === undefined ? {} : { variant }),
    ...(phase === undefined
      ? {}
      : {
          phase: oneOf(
            '--phase',
            phase,
            phases.map(({ id }) => id),
          ),
        }),
    ...(tailoredOut.length === 0 ? {} : { tailoredOut: tailoredOut.map(tailoredOutOf) }),
  };
}

function tailoredOutOf(given: string): TailoredOut {
  const at = given.indexOf('=');
  const [area, reason] = [given.slice(0, at).trim(), given.slice(at + 1).trim()];
  if (at < 1 || reason === '') {
    throw new CommandError(
      `--tailored-out ${given} gives no reason.`,
      'Write --tailored-out <area>="<reason>", for example: --tailored-out hardware="developed by the supplier"',
    );
  }
  if (!isArea(area)) {
    const known = lifecycle().areas.map(({ id }) => id);
    throw new CommandError(
      `There is no area "${area}".`,
      `Areas: ${known.join(', ')}; or the beginning of ids of a standard, such as 26262-8:12.`,
    );
  }
  return { area, reason };
}

/**
 * The exit code of a command about documents: 2 when files could not be read, because a gate must not pass by what it has
 * not seen; else 1 when something is as severe as `--fail-on`.
 */
export function exitCodeOf(
  { unread, isReached }: { readonly unread: readonly string[]; readonly isReached: boolean },
  allowUnread: boolean,
  error: Output,
): number {
  if (unread.length === 0 || allowUnread) return isReached ? 1 : 0;
  error.write(
    `normtrace: ${unread.length === 1 ? 'a file' : `${unread.length} files`} could not be read, so the result is not whole: ${unread.join(', ')}.\n` +
      'Mend or leave out what could not be read, or accept it with --allow-unread.\n',
  );
  return 2;
}
