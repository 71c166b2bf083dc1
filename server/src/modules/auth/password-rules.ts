import { invalid } from '../../platform/http/api-error.js';

/** Who sets the password; none of it is one. */
interface About {
  readonly email: string;
  readonly name?: string;
  readonly organization?: string;
}

const PRODUCT = 'normtrace';
/** Shorter words prove nothing when they are found in a password. */
const LEAST_WORD = 3;

/**
 * Throws 422 for a password that guessers try first: one of the 49,000 commonest, one that is nothing but such a word
 * or the person's address or name with digits and signs around it, or one of a few characters or words over and over
 * (OWASP ASVS 5.0, 6.2.4 and 6.2.11). Which characters it has is nobody's business.
 */
export async function requireGoodPassword(path: string, password: string, about: About): Promise<void> {
  const common = await commonPasswords();
  const own = wordsOf(about);
  const isWord = (text: string): boolean => common.has(text) || own.has(text);
  const typed = password.normalize('NFC').toLowerCase();
  const core = withoutDecoration(typed);
  if (![typed, core, unitOf(typed), unitOf(core)].some((form) => form.length < LEAST_WORD || isWord(form)))
    return;
  throw invalid(
    path,
    'This password is among the first that a guesser tries. Take several words that do not belong together, or let a ' +
      'password manager make one.',
    'common_password',
  );
}

/** Read by the first password that is set: the list is large. */
let reading: Promise<ReadonlySet<string>> | undefined;
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  reading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as readonly string[]),
  );
  return reading;
};

function wordsOf({ email, name = '', organization = '' }: About): ReadonlySet<string> {
  const [local = '', domain = ''] = email.split('@');
  const words = [
    email,
    local,
    domain,
    domain.split('.')[0] ?? '',
    name,
    ...name.split(/\s+/),
    organization,
    PRODUCT,
  ];
  return new Set(
    words
      .flatMap((word) => [word.toLowerCase(), withoutDecoration(word.toLowerCase())])
      .filter((word) => word.length >= LEAST_WORD),
  );
}

/** The text without digits, signs and blanks around it; what has nothing else stays as it is. */
const withoutDecoration = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '') || text;

/** What the text is a repetition of; the text itself when it repeats nothing. */
function unitOf(text: string): string {
  const at = `${text}${text}`.indexOf(text, 1);
  return text.slice(0, at);
}
