import { z } from 'zod';
import type { Criterion } from '../criterion.js';
import { StandardFileError } from './standard-file-error.js';
import type { StandardIdentity } from './standard-identity.js';

/**
 * The parts of an OSCAL catalog (NIST, version 1.x) that name demands. OSCAL documents carry much more;
 * it is passed over, so unknown keys are no error here.
 */
const propSchema = z.object({ name: z.string(), value: z.string(), class: z.string().optional() });
interface Part {
  readonly id?: string | undefined;
  readonly name: string;
  readonly prose?: string | undefined;
  readonly props?: readonly z.output<typeof propSchema>[] | undefined;
  readonly parts?: readonly Part[] | undefined;
}
const partSchema: z.ZodType<Part> = z.object({
  id: z.string().optional(),
  name: z.string(),
  prose: z.string().optional(),
  props: z.array(propSchema).optional(),
  get parts() {
    return z.array(partSchema).optional();
  },
});
const paramSchema = z.object({
  id: z.string(),
  label: z.string().optional(),
  select: z.object({ choice: z.array(z.string()).optional() }).optional(),
});
interface Control {
  readonly id: string;
  readonly title: string;
  readonly params?: readonly z.output<typeof paramSchema>[] | undefined;
  readonly props?: readonly z.output<typeof propSchema>[] | undefined;
  readonly parts?: readonly Part[] | undefined;
  readonly controls?: readonly Control[] | undefined;
}
const controlSchema: z.ZodType<Control> = z.object({
  id: z.string(),
  title: z.string(),
  params: z.array(paramSchema).optional(),
  props: z.array(propSchema).optional(),
  parts: z.array(partSchema).optional(),
  get controls() {
    return z.array(controlSchema).optional();
  },
});
interface Group {
  readonly id?: string | undefined;
  readonly title: string;
  readonly groups?: readonly Group[] | undefined;
  readonly controls?: readonly Control[] | undefined;
}
const groupSchema: z.ZodType<Group> = z.object({
  id: z.string().optional(),
  title: z.string(),
  get groups() {
    return z.array(groupSchema).optional();
  },
  controls: z.array(controlSchema).optional(),
});
const oscalSchema = z.object({
  catalog: z.object({
    metadata: z.object({ title: z.string(), version: z.string().optional() }),
    groups: z.array(groupSchema).optional(),
    controls: z.array(controlSchema).optional(),
  }),
});

export function isOscal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'catalog' in value;
}

/**
 * Each control that is not withdrawn becomes one criterion; its text is the control's statement with the
 * parameters' labels filled in. Control enhancements follow their control. Throws `StandardFileError`.
 */
export function criteriaFromOscal(value: unknown): {
  identity: Partial<StandardIdentity>;
  criteria: Criterion[];
} {
  const { catalog } = parseCatalog(value);
  const criteria: Criterion[] = [];
  const addControls = (controls: readonly Control[] | undefined, parentId: string | undefined): void => {
    for (const control of controls ?? []) {
      if (!isWithdrawn(control)) criteria.push(toCriterion(control, parentId));
      addControls(control.controls, parentId);
    }
  };
  const addGroups = (groups: readonly Group[] | undefined, parentId: string | undefined): void => {
    for (const group of groups ?? []) {
      const id = `group:${group.id ?? group.title}`;
      criteria.push({
        id,
        kind: 'group',
        ...(parentId === undefined ? {} : { parentId }),
        clause: (group.id ?? group.title).toUpperCase(),
        title: group.title,
        text: '',
        severity: 'low',
        obligation: 'shall',
      });
      addControls(group.controls, id);
      addGroups(group.groups, id);
    }
  };
  addControls(catalog.controls, undefined);
  addGroups(catalog.groups, undefined);
  if (!criteria.some(({ kind }) => kind === 'clause')) {
    throw new StandardFileError(
      [{ message: 'The catalog has no controls.' }],
      'A profile has to be resolved to a catalog before it is uploaded.',
    );
  }
  const { title, version } = catalog.metadata;
  return { identity: { designation: title, title, ...(version ? { edition: version } : {}) }, criteria };
}

function parseCatalog(value: unknown): z.output<typeof oscalSchema> {
  const result = attempt(() => oscalSchema.safeParse(value));
  if (result?.success) return result.data;
  const problems = result?.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? [
    { message: 'The file is nested too deeply.' },
  ];
  throw new StandardFileError(problems, 'Check the file against the OSCAL catalog schema.');
}

/** Undefined where the value is nested deeper than the stack. */
function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isWithdrawn({ props }: Control): boolean {
  return props?.some(({ name, value }) => name === 'status' && /^withdrawn$/i.test(value)) ?? false;
}

function toCriterion(control: Control, parentId: string | undefined): Criterion {
  const label = control.props?.find((prop) => prop.name === 'label' && prop.class === undefined)?.value;
  const id = label ?? control.id.toUpperCase();
  const labels = new Map(
    control.params?.map((param) => [param.id, param.label ?? param.select?.choice?.join(' / ') ?? param.id]),
  );
  const statement = control.parts?.filter(({ name }) => name === 'statement') ?? [];
  const text = statement
    .flatMap(proseOf)
    .join(' ')
    .replace(/\{\{\s*insert:\s*param,\s*([^}\s]+)\s*\}\}/g, (_, param: string) => labels.get(param) ?? param)
    .replace(/\s+/g, ' ')
    .trim();
  return {
    id,
    kind: 'clause',
    ...(parentId === undefined ? {} : { parentId }),
    clause: id,
    title: control.title,
    text: text || control.title,
    severity: 'high',
    obligation: 'shall',
  };
}

function proseOf(part: Part): string[] {
  return [...(part.prose ? [part.prose] : []), ...(part.parts ?? []).flatMap(proseOf)];
}
