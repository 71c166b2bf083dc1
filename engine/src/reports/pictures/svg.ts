import { escapeXml } from '../formats/escape.js';
import { draw, type Shape } from './drawing.js';
import type { Picture } from './picture.js';

/** Average width of a letter, in parts of the size: texts are cut where they would run into their neighbour. */
const LETTER = 0.58;

/** A picture as SVG inside an HTML page: title and description for those who do not see it. */
export function toSvg(picture: Picture, id: string): string {
  const { width, height, shapes } = draw(picture);
  return [
    `<svg viewBox="0 0 ${width} ${round(height)}" role="img" aria-labelledby="${id}-t ${id}-d">`,
    `<title id="${id}-t">${escapeXml(picture.title)}</title>`,
    `<desc id="${id}-d">${escapeXml(picture.alt)}</desc>`,
    ...shapes.map(toElement),
    '</svg>',
  ].join('');
}

function toElement(shape: Shape): string {
  if (shape.kind === 'box') {
    const line = shape.line === undefined ? '' : ` stroke="${shape.line}" stroke-width=".7"`;
    return `<rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" fill="${shape.fill}"${line}/>`;
  }
  if (shape.kind === 'line') {
    const [x1, y1] = shape.from;
    const [x2, y2] = shape.to;
    return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${shape.colour}" stroke-width=".8"/>`;
  }
  const anchor = { left: 'start', middle: 'middle', right: 'end' }[shape.align];
  const weight = shape.strong ? ' font-weight="600"' : '';
  const words = cut(shape.text, Math.floor(shape.width / (shape.size * LETTER)));
  return `<text x="${round(shape.x)}" y="${round(shape.y)}" font-size="${shape.size}" fill="${shape.colour}" text-anchor="${anchor}"${weight}>${escapeXml(words)}</text>`;
}

function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, Math.max(1, most - 1)).join('')}…`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
