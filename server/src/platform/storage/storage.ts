import type { Readable } from 'node:stream';

/** An address to send a file to, valid for a short time. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
}

/** What an upload address is bound to. */
export interface UploadTerms {
  readonly key: string;
  readonly size: number;
  readonly contentType: string;
  readonly expiresInSeconds: number;
}

export interface StoredObject {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** What is known of the bytes of an object without reading them. */
export interface Digest {
  readonly size: number;
  /** 64 hexadecimal digits, lower case. */
  readonly sha256: string;
}

/** Where the bytes of documents live. Two adapters: local disk and S3. */
export interface Storage {
  /**
   * The objects of one workspace: the only way to any of them. Keys are `<workspace id>/…`, as rows hold them; one that
   * does not begin with the workspace's id is refused before anything happens, whoever wrote it into the row.
   */
  within(workspaceId: string): Objects;
  /** Ids of the workspaces that have objects. */
  workspaces(): Promise<readonly string[]>;
  check(): Promise<void>;
}

export interface Objects {
  signUpload(terms: UploadTerms): Promise<SignedUpload>;
  /** Size in bytes, or undefined when there is no such object. */
  size(key: string): Promise<number | undefined>;
  read(key: string): Promise<Readable>;
  /** Hash of the bytes as they came; undefined where this process did not see them come. */
  digest(key: string): Promise<Digest | undefined>;
  write(key: string, content: Buffer, contentType: string): Promise<void>;
  /** As `write`, from a file of this machine, which stays: for what is too large for memory. */
  writeFile(key: string, path: string, contentType: string): Promise<void>;
  /** Copies an object; the copy stays as it is when the original is uploaded again. False when there is no original. */
  copy(from: string, to: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Deletes every object below the prefix, which ends with a slash. */
  deletePrefix(prefix: string): Promise<void>;
  /** Every object below the prefix. */
  list(prefix: string): Promise<readonly StoredObject[]>;
}
