/** Name of a key as maps say it: `j`, `Shift+j`, `Mod+k` (Ctrl, ⌘ on a Mac), `Enter`, `?`. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): string {
  const key = event.key === ' ' ? 'Space' : event.key;
  const name = key.length === 1 ? key.toLowerCase() : key;
  const isLetter = /^[a-z]$/.test(name);
  const isShifted = event.shiftKey && (isLetter || key.length > 1);
  return `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${isShifted ? 'Shift+' : ''}${name}`;
}
