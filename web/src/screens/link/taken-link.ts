let taken = '';

/**
 * Takes a mailed link (`/#reset=…`) out of the address line and the history, so that whoever looks at them later cannot use
 * it, and leads to the screen that does what it is for. Called before anything is shown, and when only the fragment changes.
 */
export function takeLink(): void {
  if (!/^#(invitation|guest|verify|reset|sign-up)=/.test(location.hash)) return;
  taken = location.hash;
  history.replaceState(null, '', '/link');
}

export const takenLink = (): string => taken;
