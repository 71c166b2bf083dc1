import type { ComponentType } from 'react';
import type { IconName } from '../look/glyphs.tsx';
import type { Language } from '../look/look.ts';

/** One screen: a folder below `screens` with `screen.ts` that says this, `page.tsx`, and its words. */
export interface Screen {
  /** Address, with `:names` of what it is about: `/w/:ws/gaps/:gap`. More general ones after more special ones in the registry. */
  readonly path: string;
  /** Loaded when somebody goes there, or points at the way there. */
  readonly page: () => Promise<{ readonly default: ComponentType }>;
  /** What stands around it: nothing, the bar on top, or rail and bar of a workspace. */
  readonly frame: 'none' | 'person' | 'workspace';
  /** Whether it is for people without a session as well. */
  readonly isOpen?: true;
  readonly title: Readonly<Record<Language, string>>;
  /** A line of the rail: `key` is the letter after `g`. */
  readonly rail?: { readonly icon: IconName; readonly key: string };
  /** The permission of `roles.yaml` without which nobody is shown the way there. */
  readonly permission?: string;
}
