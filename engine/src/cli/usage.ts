export const USAGE = `normtrace – which demands of a standard do these documents meet, and where?

  normtrace analyse <folder|file …> --standard <id|file>   gap analysis with quoted evidence
  normtrace standards [words]                              standards of the catalog
  normtrace --version
  normtrace <command> --help
`;

export const ANALYSE_USAGE = `normtrace analyse <folder|file …> --standard <id|file> [options]

Reads PDF, DOCX, XLSX, CSV, Markdown, HTML, text and reStructuredText documents, judges every demand of the
standard by rules, and quotes the place for every claim. Nothing leaves the machine.

  --standard <id|file>    id of the catalog (see "normtrace standards"), or your own copy of a standard:
                          OSCAL JSON, YAML, XLSX, CSV, PDF, DOCX or Markdown
  --scope <item>          name of the item; content about another item is then no evidence
  --variant <name>        variant of the item
  --answer <id=yes|no>    answer to the question of a condition, e.g. --answer variants=no; may be repeated
  --embeddings builtin|off
                          builtin (default) finds near passages by meaning too (English, offline, slower at the
                          first run); off uses words only
  --format table|json     table (default) for people, json for programs
  --output <file>         write the result there instead of to the terminal
  --fail-on <severity>    critical, high, medium or low: exit with 1 when a gap is at least that severe

Exit codes: 0 done, 1 a gap at or above --fail-on, 2 could not run.

Examples
  normtrace analyse docs --standard iso-26262-3-2018
  normtrace analyse hara.xlsx fsc.docx --standard iso-26262-3-2018 --scope "electric parking brake" --fail-on high
  normtrace analyse docs --standard my-framework.yaml --format json --output gaps.json
`;

export const STANDARDS_USAGE = `normtrace standards [words] [--all] [--format table|json]

Lists the standards of the catalog that have a built-in structure and can be given to "analyse --standard".
Words narrow the list ("normtrace standards 26262"). --all lists the others as well: of them you need your own copy.
`;
