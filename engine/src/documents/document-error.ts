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
  /** The file got too little of the processor to be judged. */
  | 'machine_busy'
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

/** The file does not follow its own format; `what` completes the sentence "The file is damaged: …". */
export function corruptFile(what: string, location?: Location): DocumentError {
  return new DocumentError(
    'corrupt',
    `The file is damaged: ${what}.`,
    'Open it in the program that wrote it, save it again and upload the new copy.',
    location,
  );
}

/** The file holds more than a reading limit allows; `what` is a whole sentence. */
export function fileTooLarge(what: string): DocumentError {
  return new DocumentError('too_large', what, 'Split the document into smaller files and upload those.');
}

/** The file is built in a way that no document needs; `what` is a whole sentence. */
export function fileTooComplex(what: string, hint: string, location?: Location): DocumentError {
  return new DocumentError('too_complex', what, hint, location);
}

/** Nothing to read: no bytes, or no text in them. */
export function emptyFile(): DocumentError {
  return new DocumentError('empty', 'The file is empty.', 'Check that the upload was complete.');
}
