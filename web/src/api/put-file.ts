import { type Api, ApiFailure } from './client.ts';

/** Sends a file to the address of an upload. `fetch` does not tell how much was sent. */
export function putFile(
  { upload_url: url, headers }: Pick<Api['WorkProductUploadSession'], 'upload_url' | 'headers'>,
  file: File,
  onShare: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total);
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new ApiFailure(request.status, errorIn(request.responseText)));
    request.onerror = () => reject(new ApiFailure(0, {}));
    request.send(file);
  });
}

function errorIn(text: string): Partial<Api['Error']['error']> {
  try {
    return (JSON.parse(text) as Partial<Api['Error']>).error ?? {};
  } catch {
    // The storage of objects answers in XML.
    return {};
  }
}
