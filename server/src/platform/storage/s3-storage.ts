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
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { confinedObjects } from './confined-objects.js';
import { assertObjectKey, assertObjectPrefix } from './object-key.js';
import type { Objects, Storage, StoredObject } from './storage.js';

export interface S3StorageOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly clock: () => Date;
}

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
  });
  const at = (key: string) => {
    assertObjectKey(key);
    return { Bucket: options.bucket, Key: key };
  };

  const pagesOf = (wanted: { readonly Prefix: string } | { readonly Delimiter: string }) =>
    paginateListObjectsV2({ client }, { Bucket: options.bucket, ...wanted });

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
      const found = await client.send(new HeadObjectCommand(at(key))).catch(missingAsUndefined);
      return found?.ContentLength;
    },

    async read(key) {
      const { Body } = await client.send(new GetObjectCommand(at(key)));
      if (!(Body instanceof Readable)) throw new Error('The storage answered without a body.');
      return Body;
    },

    async write(key, content, contentType) {
      await client.send(new PutObjectCommand({ ...at(key), Body: content, ContentType: contentType }));
    },

    async writeFile(key, path, contentType) {
      const { size } = await stat(path);
      const Body = createReadStream(path);
      await client.send(
        new PutObjectCommand({ ...at(key), Body, ContentLength: size, ContentType: contentType }),
      );
    },

    async copy(from, to) {
      assertObjectKey(from);
      const source = `${options.bucket}/${from}`;
      const made = await client
        .send(new CopyObjectCommand({ ...at(to), CopySource: source }))
        .catch(missingAsUndefined);
      return made !== undefined;
    },

    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },

    async deletePrefix(prefix) {
      assertObjectPrefix(prefix);
      // Every page is deleted before the next list, so the first page is always the next one. One by one,
      // because servers differ in the checksums that they demand for deleting many at once.
      for (;;) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: options.bucket, Prefix: prefix, MaxKeys: 50 }),
        );
        const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
        if (keys.length === 0) return;
        await Promise.all(keys.map((key) => client.send(new DeleteObjectCommand(at(key)))));
      }
    },

    async list(prefix) {
      assertObjectPrefix(prefix);
      const found: StoredObject[] = [];
      for await (const page of pagesOf({ Prefix: prefix })) {
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key !== undefined && LastModified) found.push({ key: Key, modifiedAt: LastModified });
        }
      }
      return found;
    },
  };

  return {
    within: (workspaceId) => confinedObjects(store, workspaceId),

    async workspaces() {
      const found: string[] = [];
      for await (const page of pagesOf({ Delimiter: '/' })) {
        for (const { Prefix } of page.CommonPrefixes ?? []) if (Prefix) found.push(Prefix.slice(0, -1));
      }
      return found;
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket: options.bucket }));
    },
  };
}

function missingAsUndefined(error: unknown): undefined {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (status === 404) return undefined;
  throw error;
}
