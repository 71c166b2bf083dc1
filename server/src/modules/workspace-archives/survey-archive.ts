import { catalogEntry, listChecklistIds, listDocumentTypeIds } from '@normtrace/engine';
import { ApiError } from '../../platform/http/api-error.js';
import { fromYaml as readChecklist } from '../checklists/checklist-files.js';
import { readTemplate } from '../templates/templates.service.js';
import { storableId } from '../traceability/trace-columns.js';
import { type RowOf, withPersons } from './archive-rows.schemas.js';
import { standardKey, versionKey } from './object-keys.js';
import { type Archive, ArchiveRefused } from './read-archive.js';
import { type Placed, refuseTooManyRows, refuseUnknownTables, rowsOf } from './read-rows.js';
import { aboutOf, seriesOf } from './series.js';
import { withdrawnItems } from './withdrawn-items.js';

/** A file that a row names by its SHA-256. */
export interface NamedFile {
  readonly sha256: string;
  readonly size: number;
  readonly type: string;
  /** Has to be a ZIP file. */
  readonly isZip: boolean;
  /** Below the workspace. */
  readonly key: string;
  readonly where: string;
}

export interface Survey {
  readonly files: readonly NamedFile[];
  /** Ids that are kept, by table of the database. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Bytes of documents and number of work products, for the quota. */
  readonly bytes: number;
  readonly workProducts: number;
}

/** Analyses that an import starts again at most. */
const MAX_RUNS = 200;

/** Throws when the value was there before; messages name the place and the column, never the value. */
function unique(column: string): (value: string, where: string) => void {
  const seen = new Set<string>();
  return (value, where) => {
    if (seen.has(value)) throw new ArchiveRefused(`${where}, column ${column}: another row has the same.`);
    seen.add(value);
  };
}

const refuse = (where: string, column: string, problem: string): never => {
  throw new ArchiveRefused(`${where}, column ${column}: ${problem}`);
};

/**
 * Reads all rows once, so that everything about them – each by itself, and what they say of each other – is known to be in
 * order before the first one is stored. Throws `ArchiveRefused`.
 */
export async function surveyArchive(archive: Archive): Promise<Survey> {
  refuseUnknownTables(archive);
  await refuseTooManyRows(archive);
  const persons = new Set<string>();
  for (const { id } of archive.manifest.people) {
    if (persons.has(id)) throw new ArchiveRefused('The manifest names a person twice.');
    persons.add(id);
  }
  const known = <Row>({ row, where }: Placed<Row>): void => {
    withPersons(row, (id) =>
      persons.has(id) ? id : refuse(where, 'of a person', 'somebody whom the manifest does not name.'),
    );
  };
  const { files, standards, ...documents } = await surveyDocuments(archive, known);
  const checklists = await surveyDefinitions(archive, known);
  await surveyTrace(archive, known);
  const isStandard = (id: string): boolean => standards.includes(id);
  const isChecklist = (id: string): boolean => checklists.all.has(id);
  await surveyRuns(archive, {
    isStandard,
    isChecklist,
    templates: checklists.templates,
    versions: documents.versions,
  });
  const gaps = await surveyDecisions(archive, known, { isStandard, isChecklist });
  const answered = await surveyAnswers(archive, known, { isChecklist, versions: documents.versions });
  return {
    files,
    bytes: documents.bytes,
    workProducts: documents.ids.length,
    ids: new Map([
      ['standards', standards],
      ['work_products', documents.ids],
      ['templates', checklists.ownTemplates],
      ['checklists', checklists.own],
      ['gaps', gaps],
      ['checklist_answers', answered.answers],
      ['checklist_releases', answered.releases],
    ]),
  };
}

type Known = <Row>(placed: Placed<Row>) => void;
/** SHA-256 by `<work product> <version>`, and by `<work product>` for whether there is one. */
type Versions = ReadonlyMap<string, string>;

async function surveyDocuments(archive: Archive, known: Known) {
  const files: NamedFile[] = [];
  const standards: string[] = [];
  const uniqueStandard = unique('id');
  for await (const placed of rowsOf(archive, 'standards')) {
    const { row, where } = placed;
    known(placed);
    uniqueStandard(row.id, where);
    standards.push(row.id);
    if (row.catalog_id !== null) {
      const entry = await catalogEntry(row.catalog_id);
      if (!entry || entry.builtinStructure === 'none') {
        refuse(where, 'catalog_id', 'the catalog of this version has no such standard to adopt.');
      }
    }
    if (row.file === null) continue;
    const { sha256, file_size: size, file_type: type } = row.file;
    files.push({ sha256, size, type, isZip: false, key: standardKey(row.id, sha256), where });
  }
  const ids: string[] = [];
  const versions = new Map<string, string>();
  const sources = new Map<string, Placed<string>>();
  const uniqueId = unique('id');
  let bytes = 0;
  for await (const placed of rowsOf(archive, 'work_products')) {
    const { row, where } = placed;
    known(placed);
    uniqueId(row.id, where);
    ids.push(row.id);
    versions.set(row.id, '');
    if (row.source?.work_product_id) sources.set(row.id, { row: row.source.work_product_id, where });
    for (const { version, sha256, file_size: size, file_type: type, unpacked } of row.versions) {
      versions.set(`${row.id} ${version}`, sha256);
      bytes += size;
      files.push({ sha256, size, type, isZip: unpacked, key: versionKey(row.id, version, sha256), where });
    }
  }
  for (const [id, { row: source, where }] of sources) {
    if (!versions.has(source))
      refuse(where, 'source.work_product_id', 'the archive has no such work product.');
    const seen = new Set([id]);
    for (let at: string | undefined = source; at !== undefined; at = sources.get(at)?.row) {
      if (seen.has(at))
        refuse(where, 'source.work_product_id', 'documents come out of each other in a circle.');
      seen.add(at);
    }
  }
  return { files, standards, ids, versions: versions as Versions, bytes };
}

/** Templates and checklists are read from what people wrote, as a request with the same text would be. */
async function surveyDefinitions(archive: Archive, known: Known) {
  const ownTemplates: string[] = [];
  const [uniqueTemplate, uniqueType] = [unique('id'), unique('yaml')];
  for await (const placed of rowsOf(archive, 'templates')) {
    const { row, where } = placed;
    known(placed);
    uniqueTemplate(row.id, where);
    const { definition } = await reading(where, () => readTemplate(row.yaml));
    uniqueType(definition.id, where);
    ownTemplates.push(row.id);
  }
  const own: string[] = [];
  const [uniqueChecklist, uniqueKey] = [unique('id'), unique('yaml')];
  for await (const placed of rowsOf(archive, 'checklists')) {
    const { row, where } = placed;
    known(placed);
    uniqueChecklist(row.id, where);
    const { definition } = await reading(where, () => readChecklist(row.yaml));
    await reading(where, () => withdrawnItems(row));
    uniqueKey(definition.id, where);
    own.push(row.id);
  }
  return {
    ownTemplates,
    templates: new Set<string>([...(await listDocumentTypeIds()), ...ownTemplates]),
    own,
    all: new Set<string>([...(await listChecklistIds()), ...own]),
  };
}

async function reading<T>(where: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refuse(where, 'yaml', `${error.message} It is checked as in a request.`);
  }
}

async function surveyTrace(archive: Archive, known: Known): Promise<void> {
  const uniqueArtifact = unique('artifact_id');
  for await (const placed of rowsOf(archive, 'artifacts')) {
    known(placed);
    uniqueArtifact(storableId(placed.row.artifact_id), placed.where);
  }
  const said = ({
    source_id,
    link_type,
    target_id,
  }: Pick<RowOf<'trace_links'>, 'source_id' | 'link_type' | 'target_id'>) =>
    JSON.stringify([storableId(source_id), link_type, storableId(target_id)]);
  const uniqueLink = unique('target_id');
  for await (const placed of rowsOf(archive, 'trace_links')) {
    known(placed);
    uniqueLink(said(placed.row), placed.where);
  }
  const uniqueType = unique('artifact_id');
  for await (const placed of rowsOf(archive, 'artifact_types')) {
    known(placed);
    uniqueType(storableId(placed.row.artifact_id), placed.where);
  }
  const uniqueReview = unique('target_id');
  for await (const placed of rowsOf(archive, 'trace_link_reviews')) {
    known(placed);
    uniqueReview(said(placed.row), placed.where);
  }
}

async function surveyRuns(
  archive: Archive,
  there: {
    isStandard(id: string): boolean;
    isChecklist(id: string): boolean;
    readonly templates: ReadonlySet<string>;
    readonly versions: Versions;
  },
): Promise<void> {
  const uniqueSeries = unique('type');
  let count = 0;
  for await (const { row, where } of rowsOf(archive, 'runs')) {
    if (++count > MAX_RUNS)
      throw new ArchiveRefused(`The archive has more than ${MAX_RUNS} analyses to start again.`);
    uniqueSeries(seriesOf(row.type, aboutOf(row)), where);
    if (row.type === 'gap_analysis' && !there.isStandard(row.standard_id)) {
      refuse(where, 'standard_id', 'the archive has no such standard.');
    }
    if (row.type === 'checklist' && !there.isChecklist(row.checklist_id)) {
      refuse(where, 'checklist_id', 'the archive has no such checklist.');
    }
    if (row.type === 'completeness' && row.template_id !== null && !there.templates.has(row.template_id)) {
      refuse(where, 'template_id', 'the archive has no such template.');
    }
    const ids = 'work_product_ids' in row ? (row.work_product_ids ?? []) : [];
    if (!ids.every((id) => there.versions.has(id))) {
      refuse(where, 'work_product_ids', 'the archive has no such work product.');
    }
  }
}

async function surveyDecisions(
  archive: Archive,
  known: Known,
  there: { isStandard(id: string): boolean; isChecklist(id: string): boolean },
): Promise<readonly string[]> {
  const [uniqueId, uniqueGap] = [unique('gap_id'), unique('fingerprint')];
  const ids: string[] = [];
  for await (const placed of rowsOf(archive, 'gap_decisions')) {
    const { row, where } = placed;
    known(placed);
    uniqueId(row.gap_id, where);
    uniqueGap(`${seriesOf(row.type, row.about)} ${row.fingerprint}`, where);
    const { type, about } = row;
    const isThere =
      type === 'gap_analysis'
        ? about !== null && there.isStandard(about)
        : type === 'checklist'
          ? about !== null && there.isChecklist(about)
          : about === null;
    if (!isThere) refuse(where, 'about', 'the archive has no such standard or checklist.');
    ids.push(row.gap_id);
  }
  return ids;
}

async function surveyAnswers(
  archive: Archive,
  known: Known,
  there: { isChecklist(id: string): boolean; readonly versions: Versions },
) {
  const answers: string[] = [];
  const uniqueAnswer = unique('id');
  for await (const placed of rowsOf(archive, 'checklist_answers')) {
    const { row, where } = placed;
    known(placed);
    uniqueAnswer(row.id, where);
    if (!there.isChecklist(row.checklist_id))
      refuse(where, 'checklist_id', 'the archive has no such checklist.');
    answers.push(row.id);
  }
  const releases: string[] = [];
  const uniqueRelease = unique('id');
  for await (const placed of rowsOf(archive, 'checklist_releases')) {
    const { row, where } = placed;
    known(placed);
    uniqueRelease(row.id, where);
    if (!there.isChecklist(row.checklist_id))
      refuse(where, 'checklist_id', 'the archive has no such checklist.');
    releases.push(row.id);
  }
  return { answers, releases };
}
