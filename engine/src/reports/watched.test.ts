import { describe, expect, it } from 'vitest';
import { renderReport } from './render-report.js';
import { samplePart, sampleReport, tracePart } from './testing/sample-report.js';

const report = sampleReport(8, { parts: [samplePart(8), tracePart()] });

describe('how far a file is', () => {
  it.each(['html', 'pdf', 'docx'] as const)(
    'is told while it is written as %s, to the end',
    async (format) => {
      const told: (readonly [written: number, total: number])[] = [];
      const chunks: Uint8Array[] = [];
      const onProgress = (written: number, total: number): void => void told.push([written, total]);
      for await (const chunk of renderReport(report, format, { onProgress })) chunks.push(chunk);
      const [, total] = told.at(-1)!;
      expect(told.length).toBeGreaterThan(5);
      expect(told.map(([, of]) => of)).toEqual(told.map(() => total));
      expect(told.map(([written]) => written)).toEqual(
        told.map(([written]) => written).toSorted((a, b) => a - b),
      );
      expect(told.at(-1)).toEqual([total, total]);
      // Who listens changes nothing.
      const alone: Uint8Array[] = [];
      for await (const chunk of renderReport(report, format)) alone.push(chunk);
      expect(Buffer.concat(chunks).equals(Buffer.concat(alone))).toBe(true);
    },
  );
});
