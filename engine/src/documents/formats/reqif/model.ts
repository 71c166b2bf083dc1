import { createKeptText, type KeptText } from '../../records/kept-text.js';

/** Value of one attribute; enumerations and references are resolved when everything has been read. */
export interface ReqifValue {
  /** Identifier of the attribute's definition. */
  definition: string;
  text: string;
  /** Identifiers of enumeration values, instead of a text. */
  choices?: string[];
}

export interface ReqifElement {
  readonly identifier: string;
  readonly name: string;
  readonly description: string;
  readonly line: number;
  type: string;
  readonly values: ReqifValue[];
}

export interface ReqifRelation extends ReqifElement {
  source: string;
  target: string;
}

/** A specification and its objects in order; `depth` 1 is outermost. */
export interface ReqifSpecification extends ReqifElement {
  readonly entries: { object: string; readonly depth: number }[];
}

export interface ReqifGroup extends ReqifElement {
  readonly relations: string[];
}

/** What the files of one exchange say, before anything is resolved. */
export interface ReqifModel {
  readonly kept: KeptText;
  title: string;
  created: string;
  /** Names of attributes, types and enumeration values by identifier. */
  readonly attributes: Map<string, string>;
  readonly types: Map<string, string>;
  readonly choices: Map<string, string>;
  readonly objects: Map<string, ReqifElement>;
  readonly relations: ReqifRelation[];
  readonly specifications: ReqifSpecification[];
  readonly groups: ReqifGroup[];
  /** Objects that the text of a value embeds: pictures, OLE objects. */
  embedded: number;
  /** Objects whose identifier was taken already; the first one counts. */
  readonly repeated: ReqifElement[];
}

export function emptyModel(): ReqifModel {
  return {
    kept: createKeptText(),
    title: '',
    created: '',
    attributes: new Map(),
    types: new Map(),
    choices: new Map(),
    objects: new Map(),
    relations: [],
    specifications: [],
    groups: [],
    embedded: 0,
    repeated: [],
  };
}
