import type { FormatEntry } from '../../format-entry.js';

/** Source text, whose ending alone says what it is: texts with tags are looked for, others are read when they are given. */
export const format: FormatEntry = {
  label: { en: 'Source text', de: 'Quelltext' },
  endings: words(`
    bash bat c cc clj cpp cs cxx feature go groovy h hh hpp hxx java js kt lua m mm php pl plantuml pls pm pu puml py r robot rs
    scala sh sql swift ts zsh`),
  furtherEndings: words(`
    adb ads asm cfg cmake conf gradle inc ini ino ipp jl jsx kts proto pyi rb resource s sv svh tf tfvars toml tpp tsx v vhd
    vhdl`),
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/plain'],
      ending: 'source',
      clues: [],
    },
  ],
  reader: async () => (await import('./read.js')).sourceReader,
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
