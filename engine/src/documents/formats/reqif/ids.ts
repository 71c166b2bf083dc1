import type { ReqifElement, ReqifModel } from './model.js';

/** Attributes by which people name an object, best first (domain E.7); the ReqIF guide fixes the first one. */
const KEYS: readonly RegExp[] = [
  /^(?:ReqIF\.)?ForeignID$/i,
  /^(?:Object|Requirement|Req|Artifact|Work ?Item)[ _-]?(?:ID|Identifier|Number|Key)$/i,
  /^(?:ID|UID|Identifier|Kennung|Key|Nr\.?)$/i,
];

/**
 * The id of each object for people: the attribute that names it, else the identifier that the tool made. Bare numbers
 * that count anew in each specification, as DOORS modules do, get the specification's name before them.
 */
export function idsOfObjects(
  model: ReqifModel,
  specificationOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const uses = new Map<string, number>();
  for (const object of model.objects.values()) {
    const id = keyOf(object, model) || object.identifier;
    ids.set(object.identifier, id);
    uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  for (const [identifier, id] of ids) {
    const specification = specificationOf.get(identifier);
    if (uses.get(id)! > 1 && /^\d+$/.test(id) && specification) ids.set(identifier, `${specification}/${id}`);
  }
  return ids;
}

function keyOf(object: ReqifElement, model: ReqifModel): string {
  for (const key of KEYS) {
    for (const { definition, text } of object.values) {
      const id = text.trim().replace(/\s+/g, ' ');
      if (id && key.test(model.attributes.get(definition) ?? definition)) return id;
    }
  }
  return '';
}
