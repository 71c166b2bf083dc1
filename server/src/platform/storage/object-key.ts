const SEGMENT = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/**
 * Refuses keys that could leave their folder or mean two things: lower-case segments of letters, digits,
 * dots, dashes and underscores, the first one the workspace. Names that people chose never become part of a key.
 */
export function assertObjectKey(key: string): void {
  const segments = key.split('/');
  if (segments.length < 2 || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new Error('Not an object key: lower-case segments separated by slashes, at least two.');
  }
}

/** The same for a prefix, which ends with a slash. */
export function assertObjectPrefix(prefix: string): void {
  if (
    !prefix.endsWith('/') ||
    !prefix
      .slice(0, -1)
      .split('/')
      .every((segment) => SEGMENT.test(segment))
  ) {
    throw new Error('Not an object prefix: lower-case segments, each followed by a slash.');
  }
}
