import { programOf } from '@normtrace/engine/program';

/** Starts `programs/NAME.ts`, from few files where the build has made them; so this one loads nothing else. */
export async function startProgram(name: 'all' | 'api' | 'worker' | 'migrate'): Promise<void> {
  await import(programOf(`start/programs/${name}`, new URL('../', import.meta.url)).href);
}
