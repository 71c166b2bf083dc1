import type { FormatEntry } from '../../format-entry.js';

/** Source text, whose ending alone says what it is: texts with tags are looked for, others are read when they are given. */
export const format: FormatEntry = {
  endings: words('c h cc cpp hpp java kt py rs go ts js cs m feature robot'),
  furtherEndings: words(`
    adb ads asm cfg cmake cxx gradle groovy hh hxx ino inc ini ipp jl jsx kts lua mm php pl plantuml proto pu puml pyi r rb
    resource s scala sh sql sv svh swift toml tpp tsx v vhd vhdl`),
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
