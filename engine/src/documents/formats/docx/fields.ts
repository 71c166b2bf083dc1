/** Open fields (`TOC`, `SEQ`, `REF`, …). A field has an instruction, then a result; only the result is text. */
export interface FieldStack {
  /** `begin`, `separate` or `end` of a field. */
  character(type: string): void;
  simple(instruction: string): void;
  instruction(text: string): void;
  inInstruction(): boolean;
  /** Inside a table of contents, list of figures or list of tables. */
  inContents(): boolean;
  /** The innermost field counts figures, tables or other captions. */
  counts(): boolean;
  /** Forgets open contents fields; true where there was one. */
  leaveContents(): boolean;
}

export function createFieldStack(): FieldStack {
  let fields: { instruction: string; result: boolean }[] = [];
  const isContents = (field: { instruction: string }) => /^\s*(?:TOC|RD)\b/i.test(field.instruction);
  return {
    character(type) {
      if (type === 'begin') fields.push({ instruction: '', result: false });
      else if (type === 'end') fields.pop();
      else if (fields.length > 0) fields.at(-1)!.result = true;
    },
    simple(instruction) {
      fields.push({ instruction, result: true });
    },
    instruction(text) {
      const field = fields.at(-1);
      if (field && !field.result) field.instruction += text;
    },
    inInstruction: () => fields.some((field) => !field.result),
    inContents: () => fields.some((field) => field.result && isContents(field)),
    counts: () => /^\s*SEQ\b/i.test(fields.at(-1)?.instruction ?? ''),
    leaveContents() {
      const kept = fields.filter((field) => !isContents(field));
      const left = kept.length < fields.length;
      fields = kept;
      return left;
    },
  };
}
