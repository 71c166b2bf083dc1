/** A template that cannot be used. The message says what is wrong, the hint what to do. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
