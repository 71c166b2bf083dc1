import { SPECIFICATION_ID } from '../../documents/text-patterns.js';

/** The three parts of `dsn~brake-limit~2`. */
export interface SpecificationId {
  readonly type: string;
  readonly name: string;
  readonly revision: number;
}

/** The source of references by which a specification item covers others: such an id means what is defined under it. */
export const COVERS = 'covers';

const WHOLE = new RegExp(`^${SPECIFICATION_ID}$`, 'u');

/** The parts of the id of a specification item as OpenFastTrace writes it; undefined for any other id. */
export function readSpecificationId(id: string): SpecificationId | undefined {
  if (!id.includes('~') || !WHOLE.test(id)) return undefined;
  const name = id.indexOf('~') + 1;
  const revision = id.indexOf('~', name) + 1;
  return {
    type: id.slice(0, name - 1),
    name: id.slice(name, revision - 1),
    revision: Number(id.slice(revision)),
  };
}
