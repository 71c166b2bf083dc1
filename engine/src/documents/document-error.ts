import type { Location } from './location.js';

/** Why a file could not be read. Each has one sentence for a person in the message. */
export type DocumentErrorCode =
  | 'unsupported_format'
  | 'encrypted'
  | 'corrupt'
  | 'empty'
  | 'no_text'
  | 'too_large'
  | 'too_complex'
  | 'timed_out'
  | 'out_of_memory'
  | 'unsafe_content'
  | 'crashed';

/**
 * A file that cannot be read. `message` says what is wrong and where, `hint` what to do;
 * neither repeats content of the file.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code: DocumentErrorCode;
  readonly hint: string;
  readonly location?: Location;

  constructor(code: DocumentErrorCode, message: string, hint: string, location?: Location) {
    super(message);
    this.code = code;
    this.hint = hint;
    if (location) this.location = location;
  }
}
