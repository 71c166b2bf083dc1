// Where the files of an archive lie, below the workspace that it becomes: nothing of it comes from the archive but ids and
// hashes that were checked.

/** In the folder of an upload, which goes with the text: see `eraseEverywhere`. */
export const standardKey = (standardId: string, sha256: string): string =>
  `standards/${standardId}/${standardId}/${sha256.slice(0, 32)}`;
export const versionKey = (workProductId: string, version: number, sha256: string): string =>
  `work-products/${workProductId}/v${version}-${sha256.slice(0, 32)}`;
