import {
  describeChecks,
  event,
  fsc,
  hara,
  PROSE,
  plan,
  REQUIREMENTS,
  rated,
} from '../testing/check-cases.js';
import { documentOf } from '../testing/small-checklists.js';

describeChecks({
  section: [
    [
      'content',
      { check: 'section', of: ['hara.situations'] },
      [documentOf('hara', ['# HARA', '## Operational situations', PROSE])],
      { verdict: 'pass', confidence: 'medium', quote: 'power tailgate' },
    ],
    [
      'German heading',
      { check: 'section', of: ['hara.situations'] },
      [
        documentOf('hara', [
          '# HARA',
          '## Betriebssituationen',
          'Die Situationen der Heckklappe sind für Fahrt, Stand, Parken und Waschanlage vollständig mit Häufigkeit beschrieben.',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'only instructions of the template',
      { check: 'section', of: ['hara.situations'] },
      [documentOf('hara', ['# HARA', '## Operational situations', '[Instructions: list the situations]'])],
      { verdict: 'fail', quote: 'Operational situations' },
    ],
    [
      'open point',
      { check: 'section', of: ['hara.situations'] },
      [documentOf('hara', ['# HARA', '## Operational situations', 'TBD'])],
      { verdict: 'fail' },
    ],
    [
      'only in the table of contents',
      { check: 'section', of: ['hara.misuse'] },
      [documentOf('hara', ['# HARA', '~ Foreseeable misuse ........ 4', '## Operational situations', PROSE])],
      { verdict: 'missing' },
    ],
    [
      'no such document',
      { check: 'section', of: ['hara.misuse'] },
      [plan([PROSE])],
      { verdict: 'missing', confidence: 'high' },
    ],
    [
      'tailored out with a reason',
      { check: 'section', of: ['hara.misuse'] },
      [
        documentOf('hara', [
          '# HARA',
          '## Foreseeable misuse',
          'Not applicable because the item has no control that a driver could use.',
        ]),
      ],
      { verdict: 'NA', quote: 'no control' },
    ],
    [
      'a few words',
      { check: 'section', of: ['hara.misuse'] },
      [documentOf('hara', ['# HARA', '## Foreseeable misuse', 'Children may play.'])],
      { verdict: 'pass', needsConfirmation: true, confidence: 'low' },
    ],
  ],
  column: [
    [
      'a title that is read together with the one of its group',
      { check: 'column', of: ['hara.hazard_table.safety_goal'] },
      [
        documentOf('hara', [
          '# Hazard analysis and risk assessment',
          '| ID | Malfunction | Operational situation | Hazardous event | S | E | C | ASIL | Determination of levels and safety goals Safety goal |',
          '| HE-01 | Opens | Driving | Load falls out | S3 | E4 | C3 | D | SG-01 |',
        ]),
      ],
      { verdict: 'pass', quote: 'SG-01' },
    ],
    [
      'all filled',
      {
        check: 'column',
        of: ['hara.hazard_table.severity', 'hara.hazard_table.exposure', 'hara.hazard_table.controllability'],
        value: 'rating',
      },
      [hara([rated])],
      { verdict: 'pass', instances: { met: 1, total: 1 }, quote: 'S3' },
    ],
    [
      'a class that does not exist',
      { check: 'column', of: ['hara.hazard_table.severity'], value: 'rating' },
      [hara([rated, event('HE-02', ['S7', 'x', 'E4', 'x', 'C3', 'x', 'D', 'SG-01'])])],
      { verdict: 'fail', instances: { met: 1, total: 2 }, quote: 'S7', affected: ['HE-02'] },
    ],
    [
      'an empty cell',
      { check: 'column', of: ['hara.hazard_table.severity'], value: 'rating' },
      [hara([rated, event('HE-02', ['', '', 'E4', 'x', 'C3', 'x', 'D', 'SG-01'])])],
      { verdict: 'fail', quote: 'HE-02' },
    ],
    [
      'a pointer instead of a reason',
      { check: 'column', of: ['hara.hazard_table.severity_rationale'], words: 5 },
      [hara([rated, event('HE-02', ['S3', 'see above', 'E4', 'x', 'C3', 'x', 'D', 'SG-01'])])],
      { verdict: 'fail', quote: 'see above' },
    ],
    [
      'few words that give a reason, where the check says so',
      { check: 'column', of: ['hara.hazard_table.severity_rationale'], words: 5, reasons: true },
      [hara([rated, event('HE-02', ['S0', 'nobody is injured', 'E4', 'x', 'C3', 'x', 'D', 'SG-01'])])],
      { verdict: 'pass', instances: { met: 2, total: 2 } },
    ],
    [
      'few words without a reason',
      { check: 'column', of: ['hara.hazard_table.severity_rationale'], words: 5, reasons: true },
      [hara([rated, event('HE-02', ['S3', 'at high speed', 'E4', 'x', 'C3', 'x', 'D', 'SG-01'])])],
      { verdict: 'fail', quote: 'at high speed' },
    ],
    [
      'QM owes no goal',
      { check: 'column', of: ['hara.hazard_table.safety_goal'], rated: true },
      [hara([rated, event('HE-02', ['S0', 'none is hurt', 'E4', 'x', 'C3', 'x', 'QM', '–'])])],
      { verdict: 'pass', instances: { met: 1, total: 1 } },
    ],
    [
      'only QM',
      { check: 'column', of: ['hara.hazard_table.safety_goal'], rated: true },
      [hara([event('HE-02', ['S0', 'none is hurt', 'E4', 'x', 'C3', 'x', 'QM', '–'])])],
      { verdict: 'NA', quote: 'QM' },
    ],
    [
      'enough rows',
      { check: 'column', of: ['hara.hazard_table.safety_goal'], filled: 50 },
      [hara([rated, event('HE-02', ['S3', 'x', 'E4', 'x', 'C3', 'x', 'D', ''])])],
      { verdict: 'pass', instances: { met: 1, total: 2 } },
    ],
    [
      'no such column',
      { check: 'column', of: ['functional_safety_concept.fsr_table.mode'] },
      [fsc([REQUIREMENTS, '| FSR-01 | The tailgate shall stay shut. | B | SG-01 | ECU | 400 ms | Shut |'])],
      { verdict: 'missing' },
    ],
    [
      'one of the columns',
      {
        check: 'column',
        of: ['functional_safety_concept.fsr_table.allocation', 'functional_safety_concept.fsr_table.mode'],
      },
      [fsc([REQUIREMENTS, '| FSR-01 | The tailgate shall stay shut. | B | SG-01 | ECU | 400 ms | Shut |'])],
      { verdict: 'fail', rule: 'column-missing' },
    ],
    [
      'no table',
      { check: 'column', of: ['hara.hazard_table.asil'] },
      [documentOf('hara', ['# HARA', PROSE])],
      { verdict: 'missing' },
    ],
  ],
  document: [
    [
      'there',
      { check: 'document', of: ['hsi_spec'] },
      [documentOf('hsi_spec', ['# HSI', '## Signals', PROSE, PROSE, PROSE])],
      { verdict: 'pass' },
    ],
    [
      'an empty template',
      { check: 'document', of: ['hsi_spec'] },
      [
        documentOf('hsi_spec', [
          '# HSI',
          '## Purpose and scope',
          '[Instructions: describe it]',
          '## Signals',
          '[Instructions: list them]',
          '## Timing',
          '[Instructions: give times]',
        ]),
      ],
      { verdict: 'fail' },
    ],
    [
      'denied',
      { check: 'document', of: ['dia'], names: { en: ['development interface agreement'], de: [] } },
      [plan(['No development interface agreement was made with the supplier.'])],
      { verdict: 'fail', quote: 'No development interface agreement' },
    ],
    ['absent', { check: 'document', of: ['hsi_spec'] }, [plan([PROSE])], { verdict: 'missing' }],
  ],
  no_placeholder: [
    [
      'open',
      { check: 'no_placeholder', in: ['hara'] },
      [hara([event('HE-01', ['S3', 'x', 'E4', 'x', 'C3', 'x', 'TBD', 'SG-01'])])],
      { verdict: 'fail', quote: 'TBD' },
    ],
    [
      'a look-alike',
      { check: 'no_placeholder', in: ['safety_plan'] },
      [
        plan([
          '## Abbreviations',
          'TBD – to be determined',
          '## Roles and responsibilities',
          PROSE,
          PROSE,
          PROSE,
        ]),
      ],
      { verdict: 'pass' },
    ],
  ],
  metadata: [
    [
      'filled',
      { check: 'metadata', fields: ['version', 'status'], in: ['safety_plan'] },
      [plan(['Version: 1.2', 'Status: released', PROSE])],
      { verdict: 'pass', instances: { met: 2, total: 2 } },
    ],
    [
      'the author checked',
      { check: 'metadata', fields: ['reviewer'], in: ['safety_plan'] },
      [plan(['Author: Anna Berg', 'Reviewer: Anna Berg', PROSE])],
      { verdict: 'fail', quote: 'Anna Berg' },
    ],
    [
      'left open',
      { check: 'metadata', fields: ['version'], in: ['safety_plan'] },
      [plan(['Version: TBD', PROSE])],
      { verdict: 'fail', quote: 'TBD' },
    ],
    [
      'not there',
      { check: 'metadata', fields: ['approver'], in: ['safety_plan'] },
      [plan([PROSE])],
      { verdict: 'missing' },
    ],
  ],
  status: [
    [
      'released',
      { check: 'status', in: ['safety_plan'], least: 'reviewed' },
      [plan(['Status: freigegeben', PROSE])],
      { verdict: 'pass' },
    ],
    [
      'a draft',
      { check: 'status', in: ['safety_plan'], least: 'reviewed' },
      [plan(['Status: Entwurf', PROSE])],
      { verdict: 'fail', quote: 'Entwurf' },
    ],
    [
      'not stated',
      { check: 'status', in: ['safety_plan'], least: 'reviewed' },
      [plan([PROSE])],
      { verdict: 'missing' },
    ],
  ],
  person_named: [
    [
      'by name',
      {
        check: 'person_named',
        in: ['safety_plan'],
        roles: { en: ['safety manager'], de: ['Sicherheitsmanager'] },
      },
      [plan(['## Roles', '| Role | Name |', '| Safety manager | Anna Berg |'])],
      { verdict: 'pass', quote: 'Anna Berg' },
    ],
    [
      'German',
      {
        check: 'person_named',
        in: ['safety_plan'],
        roles: { en: ['safety manager'], de: ['Sicherheitsmanager'] },
      },
      [plan(['Sicherheitsmanager: Dr. Karl Weber'])],
      { verdict: 'pass' },
    ],
    [
      'the role only',
      {
        check: 'person_named',
        in: ['safety_plan'],
        roles: { en: ['safety manager'], de: ['Sicherheitsmanager'] },
      },
      [plan(['## Roles', '| Role | Name |', '| Safety manager | TBD |'])],
      { verdict: 'fail', quote: 'TBD' },
    ],
    [
      'not at all',
      { check: 'person_named', in: ['safety_plan'], roles: { en: ['safety manager'], de: [] } },
      [plan([PROSE])],
      { verdict: 'missing' },
    ],
  ],
  groups: [
    [
      'a sure fail outweighs what only a person could confirm',
      {
        check: 'any',
        of: [
          { check: 'column', of: ['hara.hazard_table.severity_rationale'], words: 9 },
          { check: 'section', of: ['hara.events'], confirm: true },
        ],
      },
      [hara([rated])],
      { verdict: 'fail', rule: 'column-too-short' },
    ],
    [
      'any',
      {
        check: 'any',
        of: [
          { check: 'section', of: ['hara.misuse'] },
          { check: 'section', of: ['hara.situations'] },
        ],
      },
      [documentOf('hara', ['# HARA', '## Operational situations', PROSE])],
      { verdict: 'pass' },
    ],
    [
      'all, one of them there',
      {
        check: 'all',
        of: [
          { check: 'section', of: ['hara.misuse'] },
          { check: 'section', of: ['hara.situations'] },
        ],
      },
      [documentOf('hara', ['# HARA', '## Operational situations', PROSE])],
      { verdict: 'fail', rule: 'parts-missing' },
    ],
    [
      'a person confirms',
      { check: 'section', of: ['hara.situations'], confirm: true },
      [documentOf('hara', ['# HARA', '## Operational situations', PROSE])],
      { verdict: 'pass', needsConfirmation: true },
    ],
    [
      'its own severity',
      { check: 'section', of: ['hara.situations'], severity: 'critical' },
      [documentOf('hara', ['# HARA', '## Operational situations', 'TBD'])],
      { verdict: 'fail', severity: 'critical' },
    ],
  ],
});
