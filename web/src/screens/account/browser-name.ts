/** Marks of browsers, the more special ones first: each also names those behind it. */
const BROWSERS = [
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* .*Safari\//],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux|X11/],
] as const;

/** "Chrome 156 · Linux" of what a browser says of itself; as it says it where that is none that we know. */
export function browserName(agent: string): string {
  const browser = BROWSERS.map(([name, mark]) => [name, mark.exec(agent)?.[1]] as const).find(
    ([, version]) => version !== undefined,
  );
  const system = SYSTEMS.find(([, mark]) => mark.test(agent));
  if (!browser) return agent;
  return [browser.join(' '), ...(system ? [system[0]] : [])].join(' · ');
}
