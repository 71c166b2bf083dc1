import { expect, it } from 'vitest';
import { linksOfScreens } from './screen-files.js';

it('names the files of the address that is meant, the more special one first', () => {
  const linksOf = linksOfScreens({
    '/': ['assets/a.js'],
    '/w/:ws/runs/:run': ['assets/a.js', 'assets/run.css'],
    '/w/:ws/runs/compare': ['assets/compare.js'],
  });
  expect(linksOf('/')).toBe('</assets/a.js>; rel=modulepreload');
  expect(linksOf('/w/1/runs/2')).toBe(
    '</assets/a.js>; rel=modulepreload, </assets/run.css>; rel=preload; as=style',
  );
  expect(linksOf('/w/1/runs/compare/')).toBe('</assets/compare.js>; rel=modulepreload');
  expect(linksOf('/w/1/runs')).toBeUndefined();
});
