/** Endings of documents that people write and of exports of their tools: one list for every command and for archives. */
const DOCUMENT_ENDINGS =
  'pdf|docx|xlsx|pptx|od[ts]|csv|md|markdown|html?|txt|text|rst|reqifz?|sdoc|trlc|json|ya?ml|xml';
/** Source text that carries tags. */
const SOURCE_ENDINGS = '[ch]|cc|cpp|hpp|java|kt|py|rs|go|ts|js|cs|m|feature|robot';

const DOCUMENT = new RegExp(`\\.(?:${DOCUMENT_ENDINGS}|zip)$`, 'i');
const READABLE = new RegExp(`\\.(?:${DOCUMENT_ENDINGS}|${SOURCE_ENDINGS})$`, 'i');

/** Whether a file of a folder is read, by its name; what it really is its content tells. */
export const isReadableFile = (name: string): boolean => READABLE.test(name);

/** Whether an entry of an archive is a document rather than an attachment. */
export const isDocumentFile = (name: string): boolean => DOCUMENT.test(name);
