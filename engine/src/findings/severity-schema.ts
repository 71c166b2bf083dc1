import { z } from 'zod';
import { SEVERITIES } from './finding.js';

export const severitySchema = z.enum(SEVERITIES);
