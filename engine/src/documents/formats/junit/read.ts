import { createBlockCollector } from '../../block-collector.js';
import { cleanText, MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import { parseXml, piecesOf, type XmlAttributes } from '../../files/xml.js';
import type { FormatReader } from '../../format-reader.js';
import { createRecordTable } from '../../records/record-table.js';

/** Names of the result by the element that says so; a case without any passed. */
const RESULTS: Readonly<Record<string, string>> = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
  flakyFailure: 'passed (flaky)',
  flakyError: 'passed (flaky)',
  rerunFailure: 'failed',
  rerunError: 'error',
};

const ATTRIBUTES = new Set(
  'name classname class time timestamp file line status result assertions'.split(' '),
);

interface TestCase {
  readonly attributes: XmlAttributes;
  readonly line: number;
  readonly properties: { name: string; text: string }[];
  result: string;
  message: string;
}

/** Results of tests in the XML that JUnit began and most test tools write: a heading for each suite, a record for each case. */
export const junitReader: FormatReader = {
  async read(bytes, { limits }) {
    const collector = createBlockCollector(limits);
    const table = createRecordTable(collector, limits);
    const suites: XmlAttributes[] = [];
    let test: TestCase | undefined;
    let property: string | undefined;
    let reading: 'message' | 'property' | undefined;
    let text = '';

    function openSuite(attributes: XmlAttributes, line: number): void {
      suites.push(attributes);
      table.heading(suites.length, attributes.name || `Suite ${suites.length}`, { line });
    }

    function addProperty(name: string, value: string): void {
      if (test) test.properties.push({ name, text: value });
      // Of a whole suite: the environment that it ran in.
      else table.prose('paragraph', cleanText(`${name}: ${value}`));
    }

    function closeCase(): void {
      if (!test) return;
      const { attributes, line, properties, result, message } = test;
      const suite = suites.at(-1) ?? {};
      const name = attributes.name ?? '';
      const owner = attributes.classname || suite.name || '';
      table.record({
        id: owner && name ? `${owner}.${name}` : name || owner || `line ${line}`,
        type: 'test result',
        line,
        fields: [
          { name: 'Name', text: name },
          { name: 'Class', text: attributes.classname ?? '' },
          { name: 'Suite', text: suite.name ?? '' },
          { name: 'Result', text: result || statusOf(attributes) },
          { name: 'Message', text: message },
          { name: 'Time', text: attributes.time ?? '' },
          { name: 'Timestamp', text: attributes.timestamp ?? suite.timestamp ?? '' },
          { name: 'File', text: [attributes.file, attributes.line].filter(Boolean).join(':') },
          ...properties,
          // GoogleTest writes properties of a case as attributes.
          ...Object.entries(attributes)
            .filter(([attribute]) => !ATTRIBUTES.has(attribute))
            .map(([attribute, value]) => ({ name: attribute, text: value })),
        ],
      });
      test = undefined;
    }

    await parseXml(
      piecesOf(bytes),
      {
        open(name, attributes, line) {
          if (name === 'testsuite') openSuite(attributes, line);
          else if (name === 'testcase') {
            test = { attributes, line, properties: [], result: '', message: '' };
          } else if (test && RESULTS[name]) {
            // The first word counts: an error after a failure comes from taking the case down.
            test.result ||= RESULTS[name];
            test.message ||= attributes.message ?? '';
            reading = 'message';
            text = '';
          } else if (name === 'property') {
            property = attributes.name ?? '';
            reading = attributes.value === undefined ? 'property' : undefined;
            if (attributes.value !== undefined) addProperty(property, attributes.value);
            text = '';
          }
        },
        text(more) {
          if (!reading) return;
          text += more;
          if (text.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
        },
        close(name) {
          if (name === 'testsuite') {
            suites.pop();
            table.leaveSections(suites.length + 1);
          } else if (name === 'testcase') closeCase();
          else if (name === 'property' && reading === 'property' && property) addProperty(property, text);
          else if (
            test &&
            RESULTS[name] &&
            text.trim() &&
            !text.toLowerCase().includes(test.message.toLowerCase())
          ) {
            test.message = `${test.message} ${text}`;
          } else if (test && RESULTS[name] && text.trim()) test.message = text;
          reading = undefined;
        },
      },
      { maxDepth: limits.maxDepth, partName: 'JUnit', lines: true },
    );
    return { blocks: collector.blocks, properties: {}, notes: table.finish() };
  },
};

/** GoogleTest and others say in an attribute that a case did not run. */
function statusOf(attributes: XmlAttributes): string {
  const status = (attributes.status ?? attributes.result ?? '').toLowerCase();
  return /^(?:notrun|not_run|disabled|suppressed|skipped)$/.test(status) ? 'skipped' : 'passed';
}
