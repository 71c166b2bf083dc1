import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const SCREENS = fileURLToPath(new URL('../../../../web/src/screens/', import.meta.url));

/** The address of every screen that the registry knows, with `names` in the place of what they are about. Throws where one is missing. */
export async function addressesOfScreens(
  names: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const files = (await readdir(SCREENS, { recursive: true })).filter((file) => file.endsWith('screen.ts'));
  const texts = await Promise.all(files.map((file) => readFile(SCREENS + file, 'utf8')));
  const paths = texts.flatMap((text) =>
    [...text.matchAll(/^ +path: '([^']+)'/gm)].map(([, path]) => path ?? ''),
  );
  if (paths.length < 20) throw new Error(`Only ${paths.length} screens were found below ${SCREENS}.`);
  return paths.map((path) =>
    path.replace(/:(\w+)/g, (_, name: string) => {
      const value = names[name];
      if (!value)
        throw new Error(`"${path}" is about ":${name}", of which this test has none: name one here.`);
      return value;
    }),
  );
}
