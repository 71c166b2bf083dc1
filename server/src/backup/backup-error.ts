/** A reason not to back up or to restore, with what to do about it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
