import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { outline, places, read } from '../../testing/outline.js';

const outlineOf = async (text: string) => outline(await read(text, 'a.md'));

describe('Markdown', () => {
  it('reads headings, paragraphs, lists, code and their lines and sections', async () => {
    const text = [
      '# Concept',
      '',
      'Two lines of *one* **paragraph**',
      'with `code` and a [link](http://x.example "t").',
      '',
      'Goals',
      '-----',
      '1. First',
      '   - inside',
      '',
      '   More of the first.',
      '2. [x] Done',
      '',
      '```c',
      'int x;   ',
      '```',
      '    indented',
    ].join('\n');
    const document = await read(text, 'a.md');
    expect(outline(document)).toEqual([
      'heading1: Concept',
      'paragraph: Two lines of one paragraph with code and a link.',
      'heading2: Goals',
      'list_item1: 1. First',
      'list_item2: inside',
      'paragraph: More of the first.',
      'list_item1: 2. [x] Done',
      'code: int x;',
      'code: indented',
    ]);
    expect(places(document).slice(0, 5)).toEqual([
      'line 1',
      'Concept, line 3',
      'Concept, line 6',
      'Concept › Goals, line 8',
      'Concept › Goals, line 9',
    ]);
  });

  it('reads records of YAML fences as rows, with the reasons behind classes, and other YAML as code', async () => {
    const text = [
      '# Hazards',
      '',
      '```yaml',
      '- id: HE-FIRE',
      '  severity: S3  # occupants may be killed',
      '- id: HE-SHOCK',
      '  severity: S2',
      '```',
      '',
      '```yaml',
      'id: FSR-OPEN',
      'text: "Open it: now."',
      'satisfies: [SG-A, SG-B]',
      '```',
      '',
      '```yaml',
      'services: {web: {image: nginx}}',
      '```',
      '```yaml',
      'id: [not closed',
      '```',
    ].join('\n');
    const document = await read(text, 'a.md');
    expect(outline(document)).toEqual([
      'heading1: Hazards',
      'table_row 0.0 header: id | severity',
      'table_row 0.1: HE-FIRE | S3 # occupants may be killed',
      'table_row 0.2: HE-SHOCK | S2',
      'table_row 1.0 header: id | text | satisfies',
      'table_row 1.1: FSR-OPEN | Open it: now. | SG-A, SG-B',
      'code: services: {web: {image: nginx}}',
      'code: id: [not closed',
    ]);
    expect(document.blocks.map(({ location }) => location.line)).toEqual([1, 4, 4, 6, 11, 11, 16, 19]);
  });

  it('reads tables with bars in cells, captions and pictures', async () => {
    const text =
      'Table 1: Goals\n\n| ID | Text |\n|:--|--:|\n| G\\|1 | `a` <br> b |\n\n![Block diagram](a.png)\n';
    expect(await outlineOf(text)).toEqual([
      'caption: Table 1: Goals',
      'table_row 0.0 header: ID | Text',
      'table_row 0.1: G|1 | a b',
      'figure: Block diagram',
    ]);
  });

  it('cuts numbered statements apart, each with its line', async () => {
    const document = await read(
      '4.1.2 The item shall stop\nwithin 50 ms.\n4.1.3 The item shall warn.\n',
      'a.md',
    );
    expect(outline(document)).toEqual([
      'paragraph: 4.1.2 The item shall stop within 50 ms.',
      'paragraph: 4.1.3 The item shall warn.',
    ]);
    expect(places(document)).toEqual(['line 1', 'line 3']);
  });

  it('keeps gaps to fill in, drops comments and markup', async () => {
    expect(
      await outlineOf('The <system name> shall <b>stop</b>.<!-- why? -->\n\n<!--\n# no\n-->\n\n<Owner>\n'),
    ).toEqual(['paragraph: The <system name> shall stop.', 'paragraph: <Owner>']);
  });

  it('reads front matter as properties and lines', async () => {
    const document = await read('---\ntitle: Safety plan\nversion: 1.2\n---\n# A\n', 'a.md');
    expect(document.properties).toEqual({ title: 'Safety plan', revision: '1.2' });
    expect(outline(document)).toEqual([
      'paragraph: title: Safety plan',
      'paragraph: version: 1.2',
      'heading1: A',
    ]);
    expect(document.blocks[2]!.location.line).toBe(5);
  });

  it('recognises a table of contents and resolves references and entities', async () => {
    expect(await outlineOf('- [A](#a)\n- [B `c[1]`](#b)\n')).toEqual(['toc_entry1: A', 'toc_entry1: B c[1]']);
    expect(
      await outlineOf(
        'See [the plan][p], [p] and [none] &gt; 3&nbsp;ms[^1].\n\n[p]: http://x.example\n[^1]: A note.\n',
      ),
    ).toEqual(['paragraph: See the plan, p and [none] > 3 ms.', 'paragraph: A note.']);
  });

  it('reads tables and lists inside HTML, at the right lines', async () => {
    const document = await read(
      'Text\n\n<table>\n<tr><th>ID</th></tr>\n<tr><td>R1</td><td>x</td></tr></table>\n',
      'a.md',
    );
    expect(outline(document)).toEqual([
      'paragraph: Text',
      'table_row 0.0 header: ID',
      'table_row 0.1: R1 | x',
    ]);
    expect(document.blocks[2]!.location.line).toBe(5);
  });
});

/** Kinds and words of all blocks, without what our reader does on purpose in another way. */
function referenceOutline(text: string): string[] {
  const found: string[] = [];
  const words = (node: object): string =>
    'children' in node
      ? (node.children as object[]).map(words).join('type' in node && node.type === 'tableRow' ? ' | ' : '')
      : 'type' in node && node.type === 'break'
        ? ' '
        : 'alt' in node
          ? String(node.alt)
          : 'value' in node
            ? String(node.value)
            : '';
  const clean = (node: object) => words(node).replace(/\s+/g, ' ').trim();
  const walk = (node: { type: string; depth?: number; children?: unknown[] }): void => {
    const content = clean(node);
    if (node.type === 'heading') found.push(`heading${node.depth} ${content}`);
    else if (node.type === 'code') found.push(`code ${content}`);
    else if (node.type === 'tableRow') found.push(`row ${content}`);
    else if (node.type === 'paragraph') found.push(`text ${content}`);
    else for (const child of (node.children ?? []) as { type: string }[]) walk(child);
  };
  walk(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  return found.filter((line) => !/^(?:text|code|heading\d) ?$/.test(line));
}

async function ourOutline(text: string): Promise<string[]> {
  const document = await read(`${text}\n\nend`, 'a.md');
  return document.blocks.map((block) => {
    const content = (block.cells ? block.cells.map((cell) => cell.text).join(' | ') : block.text).replace(
      /\s+/g,
      ' ',
    );
    if (block.kind === 'heading') return `heading${block.level} ${content}`;
    if (block.kind === 'table_row') return `row ${content}`;
    return `${block.kind === 'code' ? 'code' : 'text'} ${content.trim()}`;
  });
}

describe('specification items of OpenFastTrace', () => {
  it('keeps id, tags and links as lines of their own', async () => {
    const text = [
      '### Session',
      'req~login.session~12',
      'The session ends',
      'after 10 minutes.',
      'Covers: feat~login~1',
      'Depends:',
      '',
      '* `req~snake_case~1`',
      '* [Other](#x) req~other~1',
      '',
      'Status: draft',
      'Needs: impl, utest',
      'Tags: A, B',
    ];
    const document = await read(text.join('\n'), 'a.md');
    expect(outline(document)).toEqual([
      'heading3: Session',
      'paragraph: req~login.session~12',
      'paragraph: The session ends after 10 minutes.',
      'paragraph: Covers: feat~login~1',
      'paragraph: Depends:',
      'list_item1: req~snake_case~1',
      'list_item1: Other req~other~1',
      'paragraph: Status: draft',
      'paragraph: Needs: impl, utest',
      'paragraph: Tags: A, B',
    ]);
    expect(document.blocks.map((block) => block.location.line)).toEqual([1, 2, 3, 5, 6, 8, 9, 11, 12, 13]);
  });

  it('leaves ids in running text, and strikes out what is struck out', async () => {
    const { text } = await read('See req~a~1, req~b~2, ~this~ and [impl->dsn~x~1].', 'a.md');
    expect(text).toBe('See req~a~1, req~b~2, this and [impl->dsn~x~1].');
  });
});

describe('against the reference implementation of CommonMark', () => {
  const piece = fc.constantFrom(
    'word',
    '*em*',
    '**strong**',
    '`code`',
    '``a ` b``',
    '[link](u)',
    '[l *m* n](<u v> "t")',
    '[none]',
    '~~old~~',
    '***x** y*',
    'a*b*c',
    '_a_b_',
    'x_y_z',
    '\\*no\\*',
    '&lt;',
    '* * *',
    '2 * 3',
    '](x)',
    '![pic](u) t',
    'snake_case_name',
    '**',
    '`',
  );
  const sentence = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => `W ${parts.join(' ')} w`);
  const block = fc.oneof(
    sentence,
    sentence.map((text) => `## ${text}`),
    sentence.map((text) => `${text}\n===`),
    sentence.map((text) => `> ${text}\n> - q`),
    fc.tuple(sentence, sentence).map(([a, b]) => `- ${a}\n- ${b}\n  ${a}\n\n  ${b}`),
    fc.tuple(sentence, sentence).map(([a, b]) => `* ${a}\n    * ${b}\n\n      more`),
    sentence.map((text) => `> ${text}\nlazy`),
    fc.constantFrom(
      '```\na  *b*\n```',
      '~~~ x\n```\n~~~',
      '    code\n\n    more',
      '***',
      '| a | b |\n|---|---|\n| c | d\\|e |',
      'a | b\n:- | -\nc | d',
    ),
  );
  it('finds the same blocks and words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 6 }), async (blocks) => {
        const text = blocks.join('\n\n');
        expect(await ourOutline(text)).toEqual(referenceOutline(`${text}\n\nend`));
      }),
      { numRuns: 500 },
    );
  });
});
