export const USAGE = `normtrace – which demands of a standard do these documents meet, and where?

  normtrace analyse <folder|file …> --standard <id|file>   gap analysis with quoted evidence
  normtrace report <folder|file …>                         all analyses in one: goal by goal, and what to decide first
  normtrace trace <folder|file …>                          artifacts, links, gaps and coverage of the V-model
  normtrace completeness <folder|file …>                   sections, tables, metadata and open content by template
  normtrace checklist <folder|file …> --checklist <id|file>
                                                           review checklists, each answer with quoted evidence
  normtrace checklists [words]                             checklists that come with it
  normtrace standards [words]                              standards of the catalog
  normtrace demands <file> --judge ai …                    a draft table of what a standard demands, by a language model
  normtrace models check --base-url <address> --model <name>
                                                           tries a language model before it is asked
  normtrace --version
  normtrace <command> --help
`;

const MODEL_USAGE = `  --base-url <address>    server of the language model, e.g. http://localhost:11434/v1; passages of the documents go there
  --model <name>          name of the model, with azure of the deployment
  --provider openai-compatible|anthropic|azure
                          protocol of the server; openai-compatible (default) is spoken by vLLM, llama.cpp, Ollama, LM Studio
  --key-file <file>       file with the key of the server
  --structured json_schema|json_object|prompt
                          how answers are held to their form; "normtrace models check" says which the server honours
  --context-tokens <n>    what the server reads of one question, answer included; 8192 unless told otherwise
  --concurrency <n>       questions at the same time; 4 unless told otherwise
`;

export const ANALYSE_USAGE = `normtrace analyse <folder|file …> --standard <id|file> [options]

Reads documents (PDF, Word, Excel, PowerPoint, OpenDocument, CSV, Markdown, reStructuredText, HTML, text, ReqIF and
other exports of requirements, JSON, YAML), judges every demand of the standard by rules, and quotes the place for every claim. Nothing leaves the machine
unless --judge ai names a language model that is somewhere else.

  --standard <id|file>    id of the catalog (see "normtrace standards"), or your own copy of a standard:
                          OSCAL JSON, YAML, XLSX, CSV, PDF, DOCX or Markdown
  --clause <clause>       assess this clause or process only, e.g. --clause SWE.1 --clause SWE.2; may be repeated
  --scope <item>          name of the item; content about another item is then no evidence
  --variant <name>        variant of the item
  --answer <id=yes|no>    answer to the question of a condition, e.g. --answer variants=no; may be repeated
  --phase <phase>         phase of the project: concept, system, implementation, integration, validation, release or
                          production; what is due in a later one stands in a list of its own and is not counted
  --tailored-out <area=reason>
                          not done in this project: concept, system, hardware, software, test_specification, integration,
                          validation, release, production, or the beginning of ids (26262-8:12); may be repeated
  --embeddings builtin|off
                          builtin (default) finds near passages by meaning too (English, offline, slower at the
                          first run); off uses words only
  --vectors <folder|off>  where the meaning of texts is kept for the next run; ~/.cache/normtrace/embeddings unless told
  --judge rules|ai        rules (default) judge alone; with ai a language model is asked as well where rules are not sure.
                          It names sentences, code checks them and decides what its answer may change
${MODEL_USAGE}  --max-tokens <n>        ends asking there; rules decide the rest, and the result says so
  --remedies              also asks for steps that close gaps from medium up, in the language of the result
  --estimate              tells what would be asked and sent, and asks nothing
  --send-standard         words of your own copy of a standard may be sent as well
  --fresh-answers         asks again what was answered before; answers are kept in ~/.cache/normtrace/answers
  --format table|json     table (default) for people, json for programs
  --format html|pdf|docx|xlsx|csv|sarif|junit
                          a report to read, print, edit or calculate with; SARIF and JUnit for build servers
  --title <text>          title of a report
  --language en|de        words of the result
  --output <file>         write the result there instead of to the terminal
  --fail-on <severity>    critical, high, medium or low: exit with 1 when a gap is at least that severe
  --allow-unread          do not exit with 2 when a file could not be read

Exit codes: 0 done, 1 a gap at or above --fail-on, 2 could not run, or a file could not be read.

Examples
  normtrace analyse docs --standard iso-26262-3-2018
  normtrace analyse hara.xlsx fsc.docx --standard iso-26262-3-2018 --scope "electric parking brake" --fail-on high
  normtrace analyse docs --standard my-framework.yaml --format json --output gaps.json
  normtrace analyse docs --standard iso-26262-3-2018 --judge ai --base-url http://localhost:11434/v1 --model qwen3:8b
`;

export const MODELS_USAGE = `normtrace models check --base-url <address> --model <name> [options]

Tries a language model: whether it is there, keeps to a form, reads a whole question, tells what it counted, says the same
twice. Each point that fails says what to change on the server. Sends no words of any document.

${MODEL_USAGE}
Exit codes: 0 it can be used, 1 a point failed, 2 could not run.
`;

export const DEMANDS_USAGE = `normtrace demands <file> --judge ai --base-url <address> --model <name> --send-standard [options]

Drafts a table (ID, Text, Page) of what a standard of your own demands, for a standard in which rules find no demands because
nothing in it says "shall" or "must". A language model names sentences; every text of the table stands in the file word for word. Correct the
table, and give it to --standard, or upload it. All sentences of the file go to the model.

${MODEL_USAGE}  --max-tokens <n>        ends asking there; pages that were not asked about are told
  --estimate              tells what would be asked and sent, and asks nothing
  --send-standard         needed: the words of the file may be sent
  --fresh-answers         asks again what was answered before; answers are kept in ~/.cache/normtrace/answers
  --output <file>         write the table there instead of to the terminal

Exit codes: 0 drafted, 1 no demand was found, 2 could not run.
`;

export const REPORT_USAGE = `normtrace report <folder|file …> [options]

Runs completeness and trace, and the gap analysis of each --standard and each --checklist given, and puts them into one
report. Where neither is given, those are taken that documents of these types are usually held against (a safety plan: part 2 of ISO
26262 and its checklist), and said at the start. It opens with a page that somebody can decide by: one count over all analyses, every goal with its level, what
follows it and what is open, what to decide first with its quote, and what was not looked at. Nothing leaves the machine unless --judge ai names a
language model that is somewhere else.

  --standard <id|file>    gap analysis against this standard; may be repeated
  --checklist <id|file>   answers of this checklist; may be repeated
  --scope <item>          name of the item; content about another item is then no evidence
  --variant <name>        variant of the item
  --answer <id=yes|no>    answer to the question of a condition, e.g. --answer variants=no; may be repeated
  --phase <phase>         phase of the project: concept, system, implementation, integration, validation, release or
                          production; what is due in a later one stands in a list of its own and is not counted
  --tailored-out <area=reason>
                          not done in this project: concept, system, hardware, software, test_specification, integration,
                          validation, release, production, or the beginning of ids (26262-8:12); may be repeated
  --embeddings builtin|off
                          as in "normtrace analyse"
  --vectors <folder|off>  as in "normtrace analyse"
  --judge rules|ai        rules (default) judge alone; with ai a language model is asked as well in gap analyses and checklists,
                          with the options of "normtrace analyse"
  --summary               also asks it for a few sentences about all findings, for the first page
  --baseline <file>       an earlier report of this command as JSON: the first page tells what is new, changed and no longer found
  --format table|json     table (default) prints the first page; json is the report for programs
  --format html|pdf|docx|xlsx|csv|sarif|junit
                          a report to read, print, edit or calculate with; SARIF and JUnit for build servers
  --title <text>          title of a report
  --language en|de        words of the result
  --output <file>         write the result there instead of to the terminal
  --fail-on <severity>    critical, high, medium or low: exit with 1 when a finding is at least that severe
  --allow-unread          do not exit with 2 when a file could not be read

Exit codes: 0 done, 1 a finding at or above --fail-on, 2 could not run, or a file could not be read.

Examples
  normtrace report docs
  normtrace report docs --standard iso-26262-3-2018 --checklist FS-HARA
  normtrace report docs --standard iso-26262-3-2018 --format pdf --language de --output report.pdf
  normtrace report docs --standard iso-26262-3-2018 --baseline last.json --format json --output now.json
`;

export const TRACE_USAGE = `normtrace trace <folder|file …> [options]

Takes goals, requirements, design elements, tests and results with their links out of the documents as they are
(PDF, office formats, CSV, Markdown, reStructuredText, ReqIF, needs.json, StrictDoc, TRLC, Doorstop, OpenFastTrace,
JUnit XML, tags in source text), and examines the trace: gaps, integrity levels, coverage.

  --type <file=type>      document type of a file, e.g. --type concept.docx=functional_safety_concept; may be repeated;
                          without it the type is told by name, title, sections and tables
  --external <prefix>     ids with this beginning are defined elsewhere (customer, supplier); may be repeated
  --phase <phase>         phase of the project: concept, system, implementation, integration, validation, release or
                          production; what is due in a later one stands in a list of its own and is not counted
  --tailored-out <area=reason>
                          not done in this project: concept, system, hardware, software, test_specification, integration,
                          validation, release, production, or the beginning of ids (26262-8:12); may be repeated
  --configuration <name>  variant or baseline in question: evidence for another one does not count
  --judge rules|ai        rules (default) alone; with ai links are proposed for what has none upwards, and a language model is
                          asked about them, with the options of "normtrace analyse"; no link is made of it
  --format table|json     table (default) for people, json for programs
  --format html|pdf|docx|xlsx|csv|sarif|junit
                          a report to read, print, edit or calculate with; SARIF and JUnit for build servers
  --title <text>          title of a report
  --language en|de        words of the result
  --output <file>         write the result there instead of to the terminal
  --fail-on <severity>    critical, high, medium or low: exit with 1 when a gap is at least that severe
  --allow-unread          do not exit with 2 when a file could not be read

Exit codes: 0 done, 1 a gap at or above --fail-on, 2 could not run, or a file could not be read.

Examples
  normtrace trace docs
  normtrace trace hara.xlsx fsc.docx tsc.docx --fail-on high
  normtrace trace docs src --external CUST- --format json --output trace.json
`;

export const COMPLETENESS_USAGE = `normtrace completeness <folder|file …> [options]

Finds out what kind of work product each document is and checks it against the template of that kind: sections,
tables, metadata, open content and leftovers of the template. Lists how the wording of requirements could be read
more than one way; that never makes a document fail. Nothing leaves the machine unless --judge ai names a language
model that is somewhere else.

  --template <file>       own template: YAML, or an empty template document from which sections and tables are
                          learnt; may be repeated. A document of such a kind is checked against it alone
  --type <id>             take every document for that type instead of detecting it
  --scope <item>          name of the item; content about another item is then not counted
  --variant <name>        variant of the item
  --answer <id=yes|no>    answer to the question of a condition, e.g. --answer variants=no; may be repeated
  --phase <phase>         phase of the project: concept, system, implementation, integration, validation, release or
                          production; what is due in a later one stands in a list of its own and is not counted
  --tailored-out <area=reason>
                          not done in this project: concept, system, hardware, software, test_specification, integration,
                          validation, release, production, or the beginning of ids (26262-8:12); may be repeated
  --without <rule>        switch a rule on wording off, e.g. --without RQQ-08; may be repeated
  --judge rules|ai        rules (default) alone; with ai a language model is asked as well how requirements are written, with
                          the options of "normtrace analyse"; what it says changes no result
  --format table|json     table (default) for people, json for programs
  --format html|pdf|docx|xlsx|csv|sarif|junit
                          a report to read, print, edit or calculate with; SARIF and JUnit for build servers
  --title <text>          title of a report
  --language en|de        words of the result
  --output <file>         write the result there instead of to the terminal
  --fail-on <severity>    critical, high, medium or low: exit with 1 when a gap is at least that severe
  --allow-unread          do not exit with 2 when a file could not be read

Exit codes: 0 done, 1 a gap at or above --fail-on, 2 could not run, or a file could not be read.

Examples
  normtrace completeness docs
  normtrace completeness hara.xlsx fsc.docx --fail-on high
  normtrace completeness reports --template our-report-template.docx --format json --output completeness.json
`;

export const STANDARDS_USAGE = `normtrace standards [words] [--all] [--format table|json]

Lists the standards of the catalog that have a built-in structure and can be given to "analyse --standard".
Words narrow the list ("normtrace standards 26262"). --all lists the others as well: of them you need your own copy.
`;

export const CHECKLIST_USAGE = `normtrace checklist <folder|file …> --checklist <id|file> [options]

Answers the items of review checklists from the documents: pass, FAIL, MISSING or n/a, each with the rule that
decided and the place in the documents. A question mark says that a person has to confirm the answer; items that
only a person can answer come with what the documents say about them. Nothing leaves the machine unless --judge ai
names a language model that is somewhere else.

  --checklist <id|file>   id of a checklist (see "normtrace checklists"), or one of your own as YAML, CSV, XLSX or ODS:
                          columns for id, question, reference, severity, guidance, result, remark and evidence are
                          told by their titles, English or German; may be repeated
  --scope <item>          name of the item; content about another item is then no evidence
  --variant <name>        variant of the item
  --answer <id=yes|no>    answer to the question of a condition, e.g. --answer software=yes; may be repeated
  --phase <phase>         phase of the project: concept, system, implementation, integration, validation, release or
                          production; what is due in a later one stands in a list of its own and is not counted
  --tailored-out <area=reason>
                          not done in this project: concept, system, hardware, software, test_specification, integration,
                          validation, release, production, or the beginning of ids (26262-8:12); may be repeated
  --judge rules|ai        rules (default) answer alone; with ai a language model is asked as well where they are not sure,
                          with the options of "normtrace analyse"
  --format text|json      text (default) for people, json for programs
  --format html|pdf|docx|xlsx|csv|sarif|junit
                          a report to read, print, edit or calculate with; SARIF and JUnit for build servers
  --title <text>          title of a report
  --language en|de        words of the result
  --output <file>         write the result there instead of to the terminal
  --fail-on <severity>    critical, high, medium or low: exit with 1 when an item that fails or is missing is at least that
                          severe; answers that a person has to confirm do not count
  --allow-unread          do not exit with 2 when a file could not be read

Exit codes: 0 done, 1 an item at or above --fail-on, 2 could not run, or a file could not be read.

Examples
  normtrace checklist docs --checklist ASP-SWE1
  normtrace checklist hara.xlsx --checklist FS-HARA --fail-on high
  normtrace checklist docs --checklist our-review.xlsx --format json --output review.json
`;

export const CHECKLISTS_USAGE = `normtrace checklists [words] [--format text|json]

Lists the checklists that come with normtrace: functional safety (FS), processes (ASP) and cybersecurity (CS).
Words narrow the list ("normtrace checklists tara").
`;
