import type { Locator, Page } from 'playwright-core';

/** What a function of the page, as a text, says about an element. */
const look = async <Said>(of: Locator, script: string): Promise<Said> =>
  (await of.evaluate(new Function('one', `return (${script})(one)`) as () => unknown)) as Said;

/** Keys from one control to another, at most: behind that nobody finds it. */
const FAR = 250;
const SOON = { timeout: 30_000 };

/**
 * Somebody who works with the mouse only, or with the keyboard only. Counts what they do: a click, a key, a text that is typed, a
 * file that is chosen. With keys a control is reached by Tab, and must be seen when it has the focus.
 */
export class Hand {
  /** Clicks, keys and typed texts so far. */
  actions = 0;
  readonly page: Page;
  readonly kind: 'mouse' | 'keyboard';

  constructor(page: Page, kind: 'mouse' | 'keyboard') {
    this.page = page;
    this.kind = kind;
  }

  /** Uses a control: a click on it; or the key that stands for it, else the way to it and Enter or Space. */
  async use(control: Locator, key?: string): Promise<void> {
    await control.waitFor(SOON);
    if (this.kind === 'mouse') {
      this.actions += 1;
      await control.click(SOON);
    } else if (key !== undefined) await this.keys(key);
    else {
      await this.reach(control);
      await this.keys(await look<string>(control, `(one) => one.matches('input') ? 'Space' : 'Enter'`));
    }
  }

  /** Goes somewhere: by the way that is shown, or by the keys that lead there from anywhere. */
  async go(way: Locator, keys: string): Promise<void> {
    if (this.kind === 'mouse') await this.use(way);
    else await this.keys(keys);
  }

  /** Presses keys one after the other, whoever has the focus. */
  async keys(names: string): Promise<void> {
    for (const name of names.split(' ')) {
      this.actions += 1;
      await this.page.keyboard.press(name);
    }
  }

  async write(field: Locator, text: string): Promise<void> {
    if (this.kind === 'mouse') await this.use(field);
    else await this.reach(field);
    await this.page.keyboard.press('Control+a');
    this.actions += 1;
    await this.page.keyboard.type(text);
  }

  /** A choice of a list that the browser draws, which a test cannot click: two actions with the mouse, letters with the keyboard. */
  async choose(list: Locator, label: string): Promise<void> {
    await list.waitFor(SOON);
    if (this.kind === 'mouse') {
      this.actions += 2;
      await list.selectOption({ label });
      return;
    }
    await this.reach(list);
    this.actions += 1;
    await this.page.keyboard.type(label);
    const chosen = await look<string>(list, '(one) => one.selectedOptions[0]?.label ?? ""');
    if (chosen !== label)
      throw new Error(`By its letters "${label}" is not found in a list: "${chosen}" is.`);
  }

  /** A day: typed into the field, as both hands do it. */
  async date(field: Locator, day: string): Promise<void> {
    if (this.kind === 'mouse') await this.use(field);
    else await this.reach(field);
    this.actions += 1;
    await field.fill(day);
  }

  async files(control: Locator, files: readonly string[]): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser', SOON), this.use(control)]);
    this.actions += 1;
    await chooser.setFiles([...files]);
  }

  /** Tab, or Shift and Tab, until it has the focus; throws where it cannot be reached or not be seen then. */
  private async reach(control: Locator): Promise<void> {
    await control.waitFor(SOON);
    const radio = await look<boolean>(control, `(one) => one.matches('input[type=radio]')`);
    const where = `(one) => {
      const now = document.activeElement;
      if (now === one) return 'here';
      if (${radio} && now?.name === one.name && now?.form === one.form) {
        return now.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING ? 'ArrowDown' : 'ArrowUp';
      }
      if (!now || now === document.body) return 'Tab';
      return now.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING ? 'Shift+Tab' : 'Tab';
    }`;
    for (let at = 0; at < FAR; at++) {
      const next = await look<string>(control, where);
      if (next === 'here') {
        await this.isSeen(control);
        return;
      }
      await this.keys(next);
    }
    throw new Error(
      `Not reached with ${FAR} keys: ${await look<string>(control, '(one) => one.outerHTML.slice(0, 200)')}`,
    );
  }

  private async isSeen(control: Locator): Promise<void> {
    const fault = await look<string>(
      control,
      `async (one) => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const shown = one.closest('label') ?? one;
      const { left, top, width, height } = shown.getBoundingClientRect();
      const style = getComputedStyle(one);
      if (!one.matches(':focus-visible')) return 'has no visible focus';
      if (style.outlineStyle === 'none' && style.boxShadow === 'none') return 'has no outline';
      const [x, y] = [left + Math.min(width / 2, 40), top + height / 2];
      const above = document.elementFromPoint(x, y);
      if (!above) return 'is outside of the window';
      return shown.contains(above) || above.contains(shown) ? '' : 'is covered by ' + above.outerHTML.slice(0, 120);
    }`,
    );
    if (fault)
      throw new Error(
        `A control that has the focus ${fault}: ${await look<string>(control, '(one) => one.outerHTML.slice(0, 200)')}`,
      );
  }
}
