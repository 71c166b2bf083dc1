import { join } from 'node:path';
import type { Configuration } from '../configuration/configuration.js';
import { type DiskStorage, openDiskStorage } from './disk-storage.js';
import type { Storage } from './storage.js';

/**
 * Opens what `STORAGE` names. `uploads` is there where files are sent to our own service: it needs
 * the route of `uploadRoute`.
 */
export async function openStorage(
  configuration: Pick<Configuration, 'storage' | 'dataDirectory' | 'baseUrl' | 'minFreeBytes'>,
  clock: () => Date,
): Promise<{ readonly storage: Storage; readonly uploads?: DiskStorage }> {
  if (configuration.storage.kind === 's3') {
    // Takes longer to load than the rest of the storage together.
    const { openS3Storage } = await import('./s3-storage.js');
    return { storage: openS3Storage({ ...configuration.storage, clock }) };
  }
  const disk = await openDiskStorage({
    directory: join(configuration.dataDirectory, 'objects'),
    baseUrl: configuration.baseUrl,
    minFreeBytes: configuration.minFreeBytes,
    clock,
  });
  return { storage: disk, uploads: disk };
}
