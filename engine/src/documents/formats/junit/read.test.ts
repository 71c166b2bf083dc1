import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

const FILE = `<?xml version="1.0" encoding="ISO-8859-1"?>
<testsuites name="all">
  <testsuite name="Bremse" timestamp="2026-01-02T03:04:05">
    <properties><property name="build" value="4711"/></properties>
    <testcase classname="brake.Test" name="stops" time="0.5">
      <properties>
        <property name="verifies" value="SWR-1"/>
        <property name="note">as text</property>
      </properties>
    </testcase>
    <testcase classname="brake.Test" name="fails">
      <failure message="expected 1">expected 1 but was 2
 at line 7</failure>
      <error message="while cleaning up"/>
    </testcase>
    <testsuite name="inner">
      <testcase name="skipped" Verifies="SWR-2"><skipped/></testcase>
    </testsuite>
    <testcase classname="brake.Test" name="breaks"><error><![CDATA[a < b]]></error></testcase>
    <testcase name="off" status="notrun"/>
  </testsuite>
</testsuites>`;

describe('JUnit XML', () => {
  it('gives a heading for each suite and a record with result and message for each case', async () => {
    const document = await read(Buffer.from(FILE.replace('Bremse', 'Prüfung'), 'latin1'), 'results.xml');
    expect(document.format).toBe('junit');
    expect(outline(document)).toEqual([
      'heading1: Prüfung',
      'table_row 0.0 header: Name | Class | Suite | Result | Time | Timestamp | verifies | note | Message | Verifies',
      'paragraph: build: 4711',
      'table_row 0.1: stops | brake.Test | Prüfung | passed | 0.5 | 2026-01-02T03:04:05 | SWR-1 | as text',
      'table_row 0.2: fails | brake.Test | Prüfung | failed | 2026-01-02T03:04:05 | expected 1 but was 2 at line 7',
      'heading2: inner',
      'table_row 0.3: skipped | inner | skipped | SWR-2',
      'table_row 0.4: breaks | brake.Test | Prüfung | error | 2026-01-02T03:04:05 | a < b',
      'table_row 0.5: off | Prüfung | skipped | 2026-01-02T03:04:05',
    ]);
    expect(
      document.blocks.flatMap((block) => (block.record ? [[block.record.id, block.location.line]] : [])),
    ).toEqual([
      ['brake.Test.stops', 5],
      ['brake.Test.fails', 11],
      ['inner.skipped', 17],
      ['brake.Test.breaks', 19],
      ['Prüfung.off', 20],
    ]);
    expect(document.blocks[7]!.location.section).toEqual(['Prüfung']);
  });

  it('says when two cases have the same name', async () => {
    const document = await read(
      '<testsuite name="s"><testcase name="a"/><testcase name="a"/></testsuite>',
      'a.xml',
    );
    expect(document.notes).toMatchObject([{ code: 'duplicate_id', location: { requirementId: 's.a' } }]);
  });
});
