/** A command that could not run; the message says what is wrong, the hint what to do. Exit code 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
