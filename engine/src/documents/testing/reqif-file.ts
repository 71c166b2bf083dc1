/** A ReqIF file for tests; identifiers are given by the test, everything else is as tools write it. */
export interface TestReqif {
  /** Attribute name by identifier of its definition. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Name by identifier of an object type. */
  readonly types?: Readonly<Record<string, string>>;
  readonly relationTypes?: Readonly<Record<string, string>>;
  readonly choices?: Readonly<Record<string, string>>;
  readonly objects?: readonly TestObject[];
  readonly relations?: readonly { source?: string; target?: string; type: string; id?: string }[];
  readonly groups?: readonly { name: string; relations: readonly string[] }[];
  /** What stands inside `CHILDREN` of the specification. */
  readonly specifications?: readonly { name: string; children: string }[];
  /** Prefix of the elements' names. */
  readonly prefix?: string;
}

export interface TestObject {
  readonly id: string;
  readonly type?: string;
  /** `LONG-NAME` and `DESC` of the object itself. */
  readonly name?: string;
  readonly description?: string;
  /** Texts by definition; `<…` is XHTML, `#…` an enumeration value. */
  readonly values: Readonly<Record<string, string>>;
}

export function reqifFile(file: TestReqif): string {
  const entries = (values: Readonly<Record<string, string>> = {}) => Object.entries(values);
  const definitions = entries(file.attributes).map(
    ([id, name]) =>
      `<ATTRIBUTE-DEFINITION-STRING IDENTIFIER="${id}" LONG-NAME="${name}"><DEFAULT-VALUE><ATTRIBUTE-VALUE-STRING THE-VALUE="default"/></DEFAULT-VALUE></ATTRIBUTE-DEFINITION-STRING>`,
  );
  const types = [
    ...entries(file.types).map(
      ([id, name]) =>
        `<SPEC-OBJECT-TYPE IDENTIFIER="${id}" LONG-NAME="${name}"><SPEC-ATTRIBUTES>${definitions.join('')}</SPEC-ATTRIBUTES></SPEC-OBJECT-TYPE>`,
    ),
    ...entries(file.relationTypes).map(
      ([id, name]) => `<SPEC-RELATION-TYPE IDENTIFIER="${id}" LONG-NAME="${name}"/>`,
    ),
  ];
  const choices = entries(file.choices).map(
    ([id, name]) => `<ENUM-VALUE IDENTIFIER="${id}" LONG-NAME="${name}"/>`,
  );
  const relations = (file.relations ?? []).map(
    ({ source, target, type, id }) =>
      `<SPEC-RELATION IDENTIFIER="${id ?? ''}"><TYPE><SPEC-RELATION-TYPE-REF>${type}</SPEC-RELATION-TYPE-REF></TYPE>${end('SOURCE', source)}${end('TARGET', target)}</SPEC-RELATION>`,
  );
  const groups = (file.groups ?? []).map(
    ({ name, relations: members }) =>
      `<RELATION-GROUP LONG-NAME="${name}"><SPEC-RELATIONS>${members.map((id) => `<SPEC-RELATION-REF>${id}</SPEC-RELATION-REF>`).join('')}</SPEC-RELATIONS></RELATION-GROUP>`,
  );
  const specifications = (file.specifications ?? []).map(
    ({ name, children }) =>
      `<SPECIFICATION IDENTIFIER="s-${name}" LONG-NAME="${name}"><CHILDREN>${children}</CHILDREN></SPECIFICATION>`,
  );
  const xml = `<REQ-IF><THE-HEADER><REQ-IF-HEADER IDENTIFIER="h"><CREATION-TIME>2026-01-02T03:04:05Z</CREATION-TIME><TITLE>An export</TITLE></REQ-IF-HEADER></THE-HEADER>
<CORE-CONTENT><REQ-IF-CONTENT><DATATYPES><DATATYPE-DEFINITION-ENUMERATION IDENTIFIER="e"><SPECIFIED-VALUES>${choices.join('')}</SPECIFIED-VALUES></DATATYPE-DEFINITION-ENUMERATION></DATATYPES>
<SPEC-TYPES>${types.join('')}</SPEC-TYPES>
<SPEC-OBJECTS>
${(file.objects ?? []).map(objectOf).join('\n')}
</SPEC-OBJECTS>
<SPEC-RELATIONS>${relations.join('')}</SPEC-RELATIONS>
<SPECIFICATIONS>${specifications.join('')}</SPECIFICATIONS>
<SPEC-RELATION-GROUPS>${groups.join('')}</SPEC-RELATION-GROUPS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>`;
  const prefix = file.prefix ?? '';
  const named = prefix ? xml.replace(/<(\/?)(?=[A-Z])/g, `<$1${prefix}:`) : xml;
  const namespace = 'http://www.omg.org/spec/ReqIF/20110401/reqif.xsd';
  const root = `${prefix ? `${prefix}:` : ''}REQ-IF`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${named.replace(`<${root}>`, `<${root} xmlns${prefix ? `:${prefix}` : ''}="${namespace}" xmlns:xhtml="http://www.w3.org/1999/xhtml">`)}`;
}

/** One entry of a specification with the entries below it. */
export function hierarchy(object: string, children = ''): string {
  return `<SPEC-HIERARCHY><OBJECT><SPEC-OBJECT-REF>${object}</SPEC-OBJECT-REF></OBJECT><CHILDREN>${children}</CHILDREN></SPEC-HIERARCHY>`;
}

function objectOf({ id, type, values, name = '', description = '' }: TestObject): string {
  const written = Object.entries(values).map(([definition, text]) => {
    const reference = (kind: string) =>
      `<DEFINITION><ATTRIBUTE-DEFINITION-${kind}-REF>${definition}</ATTRIBUTE-DEFINITION-${kind}-REF></DEFINITION>`;
    if (text.startsWith('<')) {
      return `<ATTRIBUTE-VALUE-XHTML>${reference('XHTML')}<THE-VALUE>${text}</THE-VALUE></ATTRIBUTE-VALUE-XHTML>`;
    }
    if (text.startsWith('#')) {
      const choices = text.slice(1).split('#');
      return `<ATTRIBUTE-VALUE-ENUMERATION><VALUES>${choices.map((choice) => `<ENUM-VALUE-REF>${choice}</ENUM-VALUE-REF>`).join('')}</VALUES>${reference('ENUMERATION')}</ATTRIBUTE-VALUE-ENUMERATION>`;
    }
    return `<ATTRIBUTE-VALUE-STRING THE-VALUE="${text}">${reference('STRING')}</ATTRIBUTE-VALUE-STRING>`;
  });
  const typed = type ? `<TYPE><SPEC-OBJECT-TYPE-REF>${type}</SPEC-OBJECT-TYPE-REF></TYPE>` : '';
  return `<SPEC-OBJECT IDENTIFIER="${id}" LONG-NAME="${name}" DESC="${description}"><VALUES>${written.join('')}</VALUES>${typed}</SPEC-OBJECT>`;
}

function end(name: 'SOURCE' | 'TARGET', object: string | undefined): string {
  return object === undefined ? '' : `<${name}><SPEC-OBJECT-REF>${object}</SPEC-OBJECT-REF></${name}>`;
}
