import {
  type Criterion,
  createDocumentReader,
  hasLicenceMark,
  readStandardFile,
  type StandardIdentity,
} from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { processesForReading } from '../engine/free-core.js';

export interface ReadStandardInput {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly standardId: string;
  readonly identity: Partial<StandardIdentity>;
}

export interface ReadStandardOutput {
  readonly criteria: readonly Criterion[];
  /** The copy bears the mark of a licence for one person. */
  readonly licenceMark: boolean;
}

const reader = createDocumentReader({ processes: processesForReading });

/** Takes the criteria from an uploaded standard. */
export const readStandardTask: EngineTask<ReadStandardInput, ReadStandardOutput> = {
  name: 'readStandard',
  processorSeconds: 120,
  work: async ({ bytes, fileName, standardId, identity }, context) => {
    let licenceMark = false;
    const standard = await readStandardFile(bytes, fileName, {
      id: standardId,
      identity,
      readDocument: async (content, name) => {
        const document = await reader.read(content, { fileName: name, signal: context.signal });
        licenceMark = hasLicenceMark(document.text);
        return document;
      },
    });
    return { result: { criteria: standard.criteria, licenceMark } };
  },
};
