import { expect, it } from 'vitest';
import { linksOfScreens } from './screen-files.js';

it('names the files of the address that is meant, the more special one first', () => {
  const linksOf = linksOfScreens({
    '/': ['first.js', 'assets/a.js'],
    '/w/:ws/runs/:run': ['assets/a.js', 'assets/letters.woff2'],
    '/w/:ws/runs/compare': ['assets/compare.js'],
  });
  expect(linksOf('/')).toBe('</first.js>; rel=preload; as=script, </assets/a.js>; rel=modulepreload');
  expect(linksOf('/w/1/runs/2')).toBe(
    '</assets/a.js>; rel=modulepreload, ' +
      '</assets/letters.woff2>; rel=preload; as=font; type="font/woff2"; crossorigin',
  );
  expect(linksOf('/w/1/runs/compare/')).toBe('</assets/compare.js>; rel=modulepreload');
  expect(linksOf('/w/1/runs')).toBeUndefined();
});
