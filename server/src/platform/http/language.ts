/** Languages that texts of ours are written in; the first one where a reader names neither. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of ours that `Accept-Language` prefers (RFC 9110, 12.5.4); English where it names neither. */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return { language: tag.split('-')[0]!, quality: weight === undefined ? 1 : Number(weight) };
  });
  const qualityOf = (language: Language): number => {
    const named = wanted.filter((one) => one.language === language);
    const ranges = named.length > 0 ? named : wanted.filter((one) => one.language === '*');
    return Math.max(0, ...ranges.map(({ quality }) => (quality > 0 ? quality : 0)));
  };
  return LANGUAGES.reduce((best, one) => (qualityOf(one) > qualityOf(best) ? one : best));
}
