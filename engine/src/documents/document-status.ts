/** How mature a document says that it is. */
export type DocumentStatus = 'draft' | 'reviewed' | 'released' | 'obsolete' | 'unknown';
