import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseYaml } from '../data/parse-yaml.js';

/** Languages that mails are written in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What is put into the text of each kind. */
const PLACES = {
  verify_address: ['service', 'link'],
  reset_password: ['service', 'link'],
  invitation: ['service', 'link', 'inviter'],
  mention: ['service', 'link', 'author'],
} as const;
export type MailKind = keyof typeof PLACES;
type Values<Kind extends MailKind> = Readonly<Record<(typeof PLACES)[Kind][number], string>>;

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** The texts of all mails, read from `data/mails.yaml`. */
export interface MailTexts {
  write<Kind extends MailKind>(kind: Kind, language: Language, values: Values<Kind>): MailText;
  /** The word for a person who cannot be named. */
  somebody(language: Language): string;
}

const PLACE = /\{(\w+)\}/g;

/** A text that has every place of its kind and no other. */
const textOf = (kind: MailKind) =>
  z.strictObject({
    subject: z.string().regex(/^[^\r\n{}]{1,100}$/),
    text: z.string().refine(
      (text) => {
        const found = new Set([...text.matchAll(PLACE)].map(([, name]) => name));
        return found.size === PLACES[kind].length && PLACES[kind].every((name) => found.has(name));
      },
      `has to have each of ${PLACES[kind].map((name) => `{${name}}`).join(', ')} and no other`,
    ),
  });
const inEveryLanguage = (kind: MailKind) => z.strictObject({ en: textOf(kind), de: textOf(kind) });
const TextsSchema = z.strictObject({
  somebody: z.strictObject({ en: z.string().min(1), de: z.string().min(1) }),
  verify_address: inEveryLanguage('verify_address'),
  reset_password: inEveryLanguage('reset_password'),
  invitation: inEveryLanguage('invitation'),
  mention: inEveryLanguage('mention'),
});

/** Throws when a kind, a language or a place is missing or unknown. */
export function parseMailTexts(yaml: string): MailTexts {
  const texts = TextsSchema.parse(parseYaml(yaml));
  return {
    write(kind, language, values) {
      const { subject, text } = texts[kind][language];
      const known: Readonly<Record<string, string>> = values;
      return { subject, text: text.replaceAll(PLACE, (place, name: string) => known[name] ?? place) };
    },
    somebody: (language) => texts.somebody[language],
  };
}

export const loadMailTexts = (): MailTexts =>
  parseMailTexts(readFileSync(new URL('../../../data/mails.yaml', import.meta.url), 'utf8'));

/** The language of mails that an `Accept-Language` header prefers; English when it names none of them. */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '').split(',').flatMap((one) => {
    const [tag = '', ...parameters] = one.trim().toLowerCase().split(';');
    const language = LANGUAGES.find((known) => tag === known || tag.startsWith(`${known}-`));
    const quality = Number(parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean) ?? 1);
    return language && quality > 0 ? [{ language, quality }] : [];
  });
  return wanted.sort((a, b) => b.quality - a.quality)[0]?.language ?? 'en';
}
