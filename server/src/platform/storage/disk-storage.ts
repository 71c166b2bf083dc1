import { createHash, createHmac, type Hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { type BigIntStats, constants, createWriteStream } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { freeBytes } from '../disk-space.js';
import { ApiError } from '../http/api-error.js';
import { confinedObjects } from './confined-objects.js';
import { assertObjectKey, assertObjectPrefix } from './object-key.js';
import type { Objects, Storage, StoredObject, UploadTerms } from './storage.js';

export interface DiskStorageOptions {
  /** Holds the objects, unfinished files and the signing key. Shared by all processes of an installation. */
  readonly directory: string;
  /** Public address of the service; signed addresses are `<baseUrl>/uploads/<key>?…`. */
  readonly baseUrl: string;
  readonly clock: () => Date;
  /** Bytes that uploads leave free on the disk. */
  readonly minFreeBytes: number;
}

/** What arrives at a signed address. */
export interface IncomingUpload {
  readonly method: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
  readonly body: Readable;
}

/** Storage on the local disk. It also receives what is sent to the addresses it signs. */
export interface DiskStorage extends Storage {
  /** Checks the signature and every term, then streams to disk. Throws `ApiError`. */
  receive(upload: IncomingUpload): Promise<void>;
}

/** Opens the storage; makes the folders and, at the very first start, the signing key. */
export async function openDiskStorage(options: DiskStorageOptions): Promise<DiskStorage> {
  const objects = join(options.directory, 'files');
  const unfinished = join(options.directory, 'unfinished');
  // Documents of customers are nobody else's on this machine.
  await mkdir(objects, { recursive: true, mode: 0o700 });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const digests = createDigests();
  const secret = await signingKey(join(options.directory, 'signing-key'));

  const pathOf = (key: string): string => {
    assertObjectKey(key);
    return join(objects, key);
  };
  const sign = (terms: Omit<UploadTerms, 'expiresInSeconds'>, expires: number): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['PUT', terms.key, terms.size, terms.contentType, expires]))
      .digest();

  /** Moves a finished file into place; after it the object is there completely, also after a power cut. */
  const publish = async (temporary: string, path: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  };

  const store: Objects = {
    async signUpload(terms) {
      assertObjectKey(terms.key);
      const expires = Math.floor(options.clock().getTime() / 1000) + terms.expiresInSeconds;
      const query = new URLSearchParams({
        expires: String(expires),
        size: String(terms.size),
        type: terms.contentType,
        signature: sign(terms, expires).toString('hex'),
      });
      return {
        url: `${options.baseUrl}/uploads/${terms.key}?${query}`,
        headers: { 'Content-Type': terms.contentType },
        expiresAt: new Date(expires * 1000),
      };
    },

    async size(key) {
      const found = await stat(pathOf(key)).catch(missingAsUndefined);
      return found?.size;
    },

    async digest(key) {
      const file = await stat(pathOf(key), { bigint: true }).catch(missingAsUndefined);
      const sha256 = file && digests.get(identityOf(file));
      return sha256 === undefined ? undefined : { size: Number(file!.size), sha256 };
    },

    async read(key) {
      const file = await open(pathOf(key));
      return file.createReadStream();
    },

    async write(key, content) {
      const path = pathOf(key);
      const temporary = join(unfinished, randomUUID());
      try {
        await writeFile(temporary, content, { flag: 'wx', flush: true });
        await publish(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async writeFile(key, from) {
      const path = pathOf(key);
      const temporary = join(unfinished, randomUUID());
      try {
        await copyFile(from, temporary, constants.COPYFILE_EXCL);
        await publish(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async copy(from, to) {
      const source = pathOf(from);
      const temporary = join(unfinished, randomUUID());
      // Files are replaced by renaming, never written in place, so a second link stays what it was.
      const made = await link(source, temporary)
        .catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') throw error;
          return copyFile(source, temporary);
        })
        .then(() => true, missingAsUndefined);
      if (!made) return false;
      await publish(temporary, pathOf(to));
      // Renaming one link of a file onto another one of the same file does nothing.
      await rm(temporary, { force: true });
      return true;
    },

    async delete(key) {
      await rm(pathOf(key), { force: true });
    },

    async list(prefix) {
      assertObjectPrefix(prefix);
      const entries = await readdir(join(objects, prefix), { recursive: true, withFileTypes: true }).catch(
        missingAsUndefined,
      );
      const found: StoredObject[] = [];
      for (const entry of entries ?? []) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const file = await stat(path).catch(missingAsUndefined);
        const key = relative(objects, path).split(sep).join('/');
        if (file) found.push({ key, modifiedAt: file.mtime });
      }
      return found;
    },

    async deletePrefix(prefix) {
      assertObjectPrefix(prefix);
      await rm(join(objects, prefix), { recursive: true, force: true });
    },
  };

  return {
    within: (workspaceId) => confinedObjects(store, workspaceId),

    async receive(upload) {
      const expires = Number(upload.query.expires);
      const size = Number(upload.query.size);
      const contentType = upload.query.type ?? '';
      const expected = sign({ key: upload.key, size, contentType }, expires);
      const given = Buffer.from(upload.query.signature ?? '', 'hex');
      if (upload.method !== 'PUT' || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new ApiError('AUTHORIZATION_ERROR', 'The signature of this upload address is not valid.');
      }
      if (options.clock().getTime() >= expires * 1000) {
        throw new ApiError('AUTHORIZATION_ERROR', 'This upload address has expired. Ask for a new one.');
      }
      if (upload.contentType !== contentType) {
        throw new ApiError(
          'AUTHORIZATION_ERROR',
          `This upload address accepts the content type ${contentType} only.`,
        );
      }
      if (upload.contentLength === undefined) {
        throw new ApiError('BAD_REQUEST', 'Send the size of the file in the header Content-Length.');
      }
      if (Number(upload.contentLength) !== size) {
        throw new ApiError(
          'AUTHORIZATION_ERROR',
          `This upload address accepts a file of exactly ${size} bytes.`,
        );
      }
      const path = pathOf(upload.key);
      if ((await freeBytes(unfinished)) - size < options.minFreeBytes) {
        throw new ApiError(
          'STORAGE_FULL',
          'The service has no room for this file. Nothing was kept. Tell the operator, and send it again when there is room.',
        );
      }
      const temporary = join(unfinished, randomUUID());
      const hash = createHash('sha256');
      try {
        await pipeline(
          upload.body,
          exactly(size, hash),
          createWriteStream(temporary, { flags: 'wx', flush: true, highWaterMark: WAITING_BYTES }),
        );
        digests.set(identityOf(await stat(temporary, { bigint: true })), hash.digest('hex'));
        await publish(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async workspaces() {
      return readdir(objects);
    },

    async check() {
      const probe = join(unfinished, `check-${randomUUID()}`);
      await writeFile(probe, '', { flag: 'wx' });
      await rm(probe);
    },
  };
}

/** Bytes that may wait for the disk. */
const WAITING_BYTES = 1024 * 1024;
/** Files whose hash is kept until their upload is completed. */
const MOST_DIGESTS = 10_000;

/** Hashes of files that came by, the latest ones. */
function createDigests() {
  const kept = new Map<string, string>();
  return {
    get: (identity: string) => kept.get(identity),
    set(identity: string, sha256: string): void {
      kept.set(identity, sha256);
      if (kept.size > MOST_DIGESTS) kept.delete(kept.keys().next().value!);
    },
  };
}

/** What no other file has, and this one only as long as nobody writes into it; links and moves keep it. */
function identityOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs}`;
}

/** Lets exactly `size` bytes through, and hashes them; a byte more or less is refused while streaming. */
function exactly(size: number, hash: Hash): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > size)
        done(new ApiError('PAYLOAD_TOO_LARGE', `The file is larger than the announced ${size} bytes.`));
      else {
        hash.update(chunk);
        done(null, chunk);
      }
    },
    flush(done) {
      if (seen < size) done(new ApiError('BAD_REQUEST', `The file ended after ${seen} of ${size} bytes.`));
      else done();
    },
  });
}

/** Reads the key, or makes it; of several processes that start at once, all end up with the same one. */
async function signingKey(path: string): Promise<Buffer> {
  const own = `${path}-${randomUUID()}`;
  await writeFile(own, randomBytes(32), { mode: 0o600, flush: true });
  await link(own, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(own);
  await syncDirectory(dirname(path));
  const key = await readFile(path);
  if (key.length !== 32) {
    throw new Error(
      `The key in ${path} is damaged: it has ${key.length} bytes instead of 32. Remove the file and start again: a new key is ` +
        'made, and only files that are being sent just now have to be announced again.',
    );
  }
  return key;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function missingAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
