import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { standardId } from '../runs/examples.js';
import * as standards from '../standards/standards.repository.js';
import { StandardParams } from '../standards/standards.schemas.js';
import { StandardConditions } from './conditions.schemas.js';
import { conditionsOf } from './conditions.service.js';

export const conditionExample = {
  id: 'decomposition_used',
  label: { en: 'if an ASIL is decomposed', de: 'wenn ein ASIL dekomponiert ist' },
  question: {
    en: 'Is any safety requirement decomposed into requirements with a lower ASIL?',
    de: 'Ist eine Sicherheitsanforderung in Anforderungen mit niedrigerem ASIL zerlegt?',
  },
  default: 'ask',
  default_reason: {
    en: 'Only documents or a person can tell.',
    de: 'Nur Dokumente oder ein Mensch wissen es.',
  },
  asked_by: ['26262-9:5.4'],
  open: true,
  answer: null,
};

const getConditions = readRoute({
  operation: 'getStandardConditions',
  method: 'GET',
  path: '/standards/:id/conditions',
  tag: 'Standards',
  summary: 'Read the conditions of a standard',
  description:
    'When criteria apply that do not always: the question that a person may answer when a run is started, what is taken ' +
    'without an answer, which criteria depend on it, and whether the newest run left it open. No words of the standard.',
  permission: 'standards.read',
  within: 'visible',
  resource: 'standard',
  params: StandardParams,
  answer: StandardConditions,
  examples: { params: { id: standardId }, answer: { conditions: [conditionExample] } },
  handle: async ({ params, read }) => {
    const [row] = await read<standards.StandardRow>(standards.selectStandard(params.id));
    if (!row) throw notFound('standard');
    return { conditions: await conditionsOf(row, read) };
  },
});

export const conditionRoutes: readonly Route[] = [getConditions];
