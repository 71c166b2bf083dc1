import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Turns zod schemas into JSON Schema 2020-12; schemas with an `id` in their `meta` become components. */
export interface SchemaWriter {
  /** What a caller may send. */
  input(schema: z.ZodType): JsonSchema;
  /** What the API answers. Open for new fields: within a version only additions happen. */
  output(schema: z.ZodType): JsonSchema;
  /** The named schemas that were met so far. Throws when one name means two things. */
  components(): Readonly<Record<string, JsonSchema>>;
}

export function createSchemaWriter(): SchemaWriter {
  const named = new Map<string, JsonSchema>();

  const write = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    // In an object, so that a schema with an id becomes a reference as well.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema: { _zod }, jsonSchema }) => {
        // A default is told as well where what is sent is first turned into something else (digits into a number).
        if (io === 'input' && _zod.def.type === 'default') jsonSchema.default ??= plainDefault(_zod.def);
        // The format says it all, and languages differ in the expressions that they understand.
        if (KNOWN_FORMATS.has(String(jsonSchema.format))) delete jsonSchema.pattern;
        if (_zod.def.type === 'union') nameShapes(jsonSchema, _zod.def);
        if (_zod.def.type === 'record') nameKeys(jsonSchema, _zod.def.keyType);
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
        delete jsonSchema.id;
      },
    }) as JsonSchema as { properties: { schema: JsonSchema }; $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs)) {
      const component = withComponentReferences(definition);
      const known = named.get(name);
      if (known && JSON.stringify(known) !== JSON.stringify(component)) {
        throw new Error(`The schema name "${name}" means two different things.`);
      }
      named.set(name, component);
    }
    return withComponentReferences(properties.schema);
  };

  return {
    input: (schema) => write(schema, 'input'),
    output: (schema) => write(schema, 'output'),
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Formats of JSON Schema that generated clients know. */
const KNOWN_FORMATS = new Set(['uuid', 'date-time', 'date', 'email']);

/** Which shape a value of the discriminating property stands for: generated clients do not look into the shapes. */
function nameShapes(schema: JsonSchema, { options, ...def }: z.core.$ZodUnionDef): void {
  const { discriminator: propertyName } = def as { readonly discriminator?: string };
  if (!propertyName) return;
  const mapping = options.flatMap((option) => {
    const { id } = z.globalRegistry.get(option) ?? {};
    const values = (option as z.ZodObject).shape[propertyName]?._zod.values ?? [];
    return id ? [...values].map((value) => [String(value), `#/components/schemas/${id}`]) : [];
  });
  schema.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
}

const plainDefault = ({ defaultValue }: { readonly defaultValue?: unknown }): unknown =>
  typeof defaultValue === 'object' ? undefined : defaultValue;

/** An object that has every key of a list is written as one with these properties. */
function nameKeys(schema: JsonSchema, keyType: z.core.$ZodType | undefined): void {
  if (!keyType?._zod.values || !schema.required) return;
  schema.properties = Object.fromEntries(
    [...keyType._zod.values].map((key) => [key, schema.additionalProperties]),
  );
  delete schema.propertyNames;
  delete schema.additionalProperties;
}

const withComponentReferences = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
