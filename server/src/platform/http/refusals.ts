import { readFileSync } from 'node:fs';
import { parseYaml } from '../data/parse-yaml.js';
import { ApiError, type Issue } from './api-error.js';
import type { Language } from './language.js';

const FILE = new URL('../../../data/refusals.de.yaml', import.meta.url);

interface Sayings {
  /** Texts without anything that is filled in. */
  readonly fixed: ReadonlyMap<string, string>;
  readonly filled: readonly { readonly english: RegExp; readonly german: string }[];
}

let read: Sayings | undefined;

function sayings(): Sayings {
  if (read) return read;
  const entries = Object.entries(parseYaml(readFileSync(FILE, 'utf8')) as Record<string, string>);
  const isFilled = ([english]: readonly [string, string]): boolean => /\{\d\}/.test(english);
  read = {
    fixed: new Map(entries.filter((entry) => !isFilled(entry))),
    filled: entries.filter(isFilled).map(([english, german]) => ({
      english: new RegExp(
        `^${english.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\d)\}/g, '(?<n$1>[^]{1,200}?)')}$`,
      ),
      german,
    })),
  };
  return read;
}

/** What a refusal says, in a language; in English where the other language has no words for it. */
export function refusalIn(language: Language, english: string): string {
  if (language === 'en') return english;
  const { fixed, filled } = sayings();
  const said = fixed.get(english);
  if (said !== undefined) return said;
  for (const { english: pattern, german } of filled) {
    const parts = pattern.exec(english)?.groups;
    if (parts) return german.replaceAll(/\{(\d)\}/g, (_, n: string) => parts[`n${n}`] ?? '');
  }
  return english;
}

/** An error as somebody reads it: its own text, and those of what is wrong with the input. */
export function errorIn(language: Language, error: ApiError): ApiError {
  if (language === 'en') return error;
  const { issues, ...details } = error.details;
  const said = (issues as readonly Issue[] | undefined)?.map((issue) => ({
    ...issue,
    message: refusalIn(language, issue.message),
  }));
  return new ApiError(
    error.code,
    refusalIn(language, error.message),
    said ? { ...details, issues: said } : details,
  );
}
