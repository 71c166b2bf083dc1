import { look } from '../look/look.ts';
import { ApiFailure } from './client.ts';

/**
 * Puts an answer of the service on the disk under the name that it has, in the language of the reader: a link would ask in that of
 * the browser. Throws `ApiFailure`.
 */
export async function download(address: string): Promise<void> {
  const response = await fetch(address, { headers: { 'Accept-Language': look().language } }).catch(() => {
    throw new ApiFailure(0, {});
  });
  if (!response.ok) throw new ApiFailure(response.status, {});
  const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name ?? '';
  link.click();
  URL.revokeObjectURL(link.href);
}
