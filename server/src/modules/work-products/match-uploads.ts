import { READABLE_FORMATS } from '@normtrace/engine';
import { ApiError } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { cleanFileName, titleOf } from '../uploads/file-name.js';
import { requireRoomForFile } from '../uploads/quota.js';
import { findNames, findSameBytes, type NamedRow } from './work-product-lists.repository.js';
import type { UploadMatch, UploadMatches } from './work-products.schemas.js';

type Match = UploadMatches['files'][number];

const MOST_CANDIDATES = 5;
const ENDINGS: ReadonlySet<string> = new Set(READABLE_FORMATS.flatMap(({ endings }) => endings));

/** What files would be in a workspace: there already, the next version of something, or nothing that can be kept. */
export async function matchUploads(
  { transaction, dependencies }: Pick<WriteContext, 'transaction' | 'dependencies'>,
  { workspace_id: workspaceId, files }: UploadMatch,
): Promise<UploadMatches> {
  const { configuration } = dependencies;
  const sums = files.flatMap(({ sha256 }) => (sha256 ? [sha256.toLowerCase()] : []));
  const [same, documents] = await Promise.all([
    findSameBytes(transaction, workspaceId, sums),
    findNames(transaction, workspaceId),
  ]);
  const byFileName = grouped(documents, ({ original_filename }) => original_filename.toLowerCase());
  const byTitle = grouped(documents, ({ original_filename }) => comparableTitle(original_filename));
  const matches: Match[] = [];
  for (const file of files) {
    const name = cleanFileName(file.filename);
    const known = same.find(({ sha256 }) => sha256 === file.sha256?.toLowerCase());
    const sameName = name === undefined ? [] : (byFileName.get(name.toLowerCase()) ?? []);
    const title = name === undefined ? '' : comparableTitle(name);
    const sameTitle = title === '' ? [] : (byTitle.get(title) ?? []).filter((one) => !sameName.includes(one));
    matches.push({
      filename: file.filename,
      same_as: known
        ? { id: known.id, name: known.name, version: known.version, is_newest: known.is_newest }
        : null,
      next_version_of: [
        ...sameName.map((one) => candidate(one, 'same_filename')),
        ...sameTitle.map((one) => candidate(one, 'same_title')),
      ].slice(0, MOST_CANDIDATES),
      refused: refusalOf(name, file.size, configuration.maxUploadBytes),
    });
  }
  return { files: await withoutRoom({ transaction, configuration }, workspaceId, files, matches) };
}

const candidate = ({ id, name, version }: NamedRow, why: 'same_filename' | 'same_title') => ({
  id,
  name,
  version,
  why,
});

function refusalOf(name: string | undefined, size: number, most: number): Match['refused'] {
  if (name === undefined) return { code: 'invalid_filename', message: 'Nothing of this name can be kept.' };
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending !== 'zip' && !ENDINGS.has(ending)) {
    return { code: 'unsupported_type', message: 'Files with this ending are not read.' };
  }
  if (size > most) return { code: 'too_large', message: `A file may have at most ${most} bytes.` };
  return null;
}

/** Refuses, in their order, those for which the workspace has no room beside the ones before. */
async function withoutRoom(
  tools: Pick<WriteContext, 'transaction'> & Pick<WriteContext['dependencies'], 'configuration'>,
  workspaceId: string,
  files: UploadMatch['files'],
  matches: readonly Match[],
): Promise<Match[]> {
  const { quota } = tools.configuration;
  const coming = matches.map((match, at) =>
    match.refused === null && match.same_as?.is_newest !== true ? (files[at]?.size ?? 0) : undefined,
  );
  if (quota.bytes === undefined && quota.workProducts === undefined) return [...matches];
  let bytes = 0;
  const settled: Match[] = [];
  for (const [at, match] of matches.entries()) {
    const size = coming[at];
    try {
      if (size !== undefined) {
        await requireRoomForFile(tools.transaction, tools.configuration, {
          workspaceId,
          bytes: bytes + size,
        });
        bytes += size;
      }
      settled.push(match);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      settled.push({ ...match, refused: { code: 'no_room', message: error.message } });
    }
  }
  return settled;
}

/**
 * A file name without what differs from version to version: the ending, versions ("_v3", "Rev B"), dates and numbers of
 * copies at its end. A number alone stays: "Part 5" and "Part 6" are two documents.
 */
export function comparableTitle(fileName: string): string {
  let title = titleOf(fileName).toLowerCase().normalize('NFKC');
  for (let before = ''; before !== title; ) {
    before = title;
    title = title
      .replace(/\s*\(\d{1,3}\)$/, '')
      .replace(/[\s._-]+(?:v|ver|version|rev|revision)[\s._-]*\d+(?:[._-]\d+)*$/, '')
      .replace(/[\s._-]+(?:rev|revision)[\s._-]*[a-z]$/, '')
      .replace(/[\s._-]+(?:\d{4}-?\d{2}-?\d{2}|\d{1,2}\.\d{1,2}\.\d{4})$/, '')
      .replace(/[\s._-]+$/, '');
  }
  return title.replace(/[\s._-]+/g, ' ').trim();
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
