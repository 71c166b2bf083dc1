import { describe, expect, it } from 'vitest';
import { keyName } from './key-names.ts';

const pressed = (key: string, held: Partial<Parameters<typeof keyName>[0]> = {}) =>
  keyName({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...held });

describe('names of keys', () => {
  it.each([
    ['j', pressed('j')],
    ['Shift+j', pressed('J', { shiftKey: true })],
    ['?', pressed('?', { shiftKey: true })],
    ['[', pressed('[')],
    ['Space', pressed(' ')],
    ['Mod+k', pressed('k', { ctrlKey: true })],
    ['Mod+k', pressed('k', { metaKey: true })],
    ['Shift+Enter', pressed('Enter', { shiftKey: true })],
  ])('%s', (name, said) => expect(said).toBe(name));
});
