/** Files of the application that each address needs, as its build writes them (`web/scripts/screen-files.mjs`). */
export type ScreenFiles = Readonly<Record<string, readonly string[]>>;

/** The `Link` header of a page: its files, to be fetched with it. Undefined for an address that is no screen. */
export function linksOfScreens(screens: ScreenFiles): (path: string) => string | undefined {
  const known = Object.entries(screens)
    .map(([address, files]) => ({
      isMeant: new RegExp(`^${address.replaceAll(/:[a-z]+/g, '[^/]+')}/?$`),
      names: address.split(':').length - 1,
      links: files.map((file) => `</${file}>; ${wayOf(file)}`),
    }))
    // `/documents/new` before `/documents/:document`.
    .sort((a, b) => a.names - b.names);
  return (path) => known.find(({ isMeant }) => isMeant.test(path))?.links.join(', ');
}

function wayOf(file: string): string {
  // Letters are always fetched without what names a person, which has to be said.
  if (file.endsWith('.woff2')) return 'rel=preload; as=font; type="font/woff2"; crossorigin';
  return file.startsWith('assets/') ? 'rel=modulepreload' : 'rel=preload; as=script';
}
