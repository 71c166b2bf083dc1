import { EVENT_ID, type Event, getScalarValue, parseEvents, YAMLException } from 'js-yaml';
import { corruptFile } from '../../document-error.js';
import { nestedTooDeep } from '../../files/json-text.js';
import type { ReadingLimits } from '../../reading-limits.js';
import { createValueCounter, type DataEntry, type DataNode } from '../../records/data-node.js';
import { createKeptText } from '../../records/kept-text.js';

/**
 * The documents of a YAML file. Every scalar is the text that was written; an alias stays a name (`*name`) and is never
 * copied, so that nothing can grow. Throws `DocumentError`: `corrupt`, `too_complex`, `too_large`.
 */
export function parseYaml(text: string, limits: ReadingLimits): readonly DataNode[] {
  const events: (Event | undefined)[] = eventsOf(text, limits);
  const kept = createKeptText();
  const lineAt = createLineFinder(text);
  const count = createValueCounter(limits);
  let at = 0;

  function node(): DataNode {
    count();
    const event = events[at]!;
    // There are many of them and each is looked at once.
    events[at++] = undefined;
    if (event.type === EVENT_ID.MAPPING) {
      const entries: DataEntry[] = [];
      const line = lineAt(event.start);
      while (events[at]!.type !== EVENT_ID.POP) {
        const key = node();
        entries.push({
          key: key.kind === 'scalar' ? kept.name(key.text) : '?',
          line: key.line,
          value: node(),
        });
      }
      at++;
      return { kind: 'map', entries, line };
    }
    if (event.type === EVENT_ID.SEQUENCE) {
      const items: DataNode[] = [];
      const line = lineAt(event.start);
      while (events[at]!.type !== EVENT_ID.POP) items.push(node());
      at++;
      return { kind: 'list', items, line };
    }
    return scalarOf(event);
  }

  function scalarOf(event: Event): DataNode {
    if (event.type === EVENT_ID.ALIAS) {
      const line = lineAt(event.anchorStart);
      return { kind: 'scalar', text: `*${text.slice(event.anchorStart, event.anchorEnd)}`, line };
    }
    if (event.type !== EVENT_ID.SCALAR) return { kind: 'scalar', text: '', line: lineAt(-1) };
    const value = event.valueStart < 0 ? '' : getScalarValue(text, event);
    const isNull = value === '~' || (value === 'null' && text[event.valueStart] === 'n');
    const comment = value !== '' && value.length <= LONGEST_CLASS ? commentAfter(text, event.valueEnd) : '';
    return {
      kind: 'scalar',
      text: isNull ? '' : value,
      line: lineAt(event.valueStart),
      ...(comment === '' ? {} : { comment }),
    };
  }

  const documents: DataNode[] = [];
  while (at < events.length) {
    const event = events[at]!;
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) at++;
    else documents.push(node());
  }
  return documents;
}

/** A comment behind a value as short as a class is its reason: `severity: S3  # occupants may be killed`. */
const LONGEST_CLASS = 3;

function commentAfter(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return /^["' \t]{0,20}(#[ \t]+\S.*)$/u.exec(text.slice(at, end < 0 ? undefined : end))?.[1]?.trim() ?? '';
}

function eventsOf(text: string, limits: ReadingLimits): Event[] {
  try {
    return parseEvents(text, { maxDepth: limits.maxDepth });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = (error.mark?.line ?? 0) + 1;
    if (error.message.includes('maxDepth')) throw nestedTooDeep(limits.maxDepth, line);
    throw corruptFile(`it is not YAML from line ${line} on`, { line });
  }
}

/** Lines of offsets that only grow; an offset that goes back, or none, has the line before. */
function createLineFinder(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (offset) => {
    while (next >= 0 && next < offset) {
      line++;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  };
}
