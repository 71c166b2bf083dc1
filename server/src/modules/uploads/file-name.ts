const MAX_CHARACTERS = 180;

/**
 * A name as it may be stored, shown and offered for download: the last part of a path, without control and
 * direction characters and without what file systems give a meaning. Undefined when nothing is left.
 */
export function cleanFileName(name: string): string | undefined {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/["<>:|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  if (!/[\p{L}\p{N}]/u.test(clean)) return undefined;
  const characters = [...clean];
  if (characters.length <= MAX_CHARACTERS) return clean;
  const extension = [...(/\.[A-Za-z0-9]{1,10}$/.exec(clean)?.[0] ?? '')];
  return [...characters.slice(0, MAX_CHARACTERS - extension.length), ...extension].join('');
}

/** The header that offers a download under this name in every browser (RFC 6266, RFC 8187). */
export function attachmentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The name without its extension, as a first name of the thing that it holds. */
export const titleOf = (fileName: string): string => fileName.replace(/\.[A-Za-z0-9]{1,10}$/, '') || fileName;
