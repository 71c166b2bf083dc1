import { describe, expect, it } from 'vitest';
import { analysedDocument } from '../../testing/document-fixture.js';
import { extractArtifacts } from './extract-artifacts.js';
import { assumedLinks, type TraceLink } from './trace-link.js';

const linksOf = (...lines: readonly string[]) => {
  const { id, document } = analysedDocument('Safety_Concept.docx', lines);
  const { links } = extractArtifacts([{ id, document, documentType: 'functional_safety_concept' }]);
  return links.map(({ sourceId, targetId, assumed }) => [sourceId, targetId, assumed]);
};

describe('why a link is taken to be meant', () => {
  it.each([
    [
      'Safety goal',
      'The vehicle at rest shall not roll away on a slope',
      'A vehicle at rest shall not roll away on any slope.',
    ],
    [
      'Sicherheitsziel',
      'Das stehende Fahrzeug darf nicht am Hang wegrollen',
      'Ein stehendes Fahrzeug darf am Hang nicht wegrollen.',
    ],
  ])('is told of a cell of "%s" that says nearly what a goal says', (title, written, goal) => {
    const links = linksOf(
      '# Events',
      `| ID | Hazardous event | S | E | C | ASIL | ${title} |`,
      `| HE-01 | The vehicle rolls away | S3 | E4 | C2 | C | ${written} |`,
      '# Goals',
      `| ID | ${title} | ASIL |`,
      `| SG-01 | ${goal} | C |`,
    );
    expect(links).toEqual([[expect.any(String), expect.any(String), 'text']]);
  });

  it('is not told of what a cell names by its id', () => {
    const links = linksOf(
      '# Requirements',
      '| ID | Functional safety requirement | ASIL | Safety goal |',
      '| FSR-01 | The controller shall stop the motor. | B | SG-01 |',
    );
    expect(links).toEqual([['FSR-01', 'SG-01', undefined]]);
  });
});

describe('a heading that ends with a goal in brackets', () => {
  const goals = (id: string) => [
    '# Ziele',
    '| ID | Sicherheitsziel | ASIL |',
    `| ${id} | Nicht verriegeln. | D |`,
  ];
  const rows = (...cells: readonly string[]) => ['| ID | Anforderung | ASIL |', ...cells];

  it.each(['SG-01', 'SiZ_01'])('is taken to be the parent %s of the rows below it', (id) => {
    const links = linksOf(
      ...goals(id),
      `# 4.1 Kein Verriegeln während der Fahrt (${id})`,
      ...rows('| FuSA_101 | Das Gerät muss die Versorgung trennen. | D |'),
    );
    expect(links).toEqual([['FuSA_101', id, 'place']]);
  });

  it.each(['# 4 Versorgung (SG-01, ASIL D, FTTI 60 ms)', '## SG-01', '## 3.1 SG-01'])(
    'is the parent also as %s',
    (heading) => {
      const links = linksOf(
        ...goals('SG-01'),
        heading,
        ...rows('| FuSA_101 | Das Gerät muss die Versorgung trennen. | D |'),
      );
      expect(links).toEqual([['FuSA_101', 'SG-01', 'place']]);
    },
  );

  it('is the parent of several tables, under letters that tell nothing only where it is a goal', () => {
    const cards = (heading: string) =>
      linksOf(
        ...goals('G1'),
        heading,
        ...rows('| FSA-1 | Das Gerät muss die Versorgung trennen. | D |'),
        '',
        ...rows('| FSA-2 | Das Gerät muss warnen. | D |'),
      );
    expect(cards('## G1')).toEqual([
      ['FSA-1', 'G1', 'place'],
      ['FSA-2', 'G1', 'place'],
    ]);
    expect(cards('## K1')).toEqual([]);
  });

  it('is not, where the row names its own or the goal stands elsewhere in the heading', () => {
    const own = linksOf(
      ...goals('SG-01'),
      '# Fahrt (SG-01)',
      '| ID | Anforderung | ASIL | Abgeleitet von |',
      '| FSA-1 | Das Gerät muss die Versorgung trennen. | D | SG-02 |',
    );
    expect(own).toEqual([['FSA-1', 'SG-02', undefined]]);
    const beside = linksOf(
      ...goals('SG-01'),
      '# Siehe SG-01 zum Vergleich',
      ...rows('| FSA-1 | Das Gerät muss die Versorgung trennen. | D |'),
    );
    expect(beside).toEqual([]);
  });
});

describe('assumed links', () => {
  const link = (source: string, rest: Partial<TraceLink> = {}): TraceLink => ({
    sourceId: source,
    targetId: 'SG-01',
    type: 'derives_from',
    ...rest,
  });
  const confirmed = { sourceHash: 'a', targetHash: 'b' };
  it('are those that nothing else states and nobody confirmed, each once', () => {
    const links = [
      link('A', { assumed: 'number' }),
      link('A', { assumed: 'place' }),
      link('B', { assumed: 'number' }),
      link('B'),
      link('C', { assumed: 'text', confirmed }),
      link('D'),
    ];
    expect(assumedLinks(links).map(({ sourceId, assumed }) => [sourceId, assumed])).toEqual([
      ['A', 'number'],
    ]);
  });
});
