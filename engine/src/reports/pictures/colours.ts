import type { Mark } from '../report-words.js';

export interface Colours {
  /** Of areas; 3:1 against white and told apart in grey. */
  readonly fill: string;
  /** Of labels: text on paper, 4.5:1 at least. */
  readonly paper: string;
  readonly text: string;
}

/** One meaning, one colour, in every format. Chosen so that red and green differ in lightness too. */
export const COLOURS: Readonly<Record<Mark, Colours>> = {
  critical: { fill: '#7a1022', paper: '#f9dde2', text: '#7a1022' },
  high: { fill: '#c4452d', paper: '#fde5df', text: '#93301c' },
  medium: { fill: '#e0a030', paper: '#fcefd3', text: '#704a00' },
  low: { fill: '#8a97a6', paper: '#e8ecf1', text: '#3f4b59' },
  good: { fill: '#2c7a5b', paper: '#dcf1e7', text: '#1b5940' },
  part: { fill: '#e0a030', paper: '#fcefd3', text: '#704a00' },
  bad: { fill: '#b3382c', paper: '#fbe0dc', text: '#8a261b' },
  person: { fill: '#4a6fb5', paper: '#e0e8f7', text: '#29487f' },
  none: { fill: '#c3cad3', paper: '#eef0f3', text: '#4a5461' },
};
