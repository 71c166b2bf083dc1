import { z } from 'zod';
import { keySchema, type Phrases, phrasesSchema } from '../../data/shared-schemas.js';
import { ARTIFACT_TYPES } from '../../facts/artifacts/artifact.js';

/** What the data keep a list of: a name that is not in it is refused when a checklist is loaded. */
export type ReferenceKind =
  | 'document type'
  | 'section'
  | 'column'
  | 'metadata field'
  | 'consistency rule'
  | 'wording rule';

/** What stands in the parameters of one check. */
export type Told =
  | { readonly kind: ReferenceKind; readonly value: string }
  /** Words to look for in the documents. */
  | { readonly kind: 'phrases'; readonly value: Phrases };

type Kind = Told['kind'] | 'nothing';

/** A schema whose text says what it is. */
export interface Declared {
  readonly '~declared': true;
}

const kinds = z.registry<{ readonly kind: Kind }>();

/** The kind goes with the very schema: give it one of its own. */
function tells<Schema extends z.ZodType>(kind: Kind, schema: Schema) {
  kinds.add(schema, { kind });
  return schema as Schema & Declared;
}

/** Text that names nothing of the data: a title for a person, an expression, the key of a column within its table. */
export const plain = <Schema extends z.ZodType>(schema: Schema) => tells('nothing', schema);

const documentType = tells('document type', keySchema.clone());
const section = tells(
  'section',
  z.string().regex(/^[a-z0-9_-]+\.[a-z0-9_-]+$/, 'Write <document type>.<section>'),
);
const column = tells(
  'column',
  z.string().regex(/^[a-z0-9_-]+\.[a-z0-9_-]+\.[a-z0-9_-]+$/, 'Write <document type>.<table>.<column>'),
);

export const documentTypes = z.array(documentType).min(1);
export const sections = z.array(section);
export const columns = z.array(column);
export const metadataFields = z.array(tells('metadata field', keySchema.clone())).min(1);
export const consistencyRules = z.array(tells('consistency rule', keySchema.clone())).min(1);
export const wordingRules = z.array(tells('wording rule', z.string().regex(/^RQQ-\d\d$/)));
export const phrases = tells('phrases', phrasesSchema.clone());
/** Each group is one part of a demand. */
export const groups = z.array(phrases).min(1);

export const artifactTypes = z.array(z.enum(ARTIFACT_TYPES)).min(1);
/** In percent. */
export const share = z.number().min(0).max(100);
export const expression = plain(
  z.string().refine((source) => {
    try {
      return Boolean(new RegExp(source, 'iu'));
    } catch {
      return false;
    }
  }, 'This is no regular expression'),
);
/** A key of the record or the table that is looked at. */
export const key = plain(keySchema.clone());

type IsDeclared<Schema> = Schema extends Declared | z.ZodEnum | z.ZodLiteral | z.ZodNumber | z.ZodBoolean
  ? true
  : Schema extends z.ZodOptional<infer Inner> | z.ZodDefault<infer Inner> | z.ZodArray<infer Inner>
    ? IsDeclared<Inner>
    : Schema extends z.ZodUnion<infer Options>
      ? IsDeclared<Options[number]>
      : Schema extends z.ZodObject<infer Shape>
        ? IsDeclared<Shape[keyof Shape]>
        : false;

/** A shape in which every text says what it is; of any other the type is an error that names the remedy. */
export type DeclaredShape<Shape> = {
  readonly [Name in keyof Shape]: [IsDeclared<Shape[Name]>] extends [true]
    ? Shape[Name]
    : 'Say what this text is: documentTypes, sections, columns, phrases, …, or plain(…) where it names nothing';
};

/** Everything that a value names or looks for, in the order of its schema. */
export function toldBy(schema: z.core.$ZodType, value: unknown): readonly Told[] {
  if (value === undefined) return [];
  const kind = kinds.get(schema)?.kind;
  if (kind !== undefined) return kind === 'nothing' ? [] : [{ kind, value } as Told];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return toldBy(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return (value as readonly unknown[]).flatMap((one) => toldBy(schema.element, one));
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((one) => z.safeParse(one, value).success);
    return option ? toldBy(option, value) : [];
  }
  if (schema instanceof z.ZodObject) {
    const values = value as Readonly<Record<string, unknown>>;
    return Object.entries(schema.shape).flatMap(([name, one]) => toldBy(one, values[name]));
  }
  return [];
}
