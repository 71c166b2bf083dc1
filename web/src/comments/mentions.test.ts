import { describe, expect, it } from 'vitest';
import { mentionedIn, namingAt, offered, withMention } from './mentions.ts';

const kim = { user_id: '1', name: 'Kim Sömmer', email: 'kim@example.org' };
const jo = { user_id: '2', name: '', email: 'jo@example.org' };

describe('a mention', () => {
  it('begins with an @ behind a space, and ends with the second word', () => {
    expect(namingAt('Dear @Ki', 8)).toEqual({ from: 5, name: 'Ki' });
    expect(namingAt('@', 1)).toEqual({ from: 0, name: '' });
    expect(namingAt('@Kim Söm', 8)).toEqual({ from: 0, name: 'Kim Söm' });
    expect(namingAt('@Kim Sömmer is', 14)).toBeUndefined();
    expect(namingAt('kim@example', 11)).toBeUndefined();
    expect(namingAt('Dear @Ki', 4)).toBeUndefined();
  });

  it('offers people by any word of their name, or their address', () => {
    expect(offered([kim, jo], 'sö')).toEqual([kim]);
    expect(offered([kim, jo], 'JO@')).toEqual([jo]);
    expect(offered([kim, jo], '')).toEqual([kim, jo]);
    expect(offered([kim, jo], 'im')).toEqual([]);
  });

  it('stands in the text, and counts as long as it does', () => {
    const { text, caret } = withMention('Dear @Ki, hello', { from: 5, name: 'Ki' }, kim);
    expect([text, caret]).toEqual(['Dear @Kim Sömmer , hello', 17]);
    expect(mentionedIn(text, [kim, jo, kim])).toEqual(['1']);
    expect(mentionedIn('Dear Kim', [kim])).toEqual([]);
  });
});
