import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { CONNECT_MILLISECONDS } from '../database/silent-connections.js';
import { confinedObjects } from './confined-objects.js';
import { answeredIn, withoutSilence } from './deadlines.js';
import { assertObjectKey, assertObjectPrefix } from './object-key.js';
import type { Objects, Storage } from './storage.js';

export interface S3StorageOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly clock: () => Date;
  /** Milliseconds that an answer may take. */
  readonly patience?: number;
}

/** A body travels at least this fast, in bytes a millisecond; else the other side is as good as silent. */
const SLOWEST = 64;
const COPY_MILLISECONDS = 60_000;

/** Storage in a bucket of any S3 server. The bucket exists already and is private. */
export function openS3Storage(options: S3StorageOptions): Storage {
  const client = new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    // Addresses of the kind <endpoint>/<bucket>/<key>: every S3 server understands them.
    forcePathStyle: true,
    // Without it the presigned address demands a checksum header that only this library computes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Requests are dated by the time of the installation, whatever the clock of this machine says.
    systemClockOffset: options.clock().getTime() - Date.now(),
    requestHandler: { connectionTimeout: CONNECT_MILLISECONDS },
  });
  const { patience = 10_000 } = options;
  const at = (key: string) => {
    assertObjectKey(key);
    return { Bucket: options.bucket, Key: key };
  };

  const pagesOf = async (wanted: { readonly Prefix: string } | { readonly Delimiter: string }) => {
    const pages: ListObjectsV2CommandOutput[] = [];
    for (let from: string | undefined; pages.length === 0 || from !== undefined; ) {
      const command = new ListObjectsV2Command({
        Bucket: options.bucket,
        ...wanted,
        ...(from === undefined ? {} : { ContinuationToken: from }),
      });
      const page = await answeredIn((abortSignal) => client.send(command, { abortSignal }), patience);
      pages.push(page);
      from = page.NextContinuationToken;
    }
    return pages;
  };

  const store: Objects = {
    async signUpload(terms) {
      const command = new PutObjectCommand({
        ...at(terms.key),
        ContentType: terms.contentType,
        ContentLength: terms.size,
      });
      const signingDate = options.clock();
      const url = await getSignedUrl(client, command, {
        expiresIn: terms.expiresInSeconds,
        signingDate,
        // Signed as headers, so that another type or size no longer fits the signature.
        signableHeaders: new Set(['host', 'content-type', 'content-length']),
        unhoistableHeaders: new Set(['content-type', 'content-length']),
      });
      return {
        url,
        headers: { 'Content-Type': terms.contentType },
        expiresAt: new Date(signingDate.getTime() + terms.expiresInSeconds * 1000),
      };
    },

    async size(key) {
      const found = await answeredIn(
        (abortSignal) =>
          client.send(new HeadObjectCommand(at(key)), { abortSignal }).catch(missingAsUndefined),
        patience,
      );
      return found?.ContentLength;
    },

    /** The bytes go past this service. */
    async digest() {
      return undefined;
    },

    async read(key) {
      const { Body } = await answeredIn(
        (abortSignal) => client.send(new GetObjectCommand(at(key)), { abortSignal }),
        patience,
      );
      if (!(Body instanceof Readable)) throw new Error('The storage answered without a body.');
      return withoutSilence(Body, patience);
    },

    async write(key, content, contentType) {
      const command = new PutObjectCommand({ ...at(key), Body: content, ContentType: contentType });
      await answeredIn(
        (abortSignal) => client.send(command, { abortSignal }),
        patience + content.length / SLOWEST,
      );
    },

    async writeFile(key, path, contentType) {
      const { size } = await stat(path);
      const Body = createReadStream(path);
      const command = new PutObjectCommand({
        ...at(key),
        Body,
        ContentLength: size,
        ContentType: contentType,
      });
      await answeredIn((abortSignal) => client.send(command, { abortSignal }), patience + size / SLOWEST);
    },

    async copy(from, to) {
      // A silent server is noticed here, in less time than copying may take.
      if ((await store.size(from)) === undefined) return false;
      const source = `${options.bucket}/${from}`;
      const command = new CopyObjectCommand({ ...at(to), CopySource: source });
      // The server copies before it answers.
      const made = await answeredIn(
        (abortSignal) => client.send(command, { abortSignal }).catch(missingAsUndefined),
        options.patience ?? COPY_MILLISECONDS,
      );
      return made !== undefined;
    },

    async delete(key) {
      await answeredIn(
        (abortSignal) => client.send(new DeleteObjectCommand(at(key)), { abortSignal }),
        patience,
      );
    },

    async deletePrefix(prefix) {
      assertObjectPrefix(prefix);
      // Every page is deleted before the next list, so the first page is always the next one. One by one,
      // because servers differ in the checksums that they demand for deleting many at once.
      for (;;) {
        const command = new ListObjectsV2Command({ Bucket: options.bucket, Prefix: prefix, MaxKeys: 50 });
        const page = await answeredIn((abortSignal) => client.send(command, { abortSignal }), patience);
        const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
        if (keys.length === 0) return;
        await Promise.all(keys.map((key) => store.delete(key)));
      }
    },

    async list(prefix) {
      assertObjectPrefix(prefix);
      const pages = await pagesOf({ Prefix: prefix });
      return pages.flatMap(({ Contents = [] }) =>
        Contents.flatMap(({ Key, LastModified }) =>
          Key !== undefined && LastModified ? [{ key: Key, modifiedAt: LastModified }] : [],
        ),
      );
    },
  };

  return {
    within: (workspaceId) => confinedObjects(store, workspaceId),

    async workspaces() {
      const pages = await pagesOf({ Delimiter: '/' });
      return pages.flatMap(({ CommonPrefixes = [] }) =>
        CommonPrefixes.flatMap(({ Prefix }) => (Prefix === undefined ? [] : [Prefix.slice(0, -1)])),
      );
    },

    async check() {
      const command = new HeadBucketCommand({ Bucket: options.bucket });
      await answeredIn((abortSignal) => client.send(command, { abortSignal }), patience);
    },
  };
}

function missingAsUndefined(error: unknown): undefined {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (status === 404) return undefined;
  throw error;
}
