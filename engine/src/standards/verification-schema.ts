import { z } from 'zod';
import type { Verification } from './criterion.js';

export const verificationSchema = z.enum([
  'verified',
  'number_verified',
  'assessor',
  'uncertain',
] as const satisfies readonly Verification[]);
